// The Node SDK has every operation of openapi/v2.json. sdk/php/test/OperationsTest.php and
// sdk/python/tests/test_operations.py hold the other languages to the same.
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { Malipo, MalipoError } from '@malipo/sdk';

type Operation = {
  readonly operationId: string;
  readonly parameters?: readonly { readonly in: string; readonly name: string }[];
};

const ID = '2f4b6c1e-0000-4000-8000-000000000001';
const DOCUMENT = new URL('../../openapi/v2.json', import.meta.url);
const { paths } = JSON.parse(readFileSync(DOCUMENT, 'utf8')) as {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
};
const documented = Object.entries(paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(
    ([method, operation]) => [operation.operationId, method, path, operation] as const,
  ),
);

/** All of it at once, which the compiler and the gateway refuse: only what is sent is looked at. */
const FILTER = {
  from: '2026-01-01',
  to: new Date(),
  clientReferenceId: 'INV-1',
  metadata: 'ORD-1',
  phoneNumber: '250783456789',
  status: 'FAILED',
  provider: 'MTN_MOMO_RWA',
  pageSize: 10,
} as never;

/** What calls each operation. Requests are empty: only where they are sent is looked at. */
const CALLS: Readonly<Record<string, (malipo: Malipo) => Promise<unknown>>> = {
  initiateDeposit: ({ deposits }) => deposits.create({} as never),
  listDeposits: ({ deposits }) => all(deposits.list(FILTER)),
  getDeposit: ({ deposits }) => deposits.get(ID),
  resendDepositCallback: ({ deposits }) => deposits.resendCallback(ID),
  initiatePayout: ({ payouts }) => payouts.create({} as never),
  initiatePayouts: ({ payouts }) => payouts.createMany([{}] as never),
  listPayouts: ({ payouts }) => all(payouts.list(FILTER)),
  getPayout: ({ payouts }) => payouts.get(ID),
  resendPayoutCallback: ({ payouts }) => payouts.resendCallback(ID),
  cancelEnqueuedPayout: ({ payouts }) => payouts.cancel(ID),
  initiateRefund: ({ refunds }) => refunds.create({} as never),
  listRefunds: ({ refunds }) => all(refunds.list(FILTER)),
  getRefund: ({ refunds }) => refunds.get(ID),
  resendRefundCallback: ({ refunds }) => refunds.resendCallback(ID),
  cancelEnqueuedRefund: ({ refunds }) => refunds.cancel(ID),
  initiateRemittance: ({ remittances }) => remittances.create({} as never),
  initiateRemittances: ({ remittances }) => remittances.createMany([{}] as never),
  listRemittances: ({ remittances }) => all(remittances.list(FILTER)),
  getRemittance: ({ remittances }) => remittances.get(ID),
  resendRemittanceCallback: ({ remittances }) => remittances.resendCallback(ID),
  cancelEnqueuedRemittance: ({ remittances }) => remittances.cancel(ID),
  initiateSplitPayment: ({ splitPayments }) => splitPayments.create({ splits: [] } as never),
  getSplitPayment: ({ splitPayments }) => splitPayments.get(ID),
  openPaymentPage: ({ paymentPages }) => paymentPages.create({} as never),
  openCheckout: ({ checkouts }) => checkouts.create({} as never),
  getCheckout: ({ checkouts }) => checkouts.get(ID),
  expireCheckout: ({ checkouts }) => checkouts.expire(ID),
  getActiveConfiguration: ({ toolkit }) =>
    toolkit.activeConfiguration({ country: 'RWA', operationType: 'DEPOSIT' }),
  getAvailability: ({ toolkit }) => toolkit.availability({ country: 'RWA', operationType: 'DEPOSIT' }),
  predictProvider: ({ toolkit }) => toolkit.predictProvider('250783456789'),
  getPublicKeys: ({ publicKeys }) => publicKeys.list(),
  listEvents: ({ events }) => events.read({ after: 'latest', limit: 10, wait: 20 }),
  getWalletBalances: ({ wallets }) => wallets.balances({ country: 'RWA' }),
  requestStatement: ({ statements }) => statements.create({} as never),
  getStatement: ({ statements }) => statements.get(ID),
};

test('every operation of the API exists', () => {
  expect(Object.keys(CALLS).toSorted()).toEqual(documented.map(([name]) => name).toSorted());
});

test.each(documented)('%s is called as the API has it', async (name, method, path, { parameters = [] }) => {
  const { pathname, searchParams, sentMethod } = await firstRequestOf(CALLS[name]!);
  const queries = parameters.filter((parameter) => parameter.in === 'query').map((query) => query.name);
  expect([sentMethod, pathname, [...searchParams.keys()]]).toEqual([
    method.toUpperCase(),
    path.replace(/\{\w+\}/, ID),
    queries,
  ]);
});

async function all(listed: AsyncIterator<unknown>): Promise<void> {
  while ((await listed.next()).done !== true);
}

async function firstRequestOf(call: (malipo: Malipo) => Promise<unknown>) {
  const sent: { readonly url: string; readonly method: string | undefined }[] = [];
  const record: typeof fetch = async (url, init) => {
    sent.push({ url: new Request(url).url, method: init?.method });
    const next = sent.length === 1 ? { next: 'cursor' } : {};
    return Response.json({ status: 'NOT_FOUND', data: [], ...next });
  };
  const malipo = new Malipo({ baseUrl: 'http://127.0.0.1', token: 'token', fetch: record, retryForMs: 0 });
  // What comes of an answer that fits none of the operations is not looked at.
  await call(malipo).catch((error: unknown) => expect(error).toBeInstanceOf(MalipoError));
  // The second page of a list is asked for with a cursor.
  const { url, method } = sent.findLast((one) => one.url.includes('cursor=')) ?? sent[0]!;
  const { pathname, searchParams } = new URL(url);
  return { pathname, searchParams, sentMethod: method };
}
