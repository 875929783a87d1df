// The index of the search: every section of every page, with the words of docs/README.md and words.ts about the page.
// It takes the place of VitePress' index, which has the code of all tabs and no synonyms.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import MiniSearch from 'minisearch';
import { createMarkdownRenderer, resolveConfig, type MarkdownRenderer, type SiteConfig } from 'vitepress';
import { readContents } from '../contents.ts';
import { addressOf, pageOf, ROOT } from '../pages.ts';
import { FIELDS, toStem } from './find-pages.ts';
import { PAGE_WORDS } from './words.ts';

type Token = ReturnType<MarkdownRenderer['parse']>[number];
type Section = { readonly titles: readonly string[]; readonly anchor: string; readonly texts: string[] };

/** Programs are not searched: their words are those of a language, in every tab again. */
const PROGRAMS = /^(js|ts|php|python)\b/;

const CODE = /^[A-Z_]+$/;

/** The index without the rest of the site. */
export async function indexAlone(): Promise<string> {
  return indexPages(await resolveConfig(join(ROOT, 'docs'), 'build'));
}

export async function indexPages(site: SiteConfig): Promise<string> {
  // Only headings and texts are read: nothing has to be coloured.
  const options = { ...site.markdown, highlight: (code: string) => code };
  const markdown = await createMarkdownRenderer(site.srcDir, options, site.site.base);
  const abouts = new Map(
    readContents().flatMap(({ entries }) =>
      entries.map(({ path, title, about }) => [path, `${title} ${about}`]),
    ),
  );
  const index = new MiniSearch({ ...FIELDS, processTerm: toStem });
  for (const path of site.pages) {
    const page = pageOf(path) ?? path;
    const address = addressOf(page);
    const text = await readFile(join(site.srcDir, path), 'utf8');
    const words = `${abouts.get(path) ?? ''} ${PAGE_WORDS[page.replace(/\.md$/, '')] ?? ''}`;
    for (const { titles, anchor, texts } of splitSections(markdown.parse(text, { relativePath: page }))) {
      index.add({
        id: `${site.site.base.slice(0, -1)}${address}#${anchor}`,
        title: titles.at(-1),
        titles: titles.slice(0, -1),
        words: titles.length === 1 ? words : '',
        text: texts.join(' '),
      });
    }
  }
  return JSON.stringify(index);
}

/** A section goes from one heading to the next. A row with an address of its own is one too. */
function splitSections(tokens: readonly Token[]): readonly Section[] {
  const sections: Section[] = [];
  for (const [at, token] of tokens.entries()) {
    if (token.type === 'heading_open') {
      const level = Number(token.tag.slice(1));
      const parents = (sections.at(-1)?.titles ?? []).slice(0, level - 1);
      const title = textOf(tokens[at + 1]);
      sections.push({ titles: [...parents, title], anchor: token.attrGet('id') ?? '', texts: [] });
    } else if (token.type === 'tr_open' && token.attrGet('id') !== null) {
      const code = token.attrGet('id') ?? '';
      const parents = (sections.at(-1)?.titles ?? []).filter((title) => !CODE.test(title));
      sections.push({ titles: [...parents, code], anchor: code, texts: [] });
    } else if (tokens[at - 1]?.type !== 'heading_open') {
      sections.at(-1)?.texts.push(textOf(token));
    }
  }
  return sections;
}

function textOf(token: Token | undefined): string {
  if (token?.type === 'fence') return PROGRAMS.test(token.info) ? '' : token.content;
  const parts = (token?.children ?? []).filter(({ type }) =>
    ['text', 'code_inline', 'softbreak'].includes(type),
  );
  return parts.map(({ type, content }) => (type === 'softbreak' ? ' ' : content)).join('');
}
