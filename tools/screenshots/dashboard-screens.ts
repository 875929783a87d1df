// The dashboard's screens, one line each, with all their tabs: a test compares them with the routes. Every one is shown
// at both widths in both themes.
import type { Page } from 'playwright-core';
import { DEMO_PASSWORD } from '../../server/src/commands/sandbox/demo-people.ts';

export type DashboardScreen = {
  /** The name of the file; dark ones add "-dark" and wide ones "-wide". */
  readonly name: string;
  /** The sandbox user who looks at it, by the beginning of their address. */
  readonly as: 'owner' | 'developer' | 'finance' | 'support' | 'admin' | 'noOne';
  /** Below /dashboard. A name after "$" stands for what named-things.ts has of it. */
  readonly at: string;
  /** What to do before the picture is taken. */
  readonly play?: (page: Page) => Promise<void>;
};

const SHOP = '/m/$merchantId';

export const DASHBOARD_SCREENS: readonly DashboardScreen[] = [
  // First, because calls are counted for five minutes.
  { name: 'providers', as: 'admin', at: '/host/providers' },
  { name: 'provider', as: 'admin', at: '/host/providers', play: openClosed },
  { name: 'sign-in', as: 'noOne', at: '/sign-in' },
  { name: 'forgotten-password', as: 'noOne', at: '/forgotten-password' },
  { name: 'new-password', as: 'noOne', at: '/new-password/$reset' },
  { name: 'join', as: 'noOne', at: '/join/$invitation' },
  { name: 'two-factor', as: 'support', at: '/two-factor', play: showKey },
  { name: 'confirmed', as: 'noOne', at: '/confirmed?error=NOT_CONFIRMED' },
  { name: 'not-found', as: 'owner', at: '/nothing-here' },
  { name: 'account', as: 'owner', at: '/account' },
  { name: 'overview', as: 'owner', at: `${SHOP}/overview` },
  { name: 'payments', as: 'support', at: `${SHOP}/payments` },
  { name: 'payment', as: 'support', at: `${SHOP}/payments/DEPOSIT/$depositId` },
  { name: 'payment-links', as: 'support', at: `${SHOP}/payment-links` },
  { name: 'payouts', as: 'finance', at: `${SHOP}/payouts` },
  { name: 'payout', as: 'finance', at: `${SHOP}/payouts/new` },
  { name: 'payout-file', as: 'finance', at: `${SHOP}/payouts/file` },
  { name: 'batch', as: 'owner', at: `${SHOP}/payouts/$batchId` },
  { name: 'payout-approval', as: 'owner', at: `${SHOP}/payout-approval` },
  { name: 'wallets', as: 'finance', at: `${SHOP}/wallets` },
  { name: 'wallet', as: 'finance', at: `${SHOP}/wallets/RWA-RWF` },
  { name: 'statements', as: 'finance', at: `${SHOP}/statements` },
  { name: 'settlement', as: 'finance', at: `${SHOP}/settlement` },
  { name: 'callbacks', as: 'developer', at: `${SHOP}/callbacks` },
  { name: 'callback-addresses', as: 'developer', at: `${SHOP}/callback-addresses` },
  { name: 'tokens', as: 'developer', at: `${SHOP}/tokens` },
  { name: 'keys', as: 'developer', at: `${SHOP}/keys` },
  { name: 'payment-pages', as: 'developer', at: `${SHOP}/payment-pages` },
  { name: 'regional-settings', as: 'owner', at: `${SHOP}/regional-settings` },
  { name: 'team', as: 'owner', at: `${SHOP}/team` },
  { name: 'approvals', as: 'finance', at: `${SHOP}/approvals` },
  { name: 'limits', as: 'owner', at: `${SHOP}/limits` },
  { name: 'audit', as: 'owner', at: `${SHOP}/audit` },
  { name: 'merchant-as-platform', as: 'admin', at: `${SHOP}/overview` },
  { name: 'merchants', as: 'admin', at: '/host/merchants' },
  { name: 'host-payments', as: 'admin', at: '/host/payments' },
  { name: 'merchant', as: 'admin', at: '/host/merchants/$merchantId' },
  { name: 'incidents', as: 'admin', at: '/host/incidents' },
  { name: 'platform-overview', as: 'admin', at: '/host/overview' },
  { name: 'issues', as: 'admin', at: '/host/issues' },
  { name: 'lost-payments', as: 'admin', at: '/host/issues?tab=lost' },
  { name: 'overdue-tasks', as: 'admin', at: '/host/issues?tab=overdue' },
  { name: 'failing-endpoints', as: 'admin', at: '/host/issues?tab=endpoints' },
  { name: 'cases', as: 'admin', at: '/host/cases' },
  { name: 'resolved-cases', as: 'admin', at: '/host/cases?tab=RESOLVED' },
  { name: 'ledger', as: 'admin', at: '/host/ledger' },
  { name: 'accounts', as: 'admin', at: '/host/ledger?tab=accounts' },
  { name: 'floats', as: 'admin', at: '/host/ledger?tab=floats' },
  { name: 'ledger-account', as: 'admin', at: '/host/ledger/accounts/$accountId' },
  { name: 'ledger-transfers', as: 'admin', at: '/host/ledger/transfers/$merchantId/DEPOSIT/$depositId' },
  { name: 'risk', as: 'admin', at: '/host/risk' },
  { name: 'risk-numbers', as: 'admin', at: '/host/risk?tab=numbers' },
  { name: 'risk-limits', as: 'admin', at: '/host/risk?tab=limits', play: chooseMerchant },
  { name: 'risk-reviews', as: 'admin', at: '/host/risk?tab=reviews' },
  { name: 'risk-rules', as: 'admin', at: '/host/risk?tab=rules', play: chooseMerchant },
  { name: 'risk-holds', as: 'admin', at: '/host/risk?tab=holds' },
  { name: 'risk-events', as: 'admin', at: '/host/risk?tab=events' },
  { name: 'host-approvals', as: 'admin', at: '/host/approvals' },
  { name: 'host-team', as: 'admin', at: '/host/team' },
  { name: 'money', as: 'admin', at: '/host/money', play: askForMoney },
  { name: 'daily-close', as: 'admin', at: '/host/daily-close' },
  { name: 'daily-close-account', as: 'admin', at: '/host/daily-close/MTN_MOMO_RWA/RWF' },
  { name: 'daily-close-files', as: 'admin', at: '/host/daily-close/MTN_MOMO_RWA/RWF?tab=files' },
  { name: 'daily-close-columns', as: 'admin', at: '/host/daily-close/MTN_MOMO_RWA/RWF?tab=columns' },
  { name: 'daily-close-day', as: 'admin', at: '/host/daily-close/MTN_MOMO_RWA/RWF/$day' },
  { name: 'settlements', as: 'admin', at: '/host/settlements' },
  { name: 'fees', as: 'admin', at: '/host/fees', play: chooseMerchant },
  { name: 'personal-data', as: 'admin', at: '/host/personal-data' },
  { name: 'health', as: 'admin', at: '/host/health' },
  { name: 'host-audit', as: 'admin', at: '/host/audit' },
];

/** Texts are found in either language. */
const either = (english: string, french: string) => new RegExp(`^(${english}|${french})$`);

async function openClosed(page: Page): Promise<void> {
  await page.getByText(either('Closed', 'Fermé')).click();
}

/** The page after the password, with the QR code. */
async function showKey(page: Page): Promise<void> {
  await page.locator('input[type=password]').fill(DEMO_PASSWORD);
  await page.locator('button[type=submit]').click();
  await page.getByRole('textbox', { name: 'Code' }).waitFor();
}

async function chooseMerchant(page: Page): Promise<void> {
  await page.getByRole('combobox', { name: either('Merchant', 'Marchand') }).click();
  await page.getByRole('option', { name: 'Demo Shop' }).click();
}

async function askForMoney(page: Page): Promise<void> {
  await page.getByRole('button', { name: either('New transfer', 'Nouveau transfert') }).click();
  await page.getByRole('dialog').getByLabel(either('Amount', 'Montant')).fill('250000');
}
