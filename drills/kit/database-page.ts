// What a host reads in docs/operating/database.md, which drills run.
import { readFileSync } from 'node:fs';

const PAGE = new URL('../../docs/operating/database.md', import.meta.url);

/** The block in this language that begins so. */
export function readDatabasePage(language: string, beginning: string): string {
  const blocks = readFileSync(PAGE, 'utf8')
    .split('```')
    .filter((_, index) => index % 2 === 1);
  const found = blocks.find((block) => block.startsWith(`${language}\n${beginning}`));
  if (found === undefined) throw new Error(`the page has no block of ${language} that begins ${beginning}`);
  return found.slice(language.length).trim();
}
