// The pages of a release: they name the repository's address and the tag to install, and none says that nothing is
// released. READMEs that registries show lead to the repository.
import { readFileSync, writeFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import type { Clone } from './clone.ts';

const PLACEHOLDER = '<address of the repository>';

/** What a page says until the first release. Somebody has to write another sentence. */
const UNTRUE =
  /nothing\s+is\s+(?:published|released)|not\s+published\s+yet|until\s+(?:the\s+first\s+release|0\.1\.0)/gi;

/** Hosts install a release; contributors and readers of tutorials take the newest sources. */
const FOR_HOSTS = 'docs/operating/';
const CLONE = /(?<=git clone )(?:--branch \S+ )?(?=\S+ \S)/g;

/** npm, PyPI and Packagist show these, without the files beside them. */
const IN_REGISTRIES = ['sdk', 'cli', 'server', 'sdk/php', 'sdk/python'].map(
  (folder) => `${folder}/README.md`,
);
const RELATIVE_LINK = /(?<=\]\()(?!\w+:|#)[^)\s]+/g;

export type Release = { readonly tag: string; readonly repository: string };

export function listUntrue(clone: Clone): readonly string[] {
  return listPages(clone).flatMap((page) => {
    const found = readFileSync(join(clone.folder, page), 'utf8').match(UNTRUE) ?? [];
    return found.map((text) => `${page}: "${text.replaceAll('\n', ' ')}"`);
  });
}

export function completePages(clone: Clone, release: Release): void {
  for (const page of listPages(clone)) {
    const path = join(clone.folder, page);
    const text = readFileSync(path, 'utf8');
    const complete = completePage(page, text, release);
    if (complete !== text) writeFileSync(path, complete);
  }
}

export function completePage(page: string, text: string, { tag, repository }: Release): string {
  const addressed = text.replaceAll(PLACEHOLDER, repository);
  if (page.startsWith(FOR_HOSTS)) return addressed.replaceAll(CLONE, `--branch ${tag} `);
  if (!IN_REGISTRIES.includes(page)) return addressed;
  const files = `${repository}/blob/`;
  const [before = '', ...links] = addressed.split(files);
  // Those of the release before.
  const renewed = [before, ...links.map((link) => link.replace(/^[^/]+/, tag))].join(files);
  return renewed.replaceAll(
    RELATIVE_LINK,
    (link) => `${files}${tag}/${posix.join(posix.dirname(page), link)}`,
  );
}

function listPages({ git }: Clone): readonly string[] {
  return git('ls-files', '*.md').split('\n');
}
