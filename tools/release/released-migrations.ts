// The hashes of the migrations that were released, recorded by the release command. A test fails when one of these
// files is changed or removed later: databases of users have them applied. Before the first release the record
// is empty, and the baseline is edited in place.
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const RECORD = 'tools/release/released-migrations.txt';
const MIGRATIONS = 'server/migrations';

export function recordMigrations(folder: string): void {
  const lines = readdirSync(join(folder, MIGRATIONS))
    .filter((name) => name.endsWith('.sql'))
    .toSorted()
    .map((name) => `${hashOf(join(folder, MIGRATIONS, name))}  ${name}\n`);
  writeFileSync(join(folder, RECORD), lines.join(''));
}

/** The released migrations that are not as they were released. */
export function findChanged(folder: string): readonly string[] {
  const lines = readFileSync(join(folder, RECORD), 'utf8').matchAll(/^(\w+) {2}(.+)$/gm);
  return [...lines].flatMap(([, hash, name = '']) => {
    const path = join(folder, MIGRATIONS, name);
    return existsSync(path) && hashOf(path) === hash ? [] : [name];
  });
}

function hashOf(path: string): string {
  return createHash('sha256').update(readFileSync(path)).digest('hex');
}
