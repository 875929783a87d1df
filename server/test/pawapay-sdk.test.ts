// A public client of both API versions, unmodified, against a running sandbox: every call it has, with the outcome.
import { randomUUID } from 'node:crypto';
import { createPawaPayClient } from 'pawapay-sdk';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { earlierDeposit, earlierPayout, earlierRefund } from './v1.ts';
import { call, depositRequest, eventually, waitUntil } from './gateway.ts';
import { startCallbackReceiver, type CallbackReceiver } from './receiver.ts';
import { payoutRequest, refundRequest, remittanceRequest } from './requests.ts';
import { startSandbox, whenReady, type SandboxProcess } from './sandbox-process.ts';
import { expectToAddUp, fetchRows } from './statement-files.ts';

type Version = 'v1' | 'v2';
type Method = (...args: unknown[]) => Promise<{ success: boolean; data?: any; status: number; error?: any }>;

let sandbox: SandboxProcess;
let receiver: CallbackReceiver;
let ready: Record<string, any>;
let clients: Readonly<Record<Version, Readonly<Record<string, Method>>>>;
beforeAll(async () => {
  receiver = await startCallbackReceiver();
  sandbox = startSandbox('--json', '--callback-url', receiver.url);
  ready = await whenReady(sandbox);
  clients = { v1: open('v1'), v2: open('v2') };
});
afterAll(async () => {
  sandbox.process.kill('SIGTERM');
  await receiver.stop();
});

const used: Readonly<Record<Version, Set<string>>> = { v1: new Set(), v2: new Set() };

/** The client has no setting for the address; it hands per-call options to axios, which has one. */
function open(version: Version): Readonly<Record<string, Method>> {
  const client: object = createPawaPayClient(ready['apiToken'], {
    apiVersion: version,
    environment: 'sandbox',
  } as never);
  const baseURL = version === 'v1' ? ready['baseUrl'] : `${ready['baseUrl']}/v2`;
  const calls = Object.entries(client as Readonly<Record<string, Method>>).map(([name, method]) => [
    name,
    (...args: unknown[]) => {
      used[version].add(name);
      return method(...args, { options: { baseURL } });
    },
  ]);
  return Object.fromEntries(calls);
}

/** Calls that must succeed. Answers what the client hands on. */
async function ask(version: Version, name: string, ...args: unknown[]): Promise<any> {
  const answer = await clients[version][name]!(...args);
  expect(answer, name).toMatchObject({ success: true, status: 200 });
  return answer.data;
}

const statusIn: Readonly<Record<Version, (data: any) => string>> = {
  v1: ([record]) => record.status,
  v2: ({ status, data }) => (status === 'FOUND' ? data.status : status),
};

async function completes(version: Version, check: string, id: string): Promise<void> {
  await eventually(async () => statusIn[version](await ask(version, check, id))).toBe('COMPLETED');
}

const announcements = (id: string) => receiver.received.filter(({ text }) => text.includes(id)).length;

/** Resends the callback of an announced payment and waits until it has come once more. */
async function announcesAgain(version: Version, resend: string, id: string): Promise<void> {
  await eventually(() => announcements(id)).toBeGreaterThan(0);
  const before = announcements(id);
  expect(await ask(version, resend, id)).toMatchObject({ status: 'ACCEPTED' });
  await eventually(() => announcements(id)).toBeGreaterThan(before);
}

async function whileDelayed(operation: string, work: () => Promise<void>): Promise<void> {
  const host = { url: ready['baseUrl'], apiToken: ready['apiToken'] };
  const path = `/sandbox/availability/MTN_MOMO_RWA/${operation}`;
  const seen = async () => {
    const { body } = await call(host, 'GET', `/v2/availability?country=RWA&operationType=${operation}`);
    return body[0].providers.find(({ provider }: any) => provider === 'MTN_MOMO_RWA').operationTypes[
      operation
    ];
  };
  await call(host, 'PUT', path, { status: 'DELAYED' });
  // Processes remember availability for up to a second.
  await eventually(seen).toBe('DELAYED');
  try {
    await work();
  } finally {
    await call(host, 'PUT', path, { status: 'OPERATIONAL' });
  }
}

const REQUESTS = {
  v1: { deposit: earlierDeposit, payout: earlierPayout, refund: earlierRefund },
  v2: { deposit: depositRequest, payout: payoutRequest, refund: refundRequest },
};

describe.each(['v1', 'v2'] as const)('the client of %s', (version) => {
  const { deposit, payout, refund } = REQUESTS[version];

  test('the client collects a deposit, reads it, has it announced again, and gives it back', async () => {
    const request = deposit();
    const { depositId } = request;
    expect(await ask(version, 'requestDeposit', request)).toMatchObject({ depositId, status: 'ACCEPTED' });
    expect(await ask(version, 'requestDeposit', request)).toMatchObject({ status: 'DUPLICATE_IGNORED' });
    await completes(version, 'checkDepositStatus', depositId);
    await announcesAgain(version, 'resendDepositCallback', depositId);

    const { refundId, ...rest } = refund(depositId);
    const refunded = await ask(version, 'initiateRefund', { refundId, ...rest });
    expect(refunded).toMatchObject({ refundId, status: 'ACCEPTED' });
    await completes(version, 'checkRefundStatus', refundId);
    await announcesAgain(version, 'resendRefundCallback', refundId);
  });

  test('the client is told why a payment is rejected', async () => {
    const answer = await ask(version, 'requestDeposit', deposit({ amount: '0' }));
    expect(answer).toMatchObject({
      status: 'REJECTED',
      ...(version === 'v1'
        ? { rejectionReason: { rejectionCode: 'AMOUNT_TOO_SMALL' } }
        : { failureReason: { failureCode: 'AMOUNT_OUT_OF_BOUNDS' } }),
    });
  });

  test('the client is told what is wrong with a request', async () => {
    const answer = await clients[version]['requestDeposit']!(deposit({ amount: 100 }));
    expect(answer).toMatchObject({ success: false, status: 400 });
    expect(JSON.stringify(answer.error)).toContain("'amount'");
  });

  test('the client pays out, one by one and in bulk', async () => {
    const request = payout();
    const { payoutId } = request;
    expect(await ask(version, 'requestPayout', request)).toMatchObject({ payoutId, status: 'ACCEPTED' });
    await completes(version, 'checkPayoutStatus', payoutId);
    await announcesAgain(version, 'resendPayoutCallback', payoutId);
    const bulk = await ask(version, 'initiateBulkPayout', [payout(), payout({ amount: '0' })]);
    expect(bulk).toMatchObject([{ status: 'ACCEPTED' }, { status: 'REJECTED' }]);
  });

  test('the client cancels a payout that waits for its provider', async () => {
    await whileDelayed('PAYOUT', async () => {
      const request = payout();
      const answer = await ask(version, 'requestPayout', request);
      await eventually(async () =>
        statusIn[version](await ask(version, 'checkPayoutStatus', request['payoutId'])),
      ).toBe('ENQUEUED');
      // Only API v1 tells at once that it waits.
      expect(answer.status).toBe(version === 'v1' ? 'ENQUEUED' : 'ACCEPTED');
      expect(await ask(version, 'cancelEnqueuedPayout', request['payoutId'])).toMatchObject({
        status: 'ACCEPTED',
      });
      const ended = await ask(version, 'checkPayoutStatus', request['payoutId']);
      expect(version === 'v1' ? ended[0] : ended.data).toMatchObject({
        status: 'FAILED',
        failureReason: { failureCode: 'MANUALLY_CANCELLED' },
      });
      expect(await ask(version, 'cancelEnqueuedPayout', randomUUID())).toMatchObject({ status: 'REJECTED' });
    });
  });
});

describe('the toolkit and the balances', () => {
  test('v1: active configuration, availability, prediction, balances of all countries and of one', async () => {
    const configuration = await ask('v1', 'getActiveConfiguration');
    expect(configuration).toMatchObject({ merchantId: ready['merchantId'] });
    const rwanda = configuration.countries.find(({ country }: any) => country === 'RWA');
    expect(rwanda.correspondents).toContainEqual(
      expect.objectContaining({ correspondent: 'MTN_MOMO_RWA', currency: 'RWF' }),
    );
    const availability = await ask('v1', 'getProviderAvailability');
    expect(availability.find(({ country }: any) => country === 'RWA').correspondents).toContainEqual(
      expect.objectContaining({ correspondent: 'MTN_MOMO_RWA' }),
    );
    expect(await ask('v1', 'getProviderPrediction', '+250 783 456 789')).toEqual({
      country: 'RWA',
      operator: 'MTN',
      correspondent: 'MTN_MOMO_RWA',
      msisdn: '250783456789',
    });
    const { balances } = await ask('v1', 'getWalletBalances');
    const ofRwanda = await ask('v1', 'getWalletBalancesByCountry', 'RWA');
    expect(ofRwanda.balances).toEqual(balances.filter(({ country }: any) => country === 'RWA'));
    expect(ofRwanda.balances).toMatchObject([{ country: 'RWA', currency: 'RWF', mno: '' }]);
  });

  test('v2: active configuration, availability, prediction, balances', async () => {
    const { countries } = await ask('v2', 'getActiveConfiguration');
    const rwanda = countries.find(({ country }: any) => country === 'RWA');
    expect(rwanda.providers).toContainEqual(expect.objectContaining({ provider: 'MTN_MOMO_RWA' }));
    const availability = await ask('v2', 'getProviderAvailability');
    expect(availability.find(({ country }: any) => country === 'RWA').providers).toContainEqual(
      expect.objectContaining({ provider: 'MTN_MOMO_RWA' }),
    );
    expect(await ask('v2', 'getProviderPrediction', '+250 783 456 789')).toEqual({
      country: 'RWA',
      provider: 'MTN_MOMO_RWA',
      phoneNumber: '250783456789',
    });
    const { balances } = await ask('v2', 'getWalletBalances');
    expect(balances).toContainEqual(
      expect.objectContaining({ country: 'RWA', currency: 'RWF', provider: '' }),
    );
  });
});

test.each(['v1', 'v2'] as const)('%s: the public keys that callbacks are verified with', async (version) => {
  const [current] = await ask(version, 'getPublicKeys');
  expect(current).toMatchObject({ key: expect.stringContaining('BEGIN PUBLIC KEY') });
});

test('v2: a remittance is sent, read, announced again, and cancelled while it waits', async () => {
  const request = remittanceRequest();
  const { remittanceId } = request;
  expect(await ask('v2', 'initiateRemittance', request)).toMatchObject({ remittanceId, status: 'ACCEPTED' });
  await completes('v2', 'checkRemittanceStatus', remittanceId);
  await announcesAgain('v2', 'resendRemittanceCallback', remittanceId);
  await whileDelayed('REMITTANCE', async () => {
    const waiting = remittanceRequest();
    await ask('v2', 'initiateRemittance', waiting);
    await eventually(async () =>
      statusIn.v2(await ask('v2', 'checkRemittanceStatus', waiting['remittanceId'])),
    ).toBe('ENQUEUED');
    const cancelled = await ask('v2', 'cancelEnqueuedRemittance', waiting['remittanceId']);
    expect(cancelled).toMatchObject({ status: 'ACCEPTED' });
  });
});

const PAGES = {
  v1: { amount: '100', msisdn: '250783456789', statementDescription: 'Order 123456' },
  v2: {
    amountDetails: { amount: '100', currency: 'RWF' },
    phoneNumber: '250783456789',
    customerMessage: 'Order 123456',
  },
};

test.each(['v1', 'v2'] as const)('%s: a payment page is opened, and people can see it', async (version) => {
  const depositId = randomUUID();
  const request = {
    depositId,
    returnUrl: 'https://shop.example/back',
    language: 'EN',
    country: 'RWA',
    reason: 'Tickets',
    ...PAGES[version],
  };
  const answer = await clients[version]['requestPayPage']!(request);
  expect(answer).toMatchObject({ success: true, status: 201 });
  const page = await fetch(answer.data.redirectUrl);
  expect(page.status).toBe(200);
  expect(await page.text()).toContain('Tickets');
  // Nothing is a deposit before the payer presses Pay.
  const found = await ask(version, 'checkDepositStatus', depositId);
  expect(found).toEqual(version === 'v1' ? [] : { status: 'NOT_FOUND' });
});

test('v2: a statement of today is asked for, announced, read and fetched, and adds up', async () => {
  const today = new Date().toISOString().slice(0, 10);
  const answer = await ask('v2', 'requestStatement', {
    wallet: { country: 'RWA', currency: 'RWF', provider: '' },
    callbackUrl: receiver.url,
    startDate: today,
    endDate: today,
    compressed: false,
  });
  expect(answer).toMatchObject({ status: 'ACCEPTED' });
  const { statementId } = answer;
  // Nothing is made before everything of its time is written.
  await waitUntil(async () => announcements(statementId) > 0, { timeout: 150_000 });
  const { status, data } = await ask('v2', 'getStatementStatus', statementId);
  expect([status, data.status]).toEqual(['FOUND', 'COMPLETED']);
  expectToAddUp(await fetchRows(data));
  expect(await ask('v2', 'getStatementStatus', randomUUID())).toEqual({ status: 'NOT_FOUND' });
  const wrong = { wallet: { country: 'XXX', currency: 'XXX' }, callbackUrl: receiver.url };
  const rejected = await ask('v2', 'requestStatement', { ...wrong, startDate: today, endDate: today });
  expect(rejected).toMatchObject({
    status: 'REJECTED',
    failureReason: { failureCode: 'WALLET_NOT_FOUND' },
  });
});

test.each(['v1', 'v2'] as const)('every call of %s was made', (version) => {
  expect([...used[version]].toSorted()).toEqual(Object.keys(clients[version]).toSorted());
});
