// A visitor of a hosted page, and everything that the page asks for or complains about.
import axe from 'axe-core';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import type { Body } from '../requests.ts';

export type Setting = {
  readonly width: number;
  readonly height?: number;
  readonly scripts: boolean;
  /** What the browser asks for in Accept-Language. */
  readonly language: 'en' | 'fr' | 'pt' | 'sw';
};

export type Visit = {
  readonly page: Page;
  readonly context: BrowserContext;
  /** Every address that was asked for, in order. */
  readonly requested: readonly string[];
  /** What the browser complained about, and where: a policy that was broken, a script that failed. */
  readonly complaints: readonly string[];
};

/** None of a country that payers could pay from. */
const LOCALES = { en: 'en-GB', fr: 'fr-FR', pt: 'pt-PT', sw: 'sw' } as const;

/** Runs `work` in a window of its own. */
export async function visit(
  browser: Browser,
  { width, height = 740, scripts, language }: Setting,
  work: (visit: Visit) => Promise<void>,
): Promise<void> {
  const context = await browser.newContext({
    viewport: { width, height },
    javaScriptEnabled: scripts,
    locale: LOCALES[language],
  });
  const requested: string[] = [];
  const complaints: string[] = [];
  context.on('request', (request) => requested.push(request.url()));
  context.on('console', (message) => {
    if (message.type() === 'error') complaints.push(`${message.location().url} ${message.text()}`);
  });
  context.on('weberror', (error) => complaints.push(String(error.error())));
  try {
    await work({ page: await context.newPage(), context, requested, complaints });
  } finally {
    await context.close();
  }
}

/** What keeps people from using a page: anything axe finds, and a screen that has to be scrolled sideways. */
export async function findBarriers(page: Page): Promise<readonly string[]> {
  await page.evaluate(axe.source);
  const found = await page.evaluate<readonly Body[]>('axe.run().then(({ violations }) => violations)');
  const excess = await page.evaluate<number>('document.scrollingElement.scrollWidth - innerWidth');
  return [
    ...found.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }: Body) => html).join(' ')}`),
    ...(excess > 0 ? [`it is ${excess} px wider than the screen`] : []),
  ];
}
