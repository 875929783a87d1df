// READMEs that registries show: after a release their links lead into the repository, and on the site to its pages.
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { translate } from '../../../docs/.vitepress/links.ts';
import { completePage } from '../../../tools/release/pages.ts';
import { readProject } from '../../../tools/release/project.ts';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
const { repository } = readProject(ROOT);
const FILES = `${repository}/blob/v1.2.3/`;

const linksOf = (text: string) => Array.from(text.matchAll(/\]\(([^)\s]+)\)/g), ([, href = '']) => href);

test.each(['sdk/README.md', 'sdk/php/README.md', 'sdk/python/README.md'])(
  'the links of %s lead to files of the release, and on the site to the same pages',
  (page) => {
    const text = readFileSync(join(ROOT, page), 'utf8');
    const released = completePage(page, text, { tag: 'v1.2.3', repository });
    const [before, after] = [linksOf(text), linksOf(released)];
    expect(before.length).toBeGreaterThan(2);
    for (const [index, href] of before.entries()) {
      const whole = after[index]!;
      expect(whole.startsWith(FILES)).toBe(true);
      expect(existsSync(join(ROOT, whole.slice(FILES.length).replace(/#.*/, '')))).toBe(true);
      expect(existsSync(join(ROOT, dirname(page), href.replace(/#.*/, '')))).toBe(true);
      expect(translate('docs/x.md', whole)).toBe(translate(page, href));
    }
  },
);

test('the next release leads to its own files, and pages inside the repository keep their links', () => {
  const page = 'sdk/python/README.md';
  const first = completePage(page, '[a](../../docs/README.md#start) [b](https://pypi.org)', {
    tag: 'v1.2.2',
    repository,
  });
  expect(completePage(page, first, { tag: 'v1.2.3', repository })).toBe(
    `[a](${FILES}docs/README.md#start) [b](https://pypi.org)`,
  );
  const inside = '[a](../README.md)';
  expect(completePage('docs/tutorial.md', inside, { tag: 'v1.2.3', repository })).toBe(inside);
});
