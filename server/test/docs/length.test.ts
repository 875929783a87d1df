// How long the documents are: in total, the first page, and each page's prose. Who needs one more sentence takes
// another one out.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));

const TOTAL_MAX = 65_000;
const README_MAX = 900;
/** Two screens. Code and tables are looked up, not read. */
const PROSE_MAX = 600;

/** Pages with more prose, and why they are one page. */
const LONG: Readonly<Record<string, string>> = {
  'docs/README.md': 'the list of all pages',
  'docs/operating/monitoring.md': 'one section for each alert, which its alert opens',
  'docs/reference/server-commands.md': 'the generated list of all commands',
  'server/src/connectors/airtel-money/README.md': 'facts about one operator, each with its source',
  'server/src/connectors/mpesa-daraja/README.md': 'facts about one operator, each with its source',
};

const pages = execFileSync('git', ['ls-files', '*.md'], { cwd: ROOT, encoding: 'utf8' })
  .trim()
  .split('\n')
  .map((path) => ({ path, text: readFileSync(join(ROOT, path), 'utf8') }));

const countWords = (text: string) => text.split(/\s+/).filter((word) => word !== '').length;

function proseOf(text: string): string {
  const withoutCode = text.replaceAll(/^ *```[\s\S]*?^ *```$/gm, '').replaceAll(/<[^>]*>/g, '');
  return withoutCode
    .split('\n')
    .filter((line) => !line.startsWith('|'))
    .join('\n');
}

test('words are counted as wc does, and prose is without code, tables and pictures', () => {
  expect(countWords('a  b\n\nc ')).toBe(3);
  expect(countWords(proseOf('a\n\n```sh\nb c\n```\n\n| d | e |\n<img alt="f g">\nh'))).toBe(2);
});

test(`all documents together have at most ${TOTAL_MAX} words`, () => {
  expect(pages.length).toBeGreaterThan(200);
  expect(countWords(pages.map(({ text }) => text).join('\n'))).toBeLessThanOrEqual(TOTAL_MAX);
});

test(`the README has fewer than ${README_MAX} words`, () => {
  expect(countWords(pages.find(({ path }) => path === 'README.md')!.text)).toBeLessThan(README_MAX);
});

test(`a page has at most ${PROSE_MAX} words of prose, or a reason`, () => {
  const long = pages.filter(({ text }) => countWords(proseOf(text)) > PROSE_MAX);
  expect(long.map(({ path }) => path).toSorted()).toEqual(Object.keys(LONG).toSorted());
});
