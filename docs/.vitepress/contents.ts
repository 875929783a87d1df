// The list of pages: docs/README.md, read by people as it is, and here by the site's navigation and llms.txt.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pageOf, ROOT } from './pages.ts';

export type Entry = {
  readonly title: string;
  /** Where it is in the repository. */
  readonly path: string;
  /** What it is about, in one line of Markdown. */
  readonly about: string;
};

export type Section = { readonly title: string; readonly entries: readonly Entry[] };

const LIST = 'docs/README.md';
const ITEM = /^- \[([^\]]+)\]\(([^)\s]+)\):?\s*([^]*)$/;

/** The sections of the list, in its order. */
export function readContents(): readonly Section[] {
  const [, ...sections] = readFileSync(join(ROOT, LIST), 'utf8').split(/^## /m);
  return sections.map((text) => {
    const [title = '', ...lines] = text.split('\n');
    return { title, entries: itemsOf(lines.join('\n')).map(readItem) };
  });
}

/** Those of its entries that are pages of the site; others are files. */
export function pagesOf({ entries }: Section): readonly Entry[] {
  return entries.filter(({ path }) => pageOf(path) !== null);
}

/** Items begin with a dash; what is indented below belongs to them. */
function itemsOf(text: string): readonly string[] {
  return text
    .split(/^(?=- )/m)
    .filter((item) => item.startsWith('- '))
    .map((item) => (item.split(/\n\s*\n/)[0] ?? '').replaceAll(/\s+/g, ' ').trim());
}

function readItem(item: string): Entry {
  const [, title = '', link, about = ''] = ITEM.exec(item) ?? [];
  if (link === undefined) throw new Error(`${LIST}: not an entry: ${item}`);
  return { title, path: join('docs', link.split('#')[0] ?? ''), about };
}
