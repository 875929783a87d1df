// `npm run generate:screenshots`: starts a sandbox, plays in Chromium every screen that a document shows, and writes
// it to docs/images.
// With names behind it (`npm run generate:screenshots -- phone-prompt`) only those; `dashboard` stands for all of the
// dashboard's. `--into FOLDER` writes every screen to another folder, as a whole, in both languages and themes.
import { mkdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import type { Page } from 'playwright-core';
import { buildSite } from '../../server/src/commands/sandbox/build-sites.ts';
import { startSandbox, type Sandbox } from '../../server/src/commands/sandbox/sandbox.ts';
import { readSandboxSettings } from '../../server/src/config.ts';
import { openBrowser, openUser, WIDTHS } from '../../server/test/browser.ts';
import { DASHBOARD_SCREENS } from './dashboard-screens.ts';
import { COLOURS, endingOf, LANGUAGES, type Look } from './looks.ts';
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
const isAll = values.into !== undefined;
const languages = isAll ? LANGUAGES : (['en'] as const);

const shown = readShownPictures();
/** By the path of the picture below the folder. */
const isKept = (path: string) => isAll || shown.has(path);

/** Lower than any page: a picture is exactly as high as its page. */
const HEIGHT_PX = 300;

const SIZES = ['phone', 'desktop'] as const;

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
    for (const look of looksOf(screen)) {
      const path = `${screen.name}${endingOf(look)}.png`;
      if (isKept(path)) await shoot(sandbox, screen, { ...look, path });
    }
  }
  // Last, because it fills the sandbox.
  await shootDashboard(browser, sandbox, {
    folder: `${FOLDER}dashboard/`,
    screens: dashboardScreens,
    languages,
    isWhole: isAll,
    isKept: (file) => isKept(`dashboard/${file}`),
  });
} finally {
  await browser.close();
  await sandbox.stop();
}

/** A screen of one language is shown in that alone. */
function looksOf({ isOneLanguage }: Screen): readonly Look[] {
  return SIZES.flatMap((size) =>
    COLOURS.flatMap((colours) =>
      (isOneLanguage === true ? (['en'] as const) : languages).map((language) => ({
        size,
        colours,
        language,
      })),
    ),
  );
}

type Picture = Look & { readonly path: string };

/** As wide as a phone or a desktop, and as high as the content. */
async function shoot(playground: Sandbox, screen: Screen, picture: Picture): Promise<void> {
  const { size, colours, language, path } = picture;
  const user = await openUser(browser, { widthPx: WIDTHS[size], heightPx: HEIGHT_PX, colours, language });
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
