// The dashboard's screens of docs/images/dashboard, one line each. Every one is shown at both widths in both themes.
import type { Page } from 'playwright-core';

export type DashboardScreen = {
  /** The name of the file; dark ones add "-dark" and wide ones "-wide". */
  readonly name: string;
  /** The sandbox user who looks at it, by the beginning of their address. */
  readonly as: 'owner' | 'developer' | 'finance' | 'support' | 'admin' | 'noOne';
  /** Below /dashboard. "$merchantId" is the sandbox's merchant. */
  readonly at: string;
  /** What to do before the picture is taken. */
  readonly play?: (page: Page) => Promise<void>;
};

const SHOP = '/m/$merchantId';

export const DASHBOARD_SCREENS: readonly DashboardScreen[] = [
  // First, because calls are counted for five minutes.
  { name: 'providers', as: 'admin', at: '/host/providers' },
  { name: 'provider', as: 'admin', at: '/host/providers', play: (page) => page.getByText('Closed').click() },
  { name: 'sign-in', as: 'noOne', at: '/sign-in' },
  { name: 'overview', as: 'owner', at: `${SHOP}/overview` },
  { name: 'payments', as: 'support', at: `${SHOP}/payments` },
  { name: 'payment', as: 'support', at: `${SHOP}/payments`, play: openFirst },
  { name: 'payment-links', as: 'support', at: `${SHOP}/payment-links` },
  { name: 'payouts', as: 'finance', at: `${SHOP}/payouts` },
  { name: 'payout-file', as: 'finance', at: `${SHOP}/payouts/file` },
  { name: 'wallets', as: 'finance', at: `${SHOP}/wallets` },
  { name: 'statements', as: 'finance', at: `${SHOP}/statements` },
  { name: 'callback-addresses', as: 'developer', at: `${SHOP}/callback-addresses` },
  { name: 'tokens', as: 'developer', at: `${SHOP}/tokens` },
  { name: 'keys', as: 'developer', at: `${SHOP}/keys` },
  { name: 'payment-pages', as: 'developer', at: `${SHOP}/payment-pages` },
  { name: 'regional-settings', as: 'owner', at: `${SHOP}/regional-settings` },
  { name: 'team', as: 'owner', at: `${SHOP}/team` },
  { name: 'approvals', as: 'finance', at: `${SHOP}/approvals` },
  { name: 'audit', as: 'owner', at: `${SHOP}/audit` },
  { name: 'merchants', as: 'admin', at: '/host/merchants' },
  { name: 'host-payments', as: 'admin', at: '/host/payments' },
  { name: 'merchant', as: 'admin', at: '/host/merchants/$merchantId' },
  { name: 'incidents', as: 'admin', at: '/host/incidents' },
  { name: 'platform-overview', as: 'admin', at: '/host/overview' },
  { name: 'issues', as: 'admin', at: '/host/issues' },
  { name: 'cases', as: 'admin', at: '/host/cases' },
  { name: 'ledger', as: 'admin', at: '/host/ledger' },
  { name: 'accounts', as: 'admin', at: '/host/ledger', play: (page) => openTab(page, 'Accounts') },
  { name: 'floats', as: 'admin', at: '/host/ledger', play: (page) => openTab(page, 'Float') },
  { name: 'account', as: 'admin', at: '/host/ledger', play: openFloat },
  { name: 'money', as: 'admin', at: '/host/money', play: askForMoney },
  { name: 'fees', as: 'admin', at: '/host/fees', play: chooseMerchant },
  { name: 'personal-data', as: 'admin', at: '/host/personal-data' },
  { name: 'health', as: 'admin', at: '/host/health' },
  { name: 'host-audit', as: 'admin', at: '/host/audit' },
];

/** The first row of a list whose rows have screens of their own. */
async function openFirst(page: Page): Promise<void> {
  await page.locator('main tbody a').first().click();
  await page.getByText('What to tell the customer').waitFor();
}

async function openTab(page: Page, name: string): Promise<void> {
  await page.getByRole('tab', { name, exact: true }).click();
}

async function openFloat(page: Page): Promise<void> {
  await openTab(page, 'Accounts');
  await page.getByRole('link', { name: 'Float at operators' }).first().click();
  await page.getByRole('heading', { name: 'Float at operators' }).waitFor();
  await page.locator('main tbody a').first().waitFor();
}

async function chooseMerchant(page: Page): Promise<void> {
  await page.getByRole('combobox', { name: 'Merchant' }).click();
  await page.getByRole('option').first().click();
  await page.getByText('No fees set').or(page.locator('tbody td').first()).first().waitFor();
}

async function askForMoney(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'New transfer' }).click();
  await page.getByRole('dialog').getByLabel('Amount').fill('250000');
}
