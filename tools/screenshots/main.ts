// `npm run generate:screenshots`: starts a sandbox, plays in Chromium every screen that a document shows, and writes
// it to docs/images.
// With names behind it (`npm run generate:screenshots -- phone-prompt`) only those; `dashboard` stands for all of the
// dashboard's. `--into FOLDER` writes every screen to another folder, the dashboard's also in French.
import { mkdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import type { Page } from 'playwright-core';
import { buildSite } from '../../server/src/commands/sandbox/build-sites.ts';
import { startSandbox, type Sandbox } from '../../server/src/commands/sandbox/sandbox.ts';
import { readSandboxSettings } from '../../server/src/config.ts';
import { openBrowser, openUser, WIDTHS } from '../../server/test/browser.ts';
import { DASHBOARD_SCREENS } from './dashboard-screens.ts';
import { SCREENS } from './screens.ts';
import { shootDashboard } from './shoot-dashboard.ts';
import type { Screen } from './screen.ts';
import { readShownPictures } from './shown.ts';
import { writePicture } from './write-picture.ts';

const { positionals: wanted, values } = parseArgs({
  allowPositionals: true,
  options: { into: { type: 'string' } },
});
const FOLDER =
  values.into === undefined
    ? fileURLToPath(new URL('../../docs/images/', import.meta.url))
    : `${values.into}/`;
const LANGUAGES = values.into === undefined ? (['en'] as const) : (['en', 'fr'] as const);

const shown = readShownPictures();
/** By the path of the picture below the folder. */
const isKept = (path: string) => values.into !== undefined || shown.has(path);

/** Lower than any page: a picture is exactly as high as its page. */
const HEIGHT_PX = 300;

const isWanted = ({ name }: { readonly name: string }) => wanted.length === 0 || wanted.includes(name);
const screens = SCREENS.filter(isWanted);
const dashboardScreens = wanted.includes('dashboard')
  ? DASHBOARD_SCREENS
  : DASHBOARD_SCREENS.filter(isWanted);
if (dashboardScreens.length > 0) await buildSite('dashboard');
mkdirSync(FOLDER, { recursive: true });
const browser = await openBrowser();
const sandbox = await startSandbox({
  ...readSandboxSettings({}),
  host: '127.0.0.1',
  port: 0,
  callbackUrl: null,
  embedded: false,
  operators: 'simulator',
  logLevel: 'error',
  onProgress: () => undefined,
});
try {
  for (const screen of screens) {
    for (const size of screen.sizes) {
      const path = `${screen.name}${size === 'desk' ? '-wide' : ''}.png`;
      if (isKept(path)) await shoot(sandbox, screen, { size, path });
    }
  }
  // Last, because it fills the sandbox.
  await shootDashboard(browser, sandbox, {
    folder: `${FOLDER}dashboard/`,
    screens: dashboardScreens,
    languages: LANGUAGES,
    isKept: (file) => isKept(`dashboard/${file}`),
  });
} finally {
  await browser.close();
  await sandbox.stop();
}

type Picture = { readonly size: keyof typeof WIDTHS; readonly path: string };

/** As wide as a phone or a desktop, and as high as the content. */
async function shoot(playground: Sandbox, screen: Screen, { size, path }: Picture): Promise<void> {
  const colours = screen.colours ?? 'light';
  const user = await openUser(browser, { widthPx: WIDTHS[size], heightPx: HEIGHT_PX, colours });
  try {
    await screen.play({ sandbox: playground, page: user.page });
    const shot = await take(user.page, screen);
    writePicture(`${FOLDER}${path}`, shot);
  } finally {
    await user.leave();
  }
}

function take(page: Page, { only }: Screen): Promise<Buffer> {
  const still = { animations: 'disabled', caret: 'hide' } as const;
  return only === undefined
    ? page.screenshot({ fullPage: true, ...still })
    : page.locator(only).screenshot({ omitBackground: true, ...still });
}
