// The dashboard in a real browser: a gateway of its own with the console on, and visitors of any role, signed in.
//   const dashboard = await openDashboard();
//   const { page, merchantPath } = await dashboard.visit({ role: 'OWNER', widthPx: WIDTHS.phone });
//   await page.goto(merchantPath('team'));
import type { Browser, Locator, Page } from 'playwright-core';
import { buildSite } from '../../src/commands/sandbox/build-sites.ts';
import type { Role } from '../../src/domain/merchants/roles.ts';
import { openBrowser, openUser, WIDTHS, type SignedInUser, type UserOptions } from '../browser.ts';
import { createPerson, openTestConsole, PASSWORD, signIn } from '../console/people.ts';
import type { TestGateway, TestGatewayOptions } from '../gateway.ts';

export type Dashboard = {
  readonly gateway: TestGateway;
  /** The address of a screen: `/sign-in`. */
  readonly address: (path: string) => string;
  /** The address of a screen about the test's merchant: `team`. */
  readonly merchantAddress: (path: string) => string;
  /** Somebody of a role, signed in, on an empty page: call `page.goto`. */
  readonly visit: (options: UserOptions & { readonly role: Role }) => Promise<DashboardUser>;
  /** Somebody no one knows yet. */
  readonly stranger: (options?: UserOptions) => Promise<SignedInUser>;
  readonly close: () => Promise<void>;
};

export type DashboardUser = SignedInUser & { readonly personId: string; readonly email: string };

export async function openDashboard(options: TestGatewayOptions = {}): Promise<Dashboard> {
  await buildSite('dashboard');
  const gateway = await openTestConsole(options);
  const browser = await openBrowser();
  const address = (path: string) => `${gateway.url}/dashboard${path}`;
  return {
    gateway,
    address,
    merchantAddress: (path) => address(`/m/${gateway.merchantId}/${path}`),
    visit: ({ role, ...rest }) => visit(gateway, browser, role, rest),
    stranger: (rest) => openUser(browser, { widthPx: WIDTHS.desktop, ...rest }),
    close: async () => {
      await browser.close();
      await gateway.stop();
    },
  };
}

async function visit(
  gateway: TestGateway,
  browser: Browser,
  role: Role,
  options: UserOptions,
): Promise<DashboardUser> {
  const person = await createPerson(gateway, role);
  const cookies = await signIn(gateway, { email: person.email, password: PASSWORD });
  const user = await openUser(browser, { widthPx: WIDTHS.desktop, ...options });
  await user.page.context().addCookies(
    cookies.split('; ').map((cookie) => {
      const at = cookie.indexOf('=');
      return { name: cookie.slice(0, at), value: cookie.slice(at + 1), url: gateway.url };
    }),
  );
  return { ...user, ...person };
}

/** Answers the dialog that asks for the password once more. */
export async function confirmByPassword(page: Page): Promise<void> {
  await page.getByLabel('Your password').fill(PASSWORD);
  await page.getByRole('button', { name: 'Confirm' }).click();
}

/** What Enter opens in the search of Ctrl+K. It is chosen a moment after it is shown. */
export function chosenBySearch(page: Page, hasText: string): Locator {
  return page.locator('[data-action][data-selected]').filter({ hasText });
}
