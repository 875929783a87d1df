// The site: the pages of docs/ and a few that stand beside the code, for the gateway to serve at /docs. Nothing in it
// comes from elsewhere.
import { fileURLToPath } from 'node:url';
import { defineConfig, type DefaultTheme } from 'vitepress';
import { anchorFailureCodes } from './code-anchors.ts';
import { pagesOf, readContents, type Section } from './contents.ts';
import { finish } from './finish.ts';
import { followLinks } from './links.ts';
import { addressOf, pageOf, requirePage, SOURCES } from './pages.ts';
import { switchPictures } from './pictures.ts';
import { searchInOurWords } from './search/plugin.ts';
import { nameTabs } from './tab-names.ts';

const contents = readContents();

/** Our own components in place of the theme's. */
const OWN_COMPONENTS = [
  { find: /^.*\/VPHome\.vue$/, replacement: themeFile('home.vue') },
  { find: /^.*\/NotFound\.vue$/, replacement: themeFile('not-found.vue') },
];

export default defineConfig({
  lang: 'en-GB',
  title: 'Malipo',
  description: 'An open mobile-money payments gateway that you host yourself.',
  base: '/docs/',
  srcDir: '..',
  srcExclude: SOURCES.exclude,
  rewrites: requirePage,
  cleanUrls: true,
  // Otherwise a style is written into the page while the theme changes, which the policy forbids.
  appearance: { disableTransition: false },
  head: [
    ['link', { rel: 'icon', href: '/docs/mark.svg', type: 'image/svg+xml' }],
    ['meta', { name: 'theme-color', content: '#00594f' }],
  ],
  markdown: {
    config: (markdown) => {
      anchorFailureCodes(markdown);
      followLinks(markdown);
      nameTabs(markdown);
      switchPictures(markdown);
    },
    theme: { light: 'github-light-high-contrast', dark: 'github-dark-high-contrast' },
    // Otherwise a line that takes half a second on a busy machine loses its colours, and two builds differ.
    codeTransformers: [{ preprocess: (_, options) => void (options.tokenizeTimeLimit = 0) }],
  },
  // Vite looks for a folder `public` at the root of the repository otherwise.
  vite: {
    publicDir: false,
    build: { chunkSizeWarningLimit: 1_500 },
    resolve: { alias: OWN_COMPONENTS },
    plugins: [searchInOurWords()],
  },
  themeConfig: {
    logo: { light: '/mark.svg', dark: '/mark-dark.svg', alt: '' },
    search: { provider: 'local', options: { detailedView: true } },
    outline: [2, 3],
    nav: navigation(),
    sidebar: contents.map(toSidebar),
    footer: { message: 'Malipo is free software under the Apache License 2.0.' },
    externalLinkIcon: true,
  },
  buildEnd: ({ outDir, pages }) => finish({ outDir, pages, contents }),
});

function themeFile(name: string): string {
  return fileURLToPath(new URL(`./theme/${name}`, import.meta.url));
}

/** Pages about the project itself are in the sidebar only. */
function navigation(): DefaultTheme.NavItem[] {
  const sections = contents.filter(({ title }) => title !== 'The project');
  return [
    ...sections.map((section) => {
      const addresses = pagesOf(section).map(({ path }) => addressOf(pageOf(path) ?? ''));
      return { text: section.title, link: addresses[0] ?? '', activeMatch: matchAny(addresses) };
    }),
    { text: 'API', link: '/api/v2.html', target: '_self' },
  ];
}

/** Matches these pages, and every page below an address that ends with a slash. */
function matchAny(addresses: readonly string[]): string {
  return `^(${addresses.map((address) => (address.endsWith('/') ? `${address}.*` : address)).join('|')})$`;
}

/** Sections cannot be closed: VitePress puts a button into a button for that, which not everybody can press. */
function toSidebar(section: Section): DefaultTheme.SidebarItem {
  const items = pagesOf(section).map(({ title, path }) => ({
    text: title,
    link: addressOf(pageOf(path) ?? ''),
  }));
  const viewer = { text: 'API, interactive', link: '/api/v2.html', target: '_self' };
  return {
    text: section.title,
    items: section.title === 'Reference' ? [viewer, ...items] : items,
  };
}
