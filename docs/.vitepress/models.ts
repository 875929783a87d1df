// llms.txt and llms-full.txt: the documentation for language models, made from the same list as the navigation.
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Section } from './contents.ts';
import type { Built } from './finish.ts';
import { copyOf, translate } from './links.ts';
import { addressOf, pageOf, ROOT } from './pages.ts';

const HEAD = `# Malipo

> An open mobile-money payments gateway that you host yourself: one HTTP API for deposits, payouts, refunds, remittances
> and split payments, with signed callbacks, a double-entry ledger and a sandbox.

FOUND is not paid: a lookup answers FOUND when a payment exists, and the status inside \`data\` is its outcome. A
payment without an answer may have been made: ask for its status under the same identifier, and never send it again
under another one.
`;

export async function writeForModels({ outDir, pages, contents }: Built): Promise<void> {
  await writeFile(join(outDir, 'llms.txt'), `${HEAD}\n${contents.map(renderSection).join('\n')}`);
  const texts = await Promise.all(pages.toSorted().map(renderPage));
  await writeFile(join(outDir, 'llms-full.txt'), `${HEAD}\n${texts.join('\n\n')}`);
}

/** Links inside what is said about an entry are those of its list. */
function renderSection({ title, entries }: Section): string {
  const lines = entries.map(({ title: name, path, about }) => {
    const page = pageOf(path);
    const said = about.replaceAll(
      /\]\(([^)]+)\)/g,
      (_, href: string) => `](${translate('docs/README.md', href)})`,
    );
    return `- [${name}](/docs${page === null ? `/${copyOf(path)}` : addressOf(page)})${said === '' ? '' : `: ${said}`}`;
  });
  return [`## ${title}`, '', ...lines, ''].join('\n');
}

async function renderPage(path: string): Promise<string> {
  const text = await readFile(join(ROOT, path), 'utf8');
  return `<!-- /docs${addressOf(pageOf(path) ?? path)} -->\n\n${text.trim()}`;
}
