// The languages of hosted pages: whole, in their own typography, and each a file of its own.
import { readdirSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { listProviders } from '../../src/domain/operators/catalogue.ts';
import { findCountry } from '../../src/domain/operators/catalogue.ts';
import { findInstructions } from '../../src/domain/checkouts/instructions.ts';
import { LANGUAGES } from '../../src/edge/pages/hosted/language.ts';
import { renderCountry, renderMoney, renderSteps, type Words } from '../../src/edge/pages/hosted/words.ts';

const FOLDER = new URL('../../src/edge/pages/hosted/languages/', import.meta.url);

/** Every text of a language by its name; those that are made of parts, with parts. */
function textsOf(words: Words): ReadonlyMap<string, string> {
  const texts = new Map<string, string>();
  const collect = (value: unknown, name: string): void => {
    if (typeof value === 'string') texts.set(name, value);
    else if (typeof value === 'function') collect(value('Aa', 'Bb', 'Cc'), name);
    else for (const [key, part] of Object.entries(value ?? {})) collect(part, `${name}.${key}`);
  };
  collect(words, '');
  return texts;
}

const languages = [...LANGUAGES].map(([code, words]) => ({ code, words }));
const wordsOf = (code: string) => LANGUAGES.get(code)!;

test('every file in the folder is a language, and no other place names them', () => {
  const files = readdirSync(FOLDER).map((file) => file.replace('.ts', ''));
  expect([...LANGUAGES.keys()].toSorted()).toEqual(files.toSorted());
  expect(files).toEqual(expect.arrayContaining(['en', 'fr', 'pt', 'sw']));
});

describe.each(languages)('in $code', ({ code, words }) => {
  test('every text has words, and none is left in English', () => {
    const english = textsOf(wordsOf('en'));
    const same = new Set(['.locale', '.colon', '.separators.0', '.separators.1']);
    for (const [name, text] of textsOf(words)) {
      expect(text.trim() === '' && !name.startsWith('.separators'), name).toBe(false);
      if (code !== 'en' && !same.has(name)) expect(text, name).not.toBe(english.get(name));
    }
    const needed = [...english.keys()].filter((name) => !textsOf(words).has(name));
    expect(needed).toEqual([]);
  });

  test('every country has a name, and every step of an operator’s menu a text', () => {
    for (const provider of listProviders()) {
      expect(renderCountry(findCountry(provider.country)!, words)).toMatch(/^\p{L}/u);
      for (const { currency } of provider.currencies) {
        const channel = findInstructions(provider.code, currency)?.channels[0];
        const steps = channel === undefined ? [] : renderSteps(channel, words);
        expect(steps).toHaveLength(channel?.instructions.en.length ?? 0);
        for (const step of steps) expect(step).not.toMatch(/[{}]/);
      }
    }
  });
});

test('F13: French has a narrow no-break space before signs of two parts', () => {
  for (const [name, text] of textsOf(wordsOf('fr'))) {
    expect(text, name).not.toMatch(/[^\u202F][:;?!]/);
  }
});

test.each([
  ['en', '2,000.50\u00A0KES'],
  ['fr', '2\u202F000,50\u00A0KES'],
  ['pt', '2\u00A0000,50\u00A0KES'],
  ['sw', '2,000.50\u00A0KES'],
])('in %s an amount is %s', (code, shown) => {
  expect(renderMoney('2000.50', 'KES', wordsOf(code))).toBe(shown);
});

test('countries are named as people there write them', () => {
  const mozambique = findCountry('MOZ')!;
  expect(['en', 'fr', 'pt', 'sw'].map((code) => renderCountry(mozambique, wordsOf(code)))).toEqual([
    'Mozambique',
    'Mozambique',
    'Moçambique',
    'Msumbiji',
  ]);
});
