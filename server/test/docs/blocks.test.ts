// Every block that a reader could run is run, or a reason says why not. Blocks marked `sh run` are run by
// runnable-pages.test.ts; of the others each page names the program that runs them.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { readFences } from './page-blocks.ts';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
const read = (path: string) => readFileSync(join(ROOT, path), 'utf8');

/** What reads the blocks of a page and runs them. */
const RUN_BY: Readonly<Record<string, string>> = {
  'docs/guides/callbacks.md': 'server/test/docs/signature-guides.test.ts',
  'docs/guides/sandbox.md': 'server/test/docs/sandbox-guide.test.ts',
  'docs/guides/signatures.md': 'server/test/docs/signature-guides.test.ts',
  'docs/operating/backup-and-restore.md': 'drills/restore/runbook.ts',
  'docs/operating/database.md': 'drills/kit/pooler.ts',
  'docs/operating/install.md': 'server/test/deploy/install-page.test.ts',
  'docs/operating/monitoring.md': 'server/test/docs/runbook-sql.test.ts',
  'docs/operating/verify-a-release.md': 'tools/release/verify.ts',
};

const NOT_RUN: Readonly<Record<string, string>> = {
  'docs/five-minutes.md': 'gets the sources; everything else on the page is marked and run by tools/newcomer',
  'docs/operating/performance.md': 'measurements, which take minutes of a machine that does nothing else',
  'docs/operating/reliability.md': 'drills, which run every night',
  'docs/operating/scaling.md': 'measurements, which take hours',
  'examples/django-shop/README.md': 'starts the programs that sdk/test/shops.test.ts runs',
  'examples/express-shop/README.md': 'starts the programs that sdk/test/shops.test.ts runs',
  'examples/php-shop/README.md': 'starts the programs that sdk/test/shops.test.ts runs',
  'sdk/php/README.md': 'starts the programs that sdk/test/php.test.ts runs, with the environment of the page',
  'sdk/python/README.md':
    'starts the programs that sdk/test/python.test.ts runs, with the environment of the page',
};

const FOLDERS = [
  'docs',
  'examples',
  'sdk',
  'drills',
  'benchmarks',
  'tools',
  'server',
  'cli',
  'deploy',
  'dashboard',
];

function listPages(): readonly string[] {
  const inside = FOLDERS.flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' }).map((path) => join(folder, path)),
  );
  return [...readdirSync(ROOT), ...inside].filter(
    (path) => path.endsWith('.md') && !/node_modules|\/dist\//.test(path),
  );
}

const hasBlocks = (text: string) =>
  readFences(text).some(({ info }) => /^(sh|sql|bash)( \w+\.\w+)?$/.test(info));

test('every block of a shell and of SQL is run, or has a reason', () => {
  expect(hasBlocks('```sh\nls\n```')).toBe(true);
  expect(hasBlocks('```sql\nselect 1;\n```')).toBe(true);
  expect(hasBlocks('```sh run\nls\n```')).toBe(false);
  const found = listPages().filter((page) => hasBlocks(read(page)));
  expect(found.toSorted()).toEqual([...Object.keys(RUN_BY), ...Object.keys(NOT_RUN)].toSorted());
});

test.each(Object.entries(RUN_BY))('the blocks of %s are read by %s', (page, program) => {
  expect(existsSync(join(ROOT, program))).toBe(true);
  expect(read(program)).toContain(basename(page));
});
