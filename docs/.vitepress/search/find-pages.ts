// The search of the site, in the reader's browser: in place of VitePress' call of MiniSearch. It cannot be set in
// VitePress' options: functions in them would need `eval`, which the policy of the site forbids.
import MiniSearch from 'minisearch';
import { SMALL_WORDS, SYNONYMS, WEIGHTS } from './words.ts';

/** A section of a page, as the list of results shows it. */
export type Section = { readonly title: string; readonly titles: readonly string[] };

export type Found = Section & { readonly id: string };

/** What is stored of a section; `words` has the synonyms of its page. */
export const FIELDS = { fields: ['title', 'titles', 'words', 'text'], storeFields: ['title', 'titles'] };

const BOOST = { title: 4, words: 4, titles: 1, text: 1 };

/** A word counts nearly as much among many of its page as among few. */
const EVEN = { k: 1.2, b: 0.3, d: 0.5 };

/** The part of MiniSearch that the search box of VitePress calls. */
export const siteSearch = {
  loadJSON: (json: string) => {
    const index = MiniSearch.loadJSON<Section>(json, FIELDS);
    return { search: (text: string) => findPages(index, text) };
  },
};

/** Sections with all words of the text, or of one that says the same in our words; else with any of them. */
export function findPages(index: MiniSearch<Section>, text: string): readonly Found[] {
  const meanings = sayOtherwise(text.toLowerCase().replaceAll(/\s+/g, ' ').trim());
  const options = {
    boost: BOOST,
    bm25: EVEN,
    prefix: (term: string) => term.length > 2,
    fuzzy: (term: string) => (term.length > 4 ? 0.2 : false),
    processTerm: toStem,
    boostDocument: (id: string, _term: string, section?: Record<string, unknown>) =>
      weigh(text, { id, ...(section as Section) }),
  };
  const search = (combineWith: 'AND' | 'OR') => {
    const queries = meanings.map((meaning) => ({ combineWith, queries: [meaning] }));
    return index.search({ combineWith: 'OR', queries }, options) as unknown as readonly Found[];
  };
  const found = search('AND');
  return found.length > 0 ? found : search('OR');
}

/** The text, and the text with our words in place of the reader's. */
function sayOtherwise(text: string): readonly string[] {
  const others = SYNONYMS.flatMap(([ours = '', ...theirs]) =>
    theirs
      .map((word) => new RegExp(`(?<![\\w-])${word.replaceAll('.', '\\.')}s?(?![\\w-])`))
      .filter((word) => word.test(text))
      .map((word) => text.replace(word, ours)),
  );
  return [...new Set([text, ...others])];
}

/** A plural finds its singular, and the other way. */
export function toStem(term: string): string | null {
  const word = term.toLowerCase();
  if (SMALL_WORDS.has(word)) return null;
  return word.length > 3 ? word.replace(/ies$|(?<!s)s$/, '') : word;
}

/** A code is first only for who types it; otherwise the opening of a page answers more often than its sections. */
function weigh(text: string, { id, title, titles }: Found): number {
  if (title.includes('_')) return title === text.trim().toUpperCase() ? 10 : 0.5;
  const [, weight = 1] = WEIGHTS.find(([address]) => address.test(id.split('#')[0] ?? '')) ?? [];
  return titles.length === 0 ? weight * 2 : weight;
}
