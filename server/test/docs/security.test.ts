// SECURITY.md names a test for each item of the OWASP API Security Top 10. A file that is renamed is renamed there too.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const TESTS = join(import.meta.dirname, '..');
const page = readFileSync(join(TESTS, '../../SECURITY.md'), 'utf8');
const rows = page.split('\n').filter((line) => /^\| API\d+ /.test(line));
const filesIn = (text: string) => [...text.matchAll(/`([\w/.-]+\.test\.ts)`/g)].map(([, file = '']) => file);

test('all ten items are listed, in their order, each with what protects and at least one test', () => {
  const items = rows.map((row) => row.split('|').map((cell) => cell.trim()));
  expect(items.map(([, item = '']) => item.split(' ')[0])).toEqual(
    Array.from({ length: 10 }, (_, index) => `API${index + 1}`),
  );
  for (const [, item, protection = '', files = ''] of items) {
    expect([item, protection.length > 20, filesIn(files).length > 0]).toEqual([item, true, true]);
  }
});

test('every test that the page names is there', () => {
  const named = filesIn(page).map((file) => file.replace(/^server\/test\//, ''));
  expect(named.filter((file) => !existsSync(join(TESTS, file)))).toEqual([]);
});

test('every suite named after an item stands in the row of that item', () => {
  const suites = readdirSync(join(TESTS, 'security')).filter((name) => name.endsWith('.test.ts'));
  expect(suites.length).toBeGreaterThan(0);
  for (const suite of suites) {
    const number = Number(/^api(\d+)-/.exec(suite)?.[1]);
    expect(filesIn(rows[number - 1] ?? '')).toContain(`security/${suite}`);
  }
});
