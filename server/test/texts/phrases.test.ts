// Texts that were hard to understand do not come back, and what replaced them is still there: phrases.txt.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const ROOT = new URL('../../../', import.meta.url).pathname;

type Phrase = {
  readonly number: string;
  readonly was: readonly string[];
  readonly now: readonly string[];
  readonly files: readonly string[];
};

function readPhrases(): readonly Phrase[] {
  const table = readFileSync(new URL('phrases.txt', import.meta.url), 'utf8');
  return table
    .split('\n')
    .filter((line) => /^\| F?\d/.test(line))
    .map((line) => {
      const [, number = '', was = '', now = '', files = ''] = line.split('|').map((cell) => cell.trim());
      return { number, was: textsIn(was), now: textsIn(now), files: textsIn(files).map(pathOf) };
    });
}

const textsIn = (cell: string) => cell.split('<br>').filter((text) => text !== '–');

const pathOf = (file: string) => file.replaceAll('`', '').replace(/^D /, 'dashboard/src/');

/** Texts as people see them: without comments, in one piece and on one line. */
function textOf(path: string): string {
  const text = readFileSync(join(ROOT, path), 'utf8');
  return (path.endsWith('.md') ? text : text.replaceAll(/^\s*(\/\/|\/?\*).*$/gm, ''))
    .replaceAll(/(['"`])\s*\+\s*['"`]/g, '')
    .replaceAll("\\'", "'")
    .replaceAll(/\s+/g, ' ');
}

/** The types that are generated say what the sources say. */
const SOURCES = ['dashboard/src', 'server/src', 'cli/src', 'sdk/src'].flatMap((folder) =>
  readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.tsx?$/.test(name) && !name.endsWith('schema.ts'))
    .map((name) => join(folder, name))
    .map((path) => ({ path, text: textOf(path) })),
);

/** One or two words are a text of their own; what is longer can be part of one. */
function says(text: string, phrase: string): boolean {
  if (phrase.split(' ').length > 2) return text.includes(phrase);
  return [`'${phrase}'`, `"${phrase}"`, `\`${phrase}\``, `>${phrase}<`].some((whole) => text.includes(whole));
}

function findMissing({ now, files }: Phrase): readonly string[] {
  const isSaid = (piece: string) =>
    files.some((path) =>
      path.endsWith('.md') ? textOf(path).includes(piece) : hasText(textOf(path), piece),
    );
  const pieces = now.flatMap((text) => text.split('…')).map((piece) => piece.trim());
  return pieces.filter((piece) => !isSaid(piece));
}

/** One or two words may be part of anything: they must begin or end a text, or stand beside a value in it. */
function hasText(text: string, piece: string): boolean {
  if (piece.split(' ').length > 2) return text.includes(piece);
  const words = piece.replaceAll(/[^\w\s]/g, '\\$&');
  return new RegExp(`['"\`>}] ?${words}|${words} ?['"\`<$]`).test(text);
}

const PHRASES = readPhrases();

test('the table has all phrases, in English and in French', () => {
  const numbers = [
    ...Array.from({ length: 125 }, (_, index) => String(index + 1)),
    ...Array.from({ length: 14 }, (_, index) => `F${index + 1}`),
  ];
  expect(PHRASES.map(({ number }) => number)).toEqual(numbers);
});

test('each new text stands in its file', () => {
  const missing = PHRASES.flatMap((phrase) => findMissing(phrase).map((text) => `${phrase.number}: ${text}`));
  expect(missing).toEqual([]);
  const sample = { number: '0', was: [], now: ['No such … phrase in it'], files: ['server/src/main.ts'] };
  expect(findMissing(sample)).toEqual(['No such', 'phrase in it']);
  // A word of another text, or of the program, is not the phrase.
  const word = { ...sample, now: ['import'] };
  expect(findMissing(word)).toEqual(['import']);
});

test('no source says an old text', () => {
  expect(says(`label: 'Half within',`, 'Half within')).toBe(true);
  expect(says('<Text>Your server was told: yes</Text>', 'Your server was told')).toBe(true);
  expect(says('// Counted half within a day', 'half within')).toBe(false);
  const found = PHRASES.flatMap(({ number, was }) =>
    was.flatMap((old) =>
      SOURCES.filter(({ text }) => says(text, old)).map(({ path }) => `${number}: ${old} (${path})`),
    ),
  );
  expect(found).toEqual([]);
});
