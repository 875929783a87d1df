// Puts our index and our search in place of VitePress' own; its search box stays.
import { fileURLToPath } from 'node:url';
import type { Plugin, SiteConfig } from 'vitepress';
import { indexPages } from './index-pages.ts';

const SEARCH = fileURLToPath(new URL('./find-pages.ts', import.meta.url));

/** What the search box takes for MiniSearch. */
const IN_ITS_PLACE = '\0malipo-search';

export function searchInOurWords(): Plugin {
  let site: SiteConfig;
  let index: Promise<string> | undefined;
  return {
    name: 'malipo:search',
    enforce: 'pre',
    configResolved: (config) => {
      site = (config as unknown as { readonly vitepress: SiteConfig }).vitepress;
    },
    resolveId: (id, importer) =>
      id === 'minisearch' && importer?.includes('VPLocalSearchBox') ? IN_ITS_PLACE : undefined,
    load: async (id) => {
      if (id === IN_ITS_PLACE) return `export { siteSearch as default } from ${JSON.stringify(SEARCH)}`;
      if (id === '/@localSearchIndex')
        return `export default { root: () => import('@localSearchIndexroot') }`;
      if (id !== '/@localSearchIndexroot') return undefined;
      index ??= indexPages(site);
      return `export default ${JSON.stringify(await index)}`;
    },
  };
}
