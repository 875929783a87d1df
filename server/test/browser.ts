// A real browser for pages: Debian's Chromium, driven by Playwright. It may talk to this machine and to no one else.
import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { chromium, type Browser, type BrowserContext, type Page } from 'playwright-core';

/** The browser without a desktop around it starts sooner and does less beside the page. */
const EXECUTABLES = ['/usr/bin/chromium-headless-shell', '/usr/bin/chromium'];

/** Nothing of Chromium's own shall go out, and it may run as root in a container. */
const ARGUMENTS = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  // No name leads anywhere but to this machine. Not by a route of Playwright's: that turns the browser's cache off, and
  // every page fetches and reads all scripts again.
  '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost',
];

/** Half as long to read as the other one. */
const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

export function openBrowser(): Promise<Browser> {
  const executablePath = EXECUTABLES.find(existsSync);
  if (executablePath === undefined)
    throw new Error(`Pages are tested in Chromium: install Debian's chromium-headless-shell.`);
  return chromium.launch({ executablePath, args: ARGUMENTS });
}

/** The two that every page is tested at: a cheap phone, and a desktop. */
export const WIDTHS = { phone: 360, desktop: 1280 } as const;

export type SignedInUser = {
  readonly page: Page;
  /** What the page complained about: scripts that threw, what the policy refused. */
  readonly complaints: readonly string[];
  /** Requests that left this machine. */
  readonly strays: readonly string[];
  readonly leave: () => Promise<void>;
};

export type UserOptions = {
  readonly widthPx?: number;
  readonly heightPx?: number;
  readonly scripts?: boolean;
  readonly language?: 'en' | 'fr';
  readonly colours?: 'light' | 'dark';
};

export async function openUser(browser: Browser, options: UserOptions = {}): Promise<SignedInUser> {
  const context = await browser.newContext({
    viewport: { width: options.widthPx ?? WIDTHS.phone, height: options.heightPx ?? 740 },
    javaScriptEnabled: options.scripts ?? true,
    locale: options.language ?? 'en',
    colorScheme: options.colours ?? 'light',
  });
  const { complaints, strays } = listen(context);
  const page = await context.newPage();
  page.setDefaultTimeout(60_000);
  return { page, complaints, strays, leave: () => context.close() };
}

function listen(context: BrowserContext) {
  const complaints: string[] = [];
  const strays: string[] = [];
  context.on('weberror', (error) => complaints.push(String(error.error())));
  context.on('console', (message) => {
    if (message.type() === 'error') complaints.push(message.text());
  });
  context.on('request', (request) => {
    const { protocol, hostname } = new URL(request.url());
    if (protocol.startsWith('http') && !['127.0.0.1', 'localhost'].includes(hostname))
      strays.push(request.url());
  });
  return { complaints, strays };
}

/** What axe finds, as "rule: element". Needs scripts. */
export async function findBarriers(page: Page): Promise<readonly string[]> {
  // A screen that is still being fetched has no title yet, and nothing worth judging.
  await page.locator('h1').first().waitFor({ state: 'attached' });
  await standStill(page);
  // Evaluated, not added as a script: the page's own policy allows no scripts but its own.
  if (!(await page.evaluate(`'axe' in globalThis`))) await page.evaluate(AXE);
  return page.evaluate(async () => {
    const { axe: loaded } = globalThis as unknown as { axe: Axe };
    // Only what is wrong is described, and style sheets are not fetched again.
    const { violations } = await loaded.run({ resultTypes: ['violations'], preload: false });
    return violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html}`));
  });
}

/**
 * Colours that still change have no contrast worth measuring, and the application follows a new width or theme a frame
 * later. What turns permanently is not waited for.
 */
async function standStill(page: Page): Promise<void> {
  await page.evaluate(`new Promise((resolve) => {
    requestAnimationFrame(() => requestAnimationFrame(resolve));
    // Where nothing is drawn there are no frames.
    setTimeout(resolve, 500);
  }).then(() => Promise.allSettled(
    document.getAnimations()
      .filter((animation) => Number.isFinite(animation.effect.getComputedTiming().endTime))
      .map((animation) => animation.finished),
  )).then(() => true)`);
}

type Axe = {
  readonly run: (options: { readonly resultTypes: readonly string[]; readonly preload: boolean }) => Promise<{
    readonly violations: readonly {
      readonly id: string;
      readonly nodes: readonly { readonly html: string }[];
    }[];
  }>;
};

/** Whether everything fits into the width of the screen. */
export function fitsScreen(page: Page): Promise<boolean> {
  return page.evaluate('document.documentElement.scrollWidth <= window.innerWidth') as Promise<boolean>;
}
