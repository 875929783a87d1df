// The dashboard's screens, found in its sources, so that a new one is among them. Node cannot load the screens
// themselves: their routes and tabs are read as text.
import { globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const SCREENS = fileURLToPath(new URL('../../../dashboard/src/screens/', import.meta.url));

/** Where routes hang in the dashboard's sources, as addresses. */
const BASES: Readonly<Record<string, string>> = {
  rootRoute: '/',
  signedInRoute: '/',
  merchantRoute: '/m/$merchantId/',
  hostRoute: '/host/',
};

export type Route = {
  readonly parent: string;
  readonly path: string;
  /** "?tab=events"; empty for the tab that the screen opens with. */
  readonly tab: string;
  /** The whole address. */
  readonly pattern: string;
};

/** One for each screen, and one for each further tab of it. */
export function listRoutes(): readonly Route[] {
  return globSync('*/area.ts', { cwd: SCREENS }).flatMap(routesOf);
}

const readSource = (name: string) => readFileSync(join(SCREENS, name), 'utf8');

const ROUTE = /^\s*getParentRoute(?:: \(\) => (\w+))?,\s*path: '([^']+)'/;
const FILE = /import\('\.\/([^']+)'\)/;

function routesOf(area: string): readonly Route[] {
  const [before = '', ...texts] = readSource(area).split('createRoute({');
  return texts.flatMap((text) => {
    const [, parent = 'rootRoute', path] = ROUTE.exec(text) ?? [];
    // Several routes may have one component.
    const [, file] = FILE.exec(text) ?? FILE.exec(before) ?? [];
    if (path === undefined || file === undefined) throw new Error(`a route of ${area} cannot be read`);
    return tabsOf(join(dirname(area), file)).map((tab) => {
      return { parent, path, tab, pattern: `${BASES[parent]}${path}${tab}` };
    });
  });
}

function tabsOf(file: string): readonly string[] {
  const [, tabs = ''] = /useTab\(\[([^\]]+)\]\)/.exec(readSource(file)) ?? [];
  const names = [...tabs.matchAll(/'(\w+)'/g)].map(([, name]) => `?tab=${name}`);
  return ['', ...names.slice(1)];
}
