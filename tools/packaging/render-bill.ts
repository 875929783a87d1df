// A bill of materials: every package that ships, with its licence and hash. The same lock file gives the same bill, so
// that two can be compared.
import { Buffer } from 'node:buffer';
import { nameOf, shippedPaths, type Lock, type LockedPackage } from './lock.ts';
import { PUBLISHED } from './published.ts';

/** The published packages, and the dashboard, which the server carries built. */
const SHIPPED = [...PUBLISHED.map(({ workspace }) => workspace), 'dashboard'];

export function renderBill(lock: Lock): object {
  const paths = [...shippedPaths(lock, SHIPPED)].filter((path) => path.includes('node_modules/'));
  const components = new Map(paths.map((path) => renderComponent(nameOf(path), lock.packages[path] ?? {})));
  const server = lock.packages['server'];
  return {
    $schema: 'http://cyclonedx.org/schema/bom-1.5.schema.json',
    bomFormat: 'CycloneDX',
    specVersion: '1.5',
    version: 1,
    metadata: {
      component: { type: 'application', name: 'malipo', version: server?.version ?? '' },
    },
    components: [...components.values()].toSorted((one, other) => (one.purl < other.purl ? -1 : 1)),
  };
}

/** By its package URL, which is the same for copies at two paths. */
function renderComponent(name: string, { version = '', license, integrity = '' }: LockedPackage) {
  const purl = `pkg:npm/${name.replace('@', '%40')}@${version}`;
  const [, hash = ''] = /^sha512-(.+)$/.exec(integrity) ?? [];
  const component = {
    type: 'library',
    'bom-ref': purl,
    name,
    version,
    purl,
    ...(license !== undefined && { licenses: [renderLicence(license)] }),
    hashes: [{ alg: 'SHA-512', content: Buffer.from(hash, 'base64').toString('hex') }],
  };
  return [purl, component] as const;
}

function renderLicence(licence: string): object {
  return /[ (]/.test(licence) ? { expression: licence } : { license: { id: licence } };
}
