// `npm run check:audit`: checks the packages we use for known and visible problems. Fails for a serious one that is not
// accepted in accepted-faults.json; with --strict also if the registry cannot be reached.
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { checkAdvisories } from './check-advisories.ts';
import { checkLock, type AcceptedFaults, type InstalledPackage } from './check-lock.ts';
import { foreignPackages, readLock } from './lock.ts';
import { ROOT } from './published.ts';

const accepted = readJson('tools/packaging/accepted-faults.json') as AcceptedFaults;
const lock = readLock();
const advisories = checkAdvisories(askRegistry(), accepted);
const wasAsked = advisories.type === 'JUDGED';
const faults = [...checkLock(lock, accepted, findInstalled), ...(wasAsked ? advisories.faults : [])];

say(
  wasAsked
    ? 'The registry was asked for known weaknesses of what ships.'
    : `Known weaknesses were NOT looked up, the registry does not answer that: ${advisories.cause}`,
);
for (const fault of faults) say(`  ${fault}`);
say(`${foreignPackages(lock).length} locked packages, ${faults.length} faults.`);
if (faults.length > 0 || (!wasAsked && process.argv.includes('--strict'))) process.exitCode = 1;

/** npm exits with an error if it finds something, and still writes the result to standard output. */
function askRegistry(): string {
  const patience = ['--fetch-retries=0', '--fetch-timeout=20000'];
  const options = { cwd: ROOT, encoding: 'utf8', maxBuffer: 64 * 1_048_576 } as const;
  return spawnSync('npm', ['audit', '--omit=dev', '--json', ...patience], options).stdout;
}

function findInstalled(path: string): InstalledPackage | null {
  const manifest = `${path}/package.json`;
  return existsSync(join(ROOT, manifest)) ? (readJson(manifest) as InstalledPackage) : null;
}

function readJson(path: string): unknown {
  return JSON.parse(readFileSync(join(ROOT, path), 'utf8'));
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}
