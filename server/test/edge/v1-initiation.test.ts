// What a request of API v1 that starts a payment can be answered. Rows of api.md about records of
// API v1, "Initiation statuses" and "Errors", of completions "Where two readers would build different things", 3.3.
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { changeAvailability } from '../../src/core/merchants/administer-merchants.ts';
import type { PaymentKind } from '../../src/domain/payments/payment.ts';
import type { Availability } from '../../src/store/operators/availability.ts';
import {
  completeEarlier,
  earlierDeposit,
  earlierPayout,
  earlierRefund,
  msisdn,
  sendEarlier,
  startEarlier,
} from '../v1.ts';
import { call, openTestGateway, type Answer, type TestGateway } from '../gateway.ts';
import { send, topUp } from '../payments.ts';
import { payoutRequest, type Body } from '../requests.ts';
import { openAccount, openToken, type Account } from './accounts.ts';
import { withoutTable } from './missing-table.ts';

const PROVIDER = 'MTN_MOMO_RWA';

let gateway: TestGateway;
/** Has one provider and money. */
let account: Account;
beforeAll(async () => {
  gateway = await openTestGateway();
  account = await openAccount(gateway, {
    operations: ['DEPOSIT', 'PAYOUT', 'REFUND'],
    providers: [PROVIDER],
  });
  await topUp(gateway, account.merchantId, '1000000');
});
afterAll(() => gateway.stop());

/** "200 ACCEPTED", "200 REJECTED INVALID_AMOUNT", "400 1 amount": the last is what the message has in single quotes. */
function told({ status, body }: Answer): string {
  const quoted = /'([^']*)'/.exec(body['errorMessage'] ?? '')?.[1];
  const { errorCode, rejectionReason } = body;
  return [status, body['status'], rejectionReason?.rejectionCode, errorCode, quoted]
    .filter((part) => part !== undefined)
    .join(' ');
}

async function whileIt<Value>(
  is: Availability,
  operation: PaymentKind,
  work: () => Promise<Value>,
): Promise<Value> {
  const set = (status: Availability) =>
    changeAvailability(gateway.engine, { by: 'test', provider: PROVIDER, operation, status });
  await set(is);
  try {
    return await work();
  } finally {
    await set('OPERATIONAL');
  }
}

describe('the initiation response', () => {
  test.each([
    ['deposit', () => earlierDeposit()],
    ['payout', () => earlierPayout()],
  ] as const)(
    'of a %s: identifier, status and created; a repeat has the first created',
    async (noun, make) => {
      const request = make();
      const id = `${noun}Id`;
      const { status, body } = await sendEarlier(account, noun, request);
      expect(status).toBe(200);
      expect(body).toEqual({
        [id]: request[id],
        status: 'ACCEPTED',
        created: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      });
      expect((await sendEarlier(account, noun, request)).body).toEqual({
        ...body,
        status: 'DUPLICATE_IGNORED',
      });
    },
  );

  test('REJECTED: rejectionReason is an object with rejectionCode and rejectionMessage, and no created', async () => {
    const request = earlierPayout({ amount: '0' });
    expect((await sendEarlier(account, 'payout', request)).body).toEqual({
      payoutId: request['payoutId'],
      status: 'REJECTED',
      rejectionReason: {
        rejectionCode: 'AMOUNT_TOO_SMALL',
        rejectionMessage: expect.stringMatching(/'\d+'.*'\d+'.*'MTN_MOMO_RWA'/),
      },
    });
  });

  test('a payout is ENQUEUED while the provider is DELAYED, alone and in bulk', async () => {
    await whileIt('DELAYED', 'PAYOUT', async () => {
      const request = earlierPayout();
      expect(told(await sendEarlier(account, 'payout', request))).toBe('200 ENQUEUED');
      expect(told(await sendEarlier(account, 'payout', request))).toBe('200 DUPLICATE_IGNORED');
      const { body } = await call(account, 'POST', '/payouts/bulk', [earlierPayout(), request]);
      expect(body).toMatchObject([{ status: 'ENQUEUED' }, { status: 'DUPLICATE_IGNORED' }]);
      expect((await send(account, 'payout', payoutRequest())).body).toMatchObject({ status: 'ACCEPTED' });
    });
  });

  test('a refund that waits is ACCEPTED all the same', async () => {
    const depositId = await completeEarlier(account, 'deposit', earlierDeposit());
    await whileIt('DELAYED', 'REFUND', async () => {
      expect(told(await sendEarlier(account, 'refund', earlierRefund(depositId)))).toBe('200 ACCEPTED');
    });
  });
});

describe('rejection codes of 3.3', () => {
  const parties = { deposit: 'payer', payout: 'recipient' };
  const requests = { deposit: earlierDeposit, payout: earlierPayout };

  describe.each(['deposit', 'payout'] as const)('%s', (noun) => {
    test.each<[string, Body]>([
      [
        noun === 'deposit' ? 'INVALID_PAYER_FORMAT' : 'INVALID_RECIPIENT_FORMAT',
        { party: msisdn('0783456789') },
      ],
      ['INVALID_CORRESPONDENT', { correspondent: 'AIRTEL_RWA', party: msisdn('250733456789') }],
      ['INVALID_AMOUNT', { amount: '100.00' }],
      ['AMOUNT_TOO_SMALL', { amount: '1' }],
      ['AMOUNT_TOO_LARGE', { amount: '999999999' }],
      ['INVALID_CURRENCY', { currency: 'USD' }],
      ['INVALID_COUNTRY', { country: 'ZMB' }],
    ])('%s', async (code, { party, ...changes }) => {
      const request = requests[noun]({ ...changes, ...(party !== undefined && { [parties[noun]]: party }) });
      expect(told(await sendEarlier(account, noun, request))).toBe(`200 REJECTED ${code}`);
    });

    test('CORRESPONDENT_TEMPORARILY_UNAVAILABLE', async () => {
      const operation = noun.toUpperCase() as PaymentKind;
      const answer = await whileIt('CLOSED', operation, () => sendEarlier(account, noun, requests[noun]()));
      expect(told(answer)).toBe('200 REJECTED CORRESPONDENT_TEMPORARILY_UNAVAILABLE');
    });

    test('…S_NOT_ALLOWED is a rejection with 200', async () => {
      const other = await openAccount(gateway, { operations: ['REFUND'] });
      expect(told(await sendEarlier(other, noun, requests[noun]()))).toBe(
        `200 REJECTED ${noun.toUpperCase()}S_NOT_ALLOWED`,
      );
    });
  });

  test('payout BALANCE_INSUFFICIENT', async () => {
    const poor = await openAccount(gateway, { operations: ['PAYOUT'] });
    expect(told(await sendEarlier(poor, 'payout', earlierPayout()))).toBe(
      '200 REJECTED BALANCE_INSUFFICIENT',
    );
  });

  test('a rejected identifier stays free; INVALID_COUNTRY comes after the duplicate', async () => {
    const request = earlierDeposit({ country: 'ZMB' });
    expect(told(await sendEarlier(account, 'deposit', request))).toBe('200 REJECTED INVALID_COUNTRY');
    const corrected = { ...request, country: 'RWA' };
    expect(told(await sendEarlier(account, 'deposit', corrected))).toBe('200 ACCEPTED');
    expect(told(await sendEarlier(account, 'deposit', request))).toBe('200 DUPLICATE_IGNORED');
  });

  describe('refund', () => {
    test('DEPOSIT_NOT_FOUND', async () => {
      const answer = await sendEarlier(account, 'refund', earlierRefund(randomUUID()));
      expect(told(answer)).toBe('200 REJECTED DEPOSIT_NOT_FOUND');
    });

    test('DEPOSIT_NOT_COMPLETED', async () => {
      const stuck = earlierDeposit({ payer: msisdn('250783456129') });
      const depositId = await startEarlier(account, 'deposit', stuck);
      const answer = await sendEarlier(account, 'refund', earlierRefund(depositId));
      expect(told(answer)).toBe('200 REJECTED DEPOSIT_NOT_COMPLETED');
    });

    test('AMOUNT_TOO_LARGE, IN_PROGRESS and ALREADY_REFUNDED', async () => {
      const depositId = await completeEarlier(account, 'deposit', earlierDeposit());
      const ask = (changes: Body = {}) => sendEarlier(account, 'refund', earlierRefund(depositId, changes));
      expect(told(await ask({ amount: '101' }))).toBe('200 REJECTED AMOUNT_TOO_LARGE');
      await whileIt('DELAYED', 'REFUND', async () => {
        expect(told(await ask({ amount: '40' }))).toBe('200 ACCEPTED');
        expect(told(await ask({ amount: '40' }))).toBe('200 REJECTED IN_PROGRESS');
      });
      const other = await completeEarlier(account, 'deposit', earlierDeposit());
      await completeEarlier(account, 'refund', earlierRefund(other));
      const answer = await sendEarlier(account, 'refund', earlierRefund(other));
      expect(told(answer)).toBe('200 REJECTED ALREADY_REFUNDED');
    });

    test('AMOUNT_TOO_SMALL, INVALID_AMOUNT and REFUNDS_NOT_ALLOWED', async () => {
      const depositId = await completeEarlier(account, 'deposit', earlierDeposit());
      const ask = (changes: Body) => sendEarlier(account, 'refund', earlierRefund(depositId, changes));
      expect(told(await ask({ amount: '0' }))).toBe('200 REJECTED AMOUNT_TOO_SMALL');
      expect(told(await ask({ amount: '50.00' }))).toBe('200 REJECTED INVALID_AMOUNT');
      const other = await openAccount(gateway, { operations: ['DEPOSIT'] });
      expect(told(await sendEarlier(other, 'refund', earlierRefund(depositId)))).toBe(
        '200 REJECTED REFUNDS_NOT_ALLOWED',
      );
    });
  });
});

describe('legacy errors', () => {
  test('{ errorId, errorCode, errorMessage } and nothing else; each has an errorId of its own', async () => {
    const request = { ...earlierDeposit(), surplus: 1 };
    const first = await sendEarlier(account, 'deposit', request);
    const second = await sendEarlier(account, 'deposit', request);
    expect(first.body).toEqual({
      errorId: expect.stringMatching(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/),
      errorCode: 1,
      errorMessage: "The parameter 'surplus' is not supported.",
    });
    expect(first.body['errorId']).not.toBe(second.body['errorId']);
  });

  test('0 internal error: 500', async () => {
    await withoutTable(gateway, 'payment_keys', async () => {
      expect(told(await sendEarlier(account, 'deposit', earlierDeposit()))).toBe('500 0');
    });
  });

  test.each<[string, string, Body]>([
    ['a body that is not JSON', '400 1', '{' as never],
    ['a required field that is missing', '400 1 payer', { payer: undefined }],
    ['a number where a text belongs', '400 1 amount', { amount: 100 }],
    ['a correspondent no one has', '400 1 correspondent', { correspondent: 'NO_ONE' }],
    ['a correspondent that redirects its payers', '400 1 correspondent', { correspondent: 'WAVE_SEN' }],
    [
      'no one-time code where the correspondent needs one',
      '400 1 preAuthorisationCode',
      { correspondent: 'ORANGE_BFA' },
    ],
    ['a field of API v2 before what is missing', '400 1 provider', { provider: 'X', payer: undefined }],
    ['a time that is none', '400 1 customerTimestamp', { customerTimestamp: '2020-02-30' }],
    [
      'a metadata name given twice',
      '400 1 a',
      {
        metadata: [
          { fieldName: 'a', fieldValue: '1' },
          { fieldName: 'a', fieldValue: '2' },
        ],
      },
    ],
    [
      'B3: a metadata name of 101 characters',
      '400 1 metadata[0].fieldName',
      { metadata: [{ fieldName: 'n'.repeat(101), fieldValue: 'x' }] },
    ],
    [
      'B3: a metadata value of 1,001 characters',
      '400 1 metadata[0].fieldValue',
      { metadata: [{ fieldName: 'a', fieldValue: 'x'.repeat(1_001) }] },
    ],
    [
      '11 metadata entries',
      '400 1 metadata',
      { metadata: Array.from({ length: 11 }, (_, index) => ({ fieldName: `${index}`, fieldValue: 'x' })) },
    ],
  ])('1 invalid input: %s is %s', async (_, expected, changes) => {
    const body = typeof changes === 'string' ? changes : earlierDeposit(changes);
    expect(told(await sendEarlier(account, 'deposit', body))).toBe(expected);
  });

  test('1 invalid input: a malformed identifier in a path', async () => {
    expect(told(await call(account, 'GET', '/deposits/x'))).toBe('400 1 depositId');
  });

  test('1 invalid input: a list that is too long, or holds a fault, is one error', async () => {
    const many = Array.from({ length: 21 }, () => earlierPayout());
    expect(told(await call(account, 'POST', '/payouts/bulk', many))).toBe('400 1');
    const [good, bad] = [earlierPayout(), earlierPayout({ currency: 'rwf' })];
    expect(told(await call(account, 'POST', '/payouts/bulk', [good, bad]))).toBe('400 1 [1].currency');
  });

  test('2 authentication error: 401', async () => {
    const stranger = { url: gateway.url, apiToken: 'secret' };
    expect(told(await sendEarlier(stranger, 'deposit', earlierDeposit()))).toBe('401 2');
    expect(told(await call(stranger, 'GET', `/deposits/${randomUUID()}`))).toBe('401 2');
  });

  test('3 authorization error: 403, naming the scope', async () => {
    const weak = await openToken(gateway, account.merchantId, { scopes: ['deposits:read'] });
    expect(told(await sendEarlier(weak, 'deposit', earlierDeposit()))).toBe('403 3 deposits:write');
  });

  test.each([
    ['404', 'GET', '/deposits/x/y', undefined],
    ['404', 'GET', '/v1/nothing', undefined],
    ['405', 'PUT', '/deposits', undefined],
    ['413', 'POST', '/deposits', 'x'.repeat(1_048_577)],
  ])('errorCode 1 for %s: %s %s', async (status, method, path, body) => {
    const answer = await call(account, method, path, body);
    expect(told(answer).slice(0, 5)).toBe(`${status} 1`);
  });

  test('a wrong Content-Type on a body is 400 with errorCode 1', async () => {
    const answer = await call(account, 'POST', '/deposits', earlierDeposit(), {
      'content-type': 'text/plain',
    });
    expect(told(answer)).toBe('400 1');
  });

  test('a path of no one is told in the words of API v2', async () => {
    const { status, body } = await call(account, 'GET', '/nothing');
    expect([status, body['failureReason'].failureCode]).toEqual([404, 'ROUTE_NOT_FOUND']);
  });
});

describe('C7: faults of a payout are reported in the order of the specification', () => {
  const FIELDS = [
    'payoutId',
    'amount',
    'currency',
    'correspondent',
    'recipient',
    'customerTimestamp',
    'statementDescription',
    'country',
    'metadata',
  ];

  test.each(FIELDS.slice(0, -1).map((field, index) => [field, FIELDS.slice(index)] as const))(
    '%s comes before everything behind it',
    async (first, wrong) => {
      const request = earlierPayout(Object.fromEntries(wrong.map((field) => [field, 17])));
      expect(told(await sendEarlier(account, 'payout', request))).toBe(`400 1 ${first}`);
    },
  );
});

async function startedAt(customerTimestamp: string): Promise<string> {
  return told(await sendEarlier(account, 'deposit', earlierDeposit({ customerTimestamp })));
}

describe('C8: a leap second is a time', () => {
  test.each(['2016-12-31T23:59:60Z', '1990-12-31T15:59:60-08:00', '2012-06-30T23:59:60.5Z'])(
    '%s is accepted',
    async (time) => expect(await startedAt(time)).toBe('200 ACCEPTED'),
  );

  test.each(['2016-12-31T22:59:60Z', '2016-12-30T23:59:60Z', '2016-12-31T23:59:61Z'])(
    '%s is not a time, because leap seconds end a month of UTC',
    async (time) => expect(await startedAt(time)).toBe('400 1 customerTimestamp'),
  );
});
