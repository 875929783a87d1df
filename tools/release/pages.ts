// The pages of a release: they name the repository's address and the tag to install, and none says that nothing is
// released.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Clone } from './clone.ts';

const PLACEHOLDER = '<address of the repository>';

/** What a page says until the first release. Somebody has to write another sentence. */
const UNTRUE =
  /nothing\s+is\s+(?:published|released)|not\s+published\s+yet|until\s+(?:the\s+first\s+release|0\.1\.0)/gi;

/** Hosts install a release; contributors and readers of tutorials take the newest sources. */
const FOR_HOSTS = 'docs/operating/';
const CLONE = /(?<=git clone )(?:--branch \S+ )?(?=\S+ \S)/g;

export function listUntrue(clone: Clone): readonly string[] {
  return listPages(clone).flatMap((page) => {
    const found = readFileSync(join(clone.folder, page), 'utf8').match(UNTRUE) ?? [];
    return found.map((text) => `${page}: "${text.replaceAll('\n', ' ')}"`);
  });
}

export function completePages(
  clone: Clone,
  { tag, repository }: { readonly tag: string; readonly repository: string },
): void {
  for (const page of listPages(clone)) {
    const path = join(clone.folder, page);
    const text = readFileSync(path, 'utf8');
    const addressed = text.replaceAll(PLACEHOLDER, repository);
    const complete = page.startsWith(FOR_HOSTS) ? addressed.replaceAll(CLONE, `--branch ${tag} `) : addressed;
    if (complete !== text) writeFileSync(path, complete);
  }
}

function listPages({ git }: Clone): readonly string[] {
  return git('ls-files', '*.md').split('\n');
}
