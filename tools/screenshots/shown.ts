// Which pictures the documents show. docs/images holds these and no others: the rest would grow old unnoticed.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));

/** Paths below docs/images. */
export function readShownPictures(): ReadonlySet<string> {
  const pages = readdirSync(join(ROOT, 'docs'), { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.md') && !path.startsWith('.vitepress'))
    .map((path) => join(ROOT, 'docs', path));
  const shown = [join(ROOT, 'README.md'), ...pages].flatMap((path) =>
    Array.from(readFileSync(path, 'utf8').matchAll(/images\/([\w/-]+\.\w+)/g), ([, name]) => name ?? ''),
  );
  return new Set(shown);
}
