// Links are written for people who read the files in the repository. On the site a link to another page leads to that
// page, a link to a file of the repository to a copy of it, and a link to nothing fails the build.
import { existsSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import type { MarkdownOptions } from 'vitepress';
import { pageOf, ROOT } from './pages.ts';

type Markdown = Parameters<NonNullable<MarkdownOptions['config']>>[0];

/** Files of the repository that pages link to, as they were found. */
export const linkedFiles = new Set<string>();

export function followLinks(markdown: Markdown): void {
  markdown.core.ruler.push('links-of-the-repository', ({ tokens, env }) => {
    // Titles are rendered by themselves, for no page.
    if (env.realPath === undefined) return;
    const page = relative(ROOT, env.realPath);
    for (const token of tokens.flatMap(({ children }) => children ?? [])) {
      const href = token.attrGet('href');
      if (token.type === 'link_open' && href !== null) token.attrSet('href', translate(page, href));
    }
  });
}

/** A release writes whole addresses into the READMEs that registries show: those files are here too. */
const { repository } = JSON.parse(readFileSync(join(ROOT, 'project.json'), 'utf8')) as { repository: string };
const FILES = `${repository}/blob/`;

/** The link on the site of a link in `page`. */
export function translate(page: string, href: string): string {
  if (href.startsWith(FILES)) return translate('README.md', href.slice(FILES.length).replace(/^[^/]+\//, ''));
  if (/^([a-z]+:|#|\/)/i.test(href)) return href;
  const [path = '', hash] = href.split('#');
  const target = join(dirname(page), decodeURI(path));
  const suffix = hash === undefined ? '' : `#${hash}`;
  // The first page of the repository and of the site.
  if (target === 'README.md') return `/${suffix}`;
  if (!existsSync(join(ROOT, target))) throw new Error(`${page}: there is no ${href}`);
  const found = pageOf(target);
  if (found !== null) return `/${found}${suffix}`;
  if (statSync(join(ROOT, target)).isDirectory()) throw new Error(`${page}: ${href} is a folder`);
  linkedFiles.add(target);
  return `/${copyOf(target)}${suffix}`;
}

/** Where the copy of a file stands on the site. Sources are shown as text, whatever a browser makes of their names. */
export function copyOf(file: string): string {
  if (/^openapi\/[\w.-]+\.json$/.test(file)) return file;
  return /\.(png|svg)$/.test(file) ? `files/${file}` : `files/${file}.txt`;
}
