// Checks the packages we use without the network: their origin, install scripts, licences, and whether they match the
// lock file.
import { findPackage, foreignPackages, nameOf, type Lock, type LockedPackage } from './lock.ts';

/** A problem that was reviewed and accepted. `package` may end in an asterisk. */
export type Accepted = { readonly package: string; readonly reason: string; readonly date: string };

export type AcceptedFaults = {
  /** Vulnerabilities, by advisory name: "GHSA-…". */
  readonly advisories: readonly (Accepted & { readonly advisory: string })[];
  readonly licences: readonly (Accepted & { readonly licence: string })[];
  readonly installScripts: readonly Accepted[];
  readonly deprecated: readonly Accepted[];
};

/** The package.json of an installed package. */
export type InstalledPackage = {
  readonly version?: string;
  readonly license?: string | { readonly type?: string };
  readonly scripts?: Readonly<Record<string, string>>;
};

/** Null if it is not installed: packages for other platforms are locked too. */
export type FindInstalled = (path: string) => InstalledPackage | null;

/** Licences that require nothing except their own text. */
const LICENCES = new Set([
  'MIT',
  'MIT-0',
  'ISC',
  'BSD-2-Clause',
  'BSD-3-Clause',
  '0BSD',
  'Apache-2.0',
  'CC0-1.0',
  'Unlicense',
]);

type LockCheck = (path: string, locked: LockedPackage, accepted: AcceptedFaults) => string | null;

const LOCK_CHECKS: readonly LockCheck[] = [
  (_path, { integrity, inBundle }) =>
    inBundle === true || /^sha(256|384|512)-/.test(integrity ?? '') ? null : 'has no integrity hash',
  (_path, { resolved }) =>
    resolved === undefined || resolved.startsWith('https://registry.npmjs.org/')
      ? null
      : `comes from ${resolved}, not from the registry`,
  (path, { license = 'none' }, { licences }) =>
    mayBeUsed(license) || licences.some((one) => one.licence === license && isFor(one, nameOf(path)))
      ? null
      : `has the licence ${license}, which is not in the list`,
  (path, { hasInstallScript }, { installScripts }) =>
    hasInstallScript !== true || installScripts.some((one) => isFor(one, nameOf(path)))
      ? null
      : 'runs a script when it is installed',
  (path, { deprecated: words }, { deprecated }) =>
    words === undefined || deprecated.some((one) => isFor(one, nameOf(path)))
      ? null
      : `is deprecated: ${words}`,
];

/** The problems, one line each. Empty: none. */
export function checkLock(
  lock: Lock,
  accepted: AcceptedFaults,
  findInstalled: FindInstalled,
): readonly string[] {
  const packages = foreignPackages(lock);
  const faults = packages.flatMap(([path, locked]) => {
    const found = LOCK_CHECKS.map((check) => check(path, locked, accepted)).filter((fault) => fault !== null);
    return [...found, ...compare(locked, findInstalled(path))].map(
      (fault) => `${nameOf(path)} ${locked.version ?? ''} ${fault}`,
    );
  });
  return [...faults, ...listMissing(lock), ...listIdle(lock, accepted)];
}

/** Packages for other systems that the lock file leaves out: `npm ci` fails without them, here or there. */
function listMissing(lock: Lock): readonly string[] {
  return foreignPackages(lock).flatMap(([path, { version, optionalDependencies = {} }]) =>
    Object.keys(optionalDependencies)
      .filter((name) => findPackage(lock, { from: path, name }) === null)
      .map((name) => `${nameOf(path)} ${version ?? ''} needs ${name} on another system, which is not locked`),
  );
}

/** "MIT AND ISC" requires both, "(MIT OR GPL-3.0)" lets us choose. Anything more complex needs a person. */
function mayBeUsed(licence: string): boolean {
  const words = licence.replace(/^\((.*)\)$/, '$1');
  if (words.includes(' OR ')) return words.split(' OR ').some((one) => LICENCES.has(one));
  return words.split(' AND ').every((one) => LICENCES.has(one));
}

export function isFor({ package: pattern }: Accepted, name: string): boolean {
  return pattern.endsWith('*') ? name.startsWith(pattern.slice(0, -1)) : name === pattern;
}

const INSTALL_SCRIPTS = ['preinstall', 'install', 'postinstall'];

/** A lock file with less information than the package itself would hide what the checks above look for. */
function compare(locked: LockedPackage, installed: InstalledPackage | null): readonly string[] {
  if (installed === null) return [];
  const { version, license, scripts = {} } = installed;
  const licence = typeof license === 'object' ? license.type : license;
  const hasScript = INSTALL_SCRIPTS.some((name) => name in scripts);
  return [
    ...(version === locked.version ? [] : [`is installed as ${version}`]),
    ...(licence === locked.license ? [] : [`is locked as ${locked.license}, but says ${licence} itself`]),
    ...(hasScript && locked.hasInstallScript !== true ? ['has an install script that is not locked'] : []),
  ];
}

/** Accepted problems that no longer exist are removed from the list: a later one with that name is a new problem. */
function listIdle(lock: Lock, accepted: AcceptedFaults): readonly string[] {
  const packages = foreignPackages(lock);
  const { licences, installScripts, deprecated } = accepted;
  const isIdle = (one: Accepted, has: (locked: LockedPackage) => boolean) =>
    !packages.some(([path, locked]) => isFor(one, nameOf(path)) && has(locked));
  return [
    ...licences.filter((one) => isIdle(one, ({ license }) => license === one.licence)),
    ...installScripts.filter((one) => isIdle(one, ({ hasInstallScript }) => hasInstallScript === true)),
    ...deprecated.filter((one) => isIdle(one, (locked) => locked.deprecated !== undefined)),
  ].map(
    (one) => `${one.package} is accepted for nothing: take it out of tools/packaging/accepted-faults.json`,
  );
}
