// `npm run screenshots`: starts a sandbox, plays every screen of docs/images in Chromium, and writes it there. With
// names behind it (`npm run screenshots -- phone-prompt`) only those.
import { mkdirSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Page } from 'playwright-core';
import { startSandbox, type Sandbox } from '../../src/commands/sandbox/sandbox.ts';
import { readSandboxSettings } from '../../src/config.ts';
import { openBrowser, openVisitor, WIDTHS } from '../../test/browser.ts';
import { reducePng } from './reduce-png.ts';
import { SCREENS } from './screens.ts';
import type { Screen } from './stage.ts';

const FOLDER = fileURLToPath(new URL('../../../docs/images/', import.meta.url));

/** Lower than any page: a picture is as high as its page, and not higher. */
const HEIGHT_PX = 300;

const wanted = process.argv.slice(2);
const screens = SCREENS.filter(({ name }) => wanted.length === 0 || wanted.includes(name));
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
  for (const screen of screens) for (const size of screen.sizes) await shoot(sandbox, screen, size);
} finally {
  await browser.close();
  await sandbox.stop();
}

/** As wide as a phone or a desk, and as high as what there is to see. */
async function shoot(playground: Sandbox, screen: Screen, size: keyof typeof WIDTHS): Promise<void> {
  const colours = screen.colours ?? 'light';
  const visitor = await openVisitor(browser, { widthPx: WIDTHS[size], heightPx: HEIGHT_PX, colours });
  try {
    await screen.play({ sandbox: playground, page: visitor.page });
    const shot = await take(visitor.page, screen);
    const bytes = reducePng(shot);
    const file = `${screen.name}${size === 'desk' ? '-wide' : ''}.png`;
    writeFileSync(`${FOLDER}${file}`, bytes);
    process.stdout.write(`${file}: ${Math.round(bytes.length / 1_024)} KB\n`);
  } finally {
    await visitor.leave();
  }
}

function take(page: Page, { only }: Screen): Promise<Buffer> {
  const still = { animations: 'disabled', caret: 'hide' } as const;
  return only === undefined
    ? page.screenshot({ fullPage: true, ...still })
    : page.locator(only).screenshot({ omitBackground: true, ...still });
}
