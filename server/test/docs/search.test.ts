// What people type into the search of the documentation, and the page that must come first: with the index and the
// search that the site has.
import { beforeAll, expect, test } from 'vitest';
import { siteSearch } from '../../../docs/.vitepress/search/find-pages.ts';
import { indexAlone } from '../../../docs/.vitepress/search/index-pages.ts';

const QUERIES = {
  '2fa': 'operating/administration',
  'api key': 'reference/api',
  'api keys': 'reference/api',
  'audit log': 'operating/audit',
  backup: 'operating/backup-and-restore',
  balance: 'reference/api-toolkit',
  'callback not received': 'guides/callbacks',
  'callback url': 'guides/callbacks',
  callbacks: 'guides/callbacks',
  'cancel payout': 'guides/payouts',
  checkout: 'guides/checkouts',
  currencies: 'reference/connectors',
  django: 'guides/python',
  docker: 'operating/containers',
  'double entry': 'internals/money',
  'duplicate payment': 'reference/api',
  'environment variables': 'reference/configuration',
  'error codes': 'reference/failure-codes',
  'error handling': 'reference/api',
  fees: 'operating/administration',
  gdpr: 'operating/retention',
  'going live': 'guides/going-live',
  hmac: 'guides/callbacks',
  'how do I send money': 'guides/payouts',
  idempotency: 'reference/api',
  'ip whitelist': 'operating/operators',
  'key rotation': 'operating/keys',
  kubernetes: 'operating/containers',
  kyc: 'operating/screening',
  laravel: 'guides/php',
  ledger: 'internals/money',
  mpesa: 'reference/connectors',
  mtn: 'reference/connectors',
  openapi: 'reference/api',
  'payment link': 'guides/checkouts',
  payout: 'guides/payouts',
  PAYMENT_NOT_APPROVED: 'reference/failure-codes',
  pending: 'reference/states',
  permissions: 'reference/api',
  pgbouncer: 'operating/database',
  php: 'guides/php',
  postman: 'reference/api',
  prometheus: 'operating/monitoring',
  python: 'guides/python',
  'quick start': 'five-minutes',
  'rate limit': 'reference/api',
  reconcile: 'operating/reconciliation',
  refund: 'guides/refunds',
  sandbox: 'guides/sandbox',
  security: 'project/security',
  scopes: 'reference/api',
  settlement: 'operating/settlement',
  'signature verification': 'guides/callbacks',
  'single sign-on': 'operating/single-sign-on',
  'split payment': 'guides/split-payments',
  sso: 'operating/single-sign-on',
  'test numbers': 'reference/sandbox-numbers',
  throughput: 'operating/performance',
  timeout: 'reference/api',
  'transaction limits': 'operating/risk',
  typescript: 'guides/sdk',
  upgrade: 'operating/upgrade',
  webhook: 'guides/callbacks',
  'webhook security': 'guides/callbacks',
  'webhook url': 'guides/callbacks',
  webhooks: 'guides/callbacks',
  woocommerce: 'guides/woocommerce',
  wordpress: 'guides/woocommerce',
};

let search: (text: string) => readonly { readonly id: string }[];
beforeAll(async () => {
  ({ search } = siteSearch.loadJSON(await indexAlone()));
});

const pagesFor = (text: string) => search(text).map(({ id }) => id.replace(/^\/docs\/|#.*$/g, ''));

test.each(Object.entries(QUERIES))('"%s" finds %s first', (text, page) => {
  expect(pagesFor(text)[0]).toBe(page);
});

test('pages about the inside come after those for users', () => {
  const INSIDE = /^(internals|decisions|connectors)\//;
  const COMMON = [
    'deposit',
    'callbacks',
    'status',
    'wallet',
    'payout',
    'refund',
    'sandbox',
    'scopes',
    'webhook url',
  ];
  for (const text of COMMON) {
    const pages = pagesFor(text).slice(0, 10);
    expect([text, pages.filter((page) => INSIDE.test(page))]).toEqual([text, []]);
  }
  expect(pagesFor('ledger').some((page) => INSIDE.test(page))).toBe(true);
});

test('a word with a slip is found, and nonsense is not', () => {
  expect(pagesFor('idempotancy')[0]).toBe('reference/api');
  expect(pagesFor('xyzzyq')).toEqual([]);
});
