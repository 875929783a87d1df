// Takes pictures of the dashboard's screens, in a sandbox that has seen a month of trade.
import { mkdirSync } from 'node:fs';
import type { Browser, Page } from 'playwright-core';
import { DEMO_PASSWORD, DEMO_PEOPLE } from '../../server/src/commands/sandbox/demo-people.ts';
import type { Sandbox } from '../../server/src/commands/sandbox/sandbox.ts';
import { signIn } from '../../drills/kit/api.ts';
import { openUser, WIDTHS } from '../../server/test/browser.ts';
import type { DashboardScreen } from './dashboard-screens.ts';
import { leaveToDecide } from './decisions.ts';
import { COLOURS, endingOf, type Language, type Look } from './looks.ts';
import { nameThings, type NamedThings } from './named-things.ts';
import { tradeForAMonth } from './trade.ts';
import { writePicture } from './write-picture.ts';

/** What is visible at first. Documents show no more of a long list. */
const HEIGHTS = { phone: 800, desktop: 860 } as const;
const SIZES = ['phone', 'desktop'] as const;

export async function shootDashboard(
  browser: Browser,
  sandbox: Sandbox,
  options: {
    readonly folder: string;
    readonly screens: readonly DashboardScreen[];
    readonly languages: readonly Language[];
    /** Pictures as high as their screens. */
    readonly isWhole: boolean;
    /** By the name of the file. */
    readonly isKept: (file: string) => boolean;
  },
): Promise<void> {
  const { folder, screens, languages, isWhole, isKept } = options;
  if (screens.length === 0) return;
  mkdirSync(folder, { recursive: true });
  const cookies = await signEverybodyIn(sandbox);
  const shop = await tradeForAMonth(sandbox);
  const { batchId } = await leaveToDecide(sandbox, cookies.get('finance') ?? '');
  const things: NamedThings = { ...(await nameThings(sandbox)), batchId };
  try {
    for (const screen of screens) {
      for (const size of SIZES) {
        for (const colours of COLOURS) {
          for (const language of languages) {
            const look = { size, colours, language };
            const file = `${screen.name}${endingOf(look)}.png`;
            if (!isKept(file)) continue;
            const at = screen.at.replaceAll(/\$(\w+)/g, (_, name: string) => things[name] ?? '');
            const seen = { ...look, screen: { ...screen, at }, isWhole };
            const shot = await shoot(browser, sandbox, { ...seen, cookie: cookies.get(screen.as) });
            writePicture(`${folder}${file}`, shot);
          }
        }
      }
    }
  } finally {
    await shop.close();
  }
}

/** Each user signs in once: more attempts in a minute are refused. */
async function signEverybodyIn(sandbox: Sandbox): Promise<ReadonlyMap<string, string>> {
  const cookies = new Map<string, string>();
  for (const { email } of DEMO_PEOPLE) {
    await sandbox.gateway.engine.store.database.query('delete from sign_in_rates');
    const cookie = await signIn(sandbox.baseUrl, { email, password: DEMO_PASSWORD });
    cookies.set(email.split('@')[0] ?? '', cookie);
  }
  return cookies;
}

type Shot = Look & {
  readonly screen: DashboardScreen;
  readonly isWhole: boolean;
  readonly cookie: string | undefined;
};

async function shoot(browser: Browser, sandbox: Sandbox, shot: Shot): Promise<Buffer> {
  const { screen, size, colours, language, isWhole, cookie } = shot;
  const user = await openUser(browser, { widthPx: WIDTHS[size], heightPx: HEIGHTS[size], colours, language });
  const { page } = user;
  try {
    if (cookie !== undefined) await page.context().addCookies(toCookies(cookie, sandbox.baseUrl));
    await page.goto(`${sandbox.baseUrl}/dashboard${screen.at}`);
    await settle(page);
    await screen.play?.(page);
    await settle(page);
    return await page.screenshot({ fullPage: isWhole, animations: 'disabled', caret: 'hide' });
  } finally {
    await user.leave();
  }
}

/** Looks in a row: where a link was clicked, the first ones may still see the screen before. */
const QUIET_LOOKS = 6;

/** No request is in progress, there is a title, and nothing is loading. */
async function settle(page: Page): Promise<void> {
  await page.getByRole('heading').first().waitFor();
  await page.waitForLoadState('networkidle');
  // Polled from here: the page's security policy forbids waiting inside it.
  for (let quiet = 0; quiet < QUIET_LOOKS; await page.waitForTimeout(50))
    quiet = (await page.locator('[aria-busy=true]').count()) > 0 ? 0 : quiet + 1;
}

function toCookies(header: string, url: string) {
  return header.split('; ').map((cookie) => {
    const at = cookie.indexOf('=');
    return { name: cookie.slice(0, at), value: cookie.slice(at + 1), url };
  });
}
