// A visitor of a hosted page, and everything that the page asks for or complains about.
import type { Browser, BrowserContext, Page } from 'playwright-core';

export type Setting = {
  readonly width: number;
  readonly scripts: boolean;
  /** What the browser asks for in Accept-Language. */
  readonly language: 'en' | 'fr';
};

export type Visit = {
  readonly page: Page;
  readonly context: BrowserContext;
  /** Every address that was asked for, in order. */
  readonly requested: readonly string[];
  /** What the browser complained about, and where: a policy that was broken, a script that failed. */
  readonly complaints: readonly string[];
};

/** Runs `work` in a window of its own. */
export async function visit(
  browser: Browser,
  { width, scripts, language }: Setting,
  work: (visit: Visit) => Promise<void>,
): Promise<void> {
  const context = await browser.newContext({
    viewport: { width, height: 740 },
    javaScriptEnabled: scripts,
    locale: language === 'fr' ? 'fr-FR' : 'en-GB',
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
