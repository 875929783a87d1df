// Which file of the repository is which page of the site. Pages keep the places they have in docs/; some of elsewhere
// are pages too.
import { resolve } from 'node:path';

export const ROOT = resolve(import.meta.dirname, '../..');

/** Documents that stand beside the code, and where they are on the site. */
const ELSEWHERE: readonly (readonly [RegExp, string])[] = [
  [/^(ARCHITECTURE|CONTRIBUTING|SECURITY|CHANGELOG)\.md$/, 'project/$1.md'],
  [/^server\/src\/connectors\/([\w-]+)\/README\.md$/, 'connectors/$1.md'],
  [/^sdk\/php\/README\.md$/, 'guides/php.md'],
  [/^sdk\/python\/README\.md$/, 'guides/python.md'],
  [/^server\/src\/sandbox\/simulator\/README\.md$/, 'connectors/simulator.md'],
  [/^docs\/README\.md$/, 'contents.md'],
  [/^docs\/(.+)\/README\.md$/, '$1/index.md'],
  [/^docs\/(.+\.md)$/, '$1'],
];

/** Globs of everything that is a page; `pageOf` says which. */
export const SOURCES = {
  exclude: [
    'README.md',
    'CODE_OF_CONDUCT.md',
    'dashboard/**',
    'examples/**',
    'drills/**',
    'benchmarks/**',
    'tools/**',
    'sdk/!(php|python)/**',
    'sdk/README.md',
    'sdk/{php,python}/!(README.md)/**',
    'cli/**',
    'deploy/**',
    // Of the pages beside the code only those about operators and the simulator.
    'server/test/**',
    'server/README.md',
    'server/src/README.md',
    'server/src/!(connectors|sandbox)/**',
    'server/src/connectors/README.md',
    'server/src/sandbox/README.md',
    'server/src/sandbox/!(simulator)/**',
  ],
};

/** The page a file of the repository becomes; null for one that is none. */
export function pageOf(path: string): string | null {
  for (const [shape, page] of ELSEWHERE) {
    if (shape.test(path))
      return path.replace(shape, page).replace(/^project\/.*/, (name) => name.toLowerCase());
  }
  return null;
}

/** The page of a file that is not left out. */
export function requirePage(path: string): string {
  const page = pageOf(path);
  if (page === null) throw new Error(`${path} is neither a page nor in SOURCES.exclude`);
  return page;
}

/** The address of a page on the site, without its base. */
export function addressOf(page: string): string {
  return `/${page.replace(/(^|\/)index\.md$/, '$1').replace(/\.md$/, '')}`;
}
