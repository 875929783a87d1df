// Vodacom's words and forms, as its README lists them, and the habits of its fake that the suite of all connectors
// does not know of. Everything that is the same for every operator is in contract.ts.
import { generateKeyPairSync } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Exchange, OperatorContext } from '../../src/connectors/operator.ts';
import type { Connector, StoredAttempt, SubmitAnswer } from '../../src/connectors/port.ts';
import type { KeptToken } from '../../src/connectors/token-source.ts';
import { vodacomMpesa } from '../../src/connectors/vodacom-mpesa/connector.ts';
import { parseCode, parseEnquiryCode, parseStatus } from '../../src/connectors/vodacom-mpesa/failures.ts';
import { startFake } from '../../src/connectors/vodacom-mpesa/fake.ts';
import { addressOf, findMarket, marketOf } from '../../src/connectors/vodacom-mpesa/markets.ts';
import {
  acknowledge,
  parseStatusAnswer,
  parseSubmitAnswer,
  renderDescription,
  renderRequest,
} from '../../src/connectors/vodacom-mpesa/wire.ts';
import { findProvider, listProviders } from '../../src/domain/operators/catalogue.ts';
import type { PaymentKind } from '../../src/domain/payments/payment.ts';
import { readTextTable } from '../domain/text-table.ts';

const PAGE = readFileSync(new URL('../../src/connectors/vodacom-mpesa/README.md', import.meta.url), 'utf8');

/** Every code that Vodacom's pages list for what we ask, and those of Mozambique's older page. */
const CODES = `
  1 2 4 5 6 9 10 13 14 15 16 17 18 19 20 21 22 23 24 25 26 28 30 31 35
  990 991 992 993 994 995 996 997 998 2001 2002 2006 2051 2057`
  .trim()
  .split(/\s+/)
  .map((number) => `INS-${number}`);

const tableUnder = (heading: string) => {
  const table = PAGE.slice(PAGE.indexOf(heading)).split('\n\n')[0] ?? '';
  return readTextTable(table).flatMap(([, names = '', ...cells]) =>
    [...names.matchAll(/`([^`]+)`/g)].map(([, name = '']) => ({ name, cells })),
  );
};

const OUTGOING: readonly PaymentKind[] = ['PAYOUT', 'REFUND'];

describe('codes', () => {
  const rows = tableUnder("| Vodacom's code").map(({ name: code, cells }) => {
    const [deposit = '', transfer = '', olderDeposit = '', olderTransfer = ''] = cells.map((cell) =>
      cell.replace(/:.*/, ''),
    );
    return { code, deposit, transfer, olderDeposit, olderTransfer };
  });

  test('every known code is in the README once', () => {
    expect(rows.map(({ code }) => code).toSorted()).toEqual(CODES.toSorted());
  });

  test.each(rows)('$code is $deposit of a deposit and $transfer otherwise', ({ code, deposit, transfer }) => {
    for (const provider of ['VODACOM_TZA', 'VODACOM_MPESA_COD', 'MPESA_LSO', 'VODAFONE_GHA']) {
      expect(wordFor(code, 'DEPOSIT', provider)).toBe(deposit);
      for (const kind of OUTGOING) expect(wordFor(code, kind, provider)).toBe(transfer);
    }
  });

  test.each(rows)('$code is $olderDeposit in Mozambique', ({ code, olderDeposit, olderTransfer }) => {
    expect(wordFor(code, 'DEPOSIT', 'VODACOM_MOZ')).toBe(olderDeposit);
    for (const kind of OUTGOING) expect(wordFor(code, kind, 'VODACOM_MOZ')).toBe(olderTransfer);
  });

  test.each(['', 'toString', 'INS-0', 'INS-4711', 'ins-5', '5'])('%j is not mapped', (code) => {
    expect(wordFor(code, 'DEPOSIT', 'VODACOM_TZA')).toBe('not mapped');
  });

  test.each(CODES)('%s to an enquiry ends a payment only if it cannot be about the question', (code) => {
    const isThePayments = ['INS-5', 'INS-2006', 'INS-2051'].includes(code);
    for (const provider of vodacomMpesa.providers) {
      const meaning = parseEnquiryCode(code, { operation: 'DEPOSIT', provider });
      expect(meaning?.type).not.toBe(isThePayments ? 'NOT_FINAL' : 'FAILED');
    }
  });
});

describe('statuses', () => {
  test.each(tableUnder('| Status |'))('$name', ({ name, cells: [deposit = '', transfer = ''] }) => {
    for (const provider of vodacomMpesa.providers) {
      expect(wordForStatus(name, 'DEPOSIT', provider)).toBe(deposit);
      for (const kind of OUTGOING) expect(wordForStatus(name, kind, provider)).toBe(transfer);
    }
  });
});

function wordFor(code: string, operation: PaymentKind, provider: string): string {
  const meaning = parseCode(code, { operation, provider });
  if (meaning === null) return 'not mapped';
  if (meaning.type === 'NOT_FINAL') return 'not final';
  return meaning.isAlert === true ? 'Host' : meaning.code;
}

function wordForStatus(status: string, operation: PaymentKind, provider: string): string {
  const meaning = parseStatus(status, { operation, provider });
  if (meaning === null || typeof meaning === 'string') return meaning ?? 'not mapped';
  return meaning.type === 'FAILED' ? meaning.code : meaning.type;
}

const deposit: StoredAttempt = {
  reference: '00017c2f9c3b4d418a550f6b7c1d2e3f',
  operation: 'DEPOSIT',
  provider: 'VODACOM_TZA',
  country: 'TZA',
  amount: 10_000_000n,
  currency: 'TZS',
  phoneNumber: '255763456789',
  customerMessage: "Café d'Élise & fils",
  notificationUrl: 'https://gateway.example/n',
  attemptNo: 1,
  claimedAt: new Date(),
};

const outcomeText = ({ outcome }: SubmitAnswer) => {
  const word = 'code' in outcome ? outcome.code : 'reason' in outcome ? outcome.reason : '';
  return `${outcome.type} ${word}`.trim();
};

describe('the answer to a request', () => {
  const done = {
    output_ResponseCode: 'INS-0',
    output_TransactionID: 'hv9ahxcg4ccv',
    output_ConversationID: 'fd1e9143d22544459f7c66e1860ef276',
    output_ThirdPartyConversationID: deposit.reference,
  };
  const coded = (code: string) => ({ ...done, output_ResponseCode: code, output_TransactionID: 'N/A' });

  test.each([
    ['a success at once', 201, done, 'COMPLETED', undefined],
    ['an acknowledgement', 201, { ...done, output_TransactionID: undefined }, 'PENDING', undefined],
    ['one that says so in words', 200, { ...done, output_TransactionID: 'N/A' }, 'PENDING', undefined],
    ['a repeat', 409, coded('INS-10'), 'PENDING', undefined],
    ['a payer who took his time', 408, coded('INS-9'), 'PENDING', undefined],
    ['a payment that failed', 401, coded('INS-6'), 'FAILED UNSPECIFIED_FAILURE', undefined],
    ['too little money', 422, coded('INS-2006'), 'FAILED INSUFFICIENT_BALANCE', undefined],
    ['the same with another status', 200, coded('INS-2006'), 'FAILED INSUFFICIENT_BALANCE', undefined],
    ['a short code of no one', 400, coded('INS-13'), 'FAILED OTHER_ERROR', 'INS-13'],
    ['an internal error', 500, coded('INS-1'), 'UNKNOWN OPERATOR_ERROR', undefined],
    ['an empty code', 400, coded(''), 'UNKNOWN OPERATOR_ERROR', undefined],
    ['an empty code with 200', 200, coded(''), 'UNKNOWN UNREADABLE_ANSWER', undefined],
    ['a code no one knows', 400, coded('INS-4711'), 'UNKNOWN UNMAPPED_CODE', undefined],
    ['a success with an error', 500, done, 'UNKNOWN OPERATOR_ERROR', undefined],
    [
      "another payment's",
      201,
      { ...done, output_ThirdPartyConversationID: 'other' },
      'UNKNOWN UNREADABLE_ANSWER',
      undefined,
    ],
    ['a gateway that refuses', 403, '<html>', 'UNKNOWN OPERATOR_ERROR', 'FORBIDDEN'],
  ])('%s', (_title, httpStatus, body, expected, alert) => {
    const answer = parseSubmitAnswer({ httpStatus, text: JSON.stringify(body) }, deposit);
    expect([outcomeText(answer), answer.alert]).toEqual([expected, alert]);
  });

  test('a time-out is UNKNOWN where no payer was asked', () => {
    const text = JSON.stringify(coded('INS-9'));
    const answer = parseSubmitAnswer({ httpStatus: 408, text }, { ...deposit, operation: 'PAYOUT' });
    expect(outcomeText(answer)).toBe('UNKNOWN OPERATOR_ERROR');
  });

  test('the answer to a request has the receipt and the conversation', () => {
    expect(parseSubmitAnswer({ httpStatus: 201, text: JSON.stringify(done) }, deposit)).toMatchObject({
      outcome: { type: 'COMPLETED', providerTransactionId: 'hv9ahxcg4ccv' },
      providerReference: 'fd1e9143d22544459f7c66e1860ef276',
    });
  });
});

const told = (body: object, { httpStatus = 200, attempt = deposit } = {}) =>
  parseStatusAnswer({ httpStatus, text: JSON.stringify(body) }, attempt);

describe('the answer to an enquiry', () => {
  const completed = {
    output_ResponseCode: 'INS-0',
    output_ResponseTransactionStatus: 'Completed',
    output_OriginalTransactionID: '4C123GE3',
    output_Reversed: 'False',
  };

  test.each([
    ['INS-23 about an order no one acknowledged', { output_ResponseCode: 'INS-23' }, 'NOT_SEEN'],
    ['a failure of the question', { output_ResponseCode: 'INS-6' }, 'UNKNOWN OPERATOR_ERROR'],
    ['a limit that the question may have met', { output_ResponseCode: 'INS-993' }, 'UNKNOWN OPERATOR_ERROR'],
    ["the payment's own code", { output_ResponseCode: 'INS-2006' }, 'FAILED INSUFFICIENT_BALANCE'],
    [
      'a status no one knows',
      { ...completed, output_ResponseTransactionStatus: 'Parked' },
      'UNKNOWN UNMAPPED_CODE',
    ],
    ['no status', { output_ResponseCode: 'INS-0' }, 'UNKNOWN UNREADABLE_ANSWER'],
    ['one that was undone again', { ...completed, output_Reversed: 'True' }, 'UNKNOWN UNMAPPED_CODE'],
    ['a success without a receipt', { ...completed, output_OriginalTransactionID: 'N/A' }, 'COMPLETED'],
  ])('%s', (_title, body, expected) => {
    expect(outcomeText(told(body))).toBe(expected);
  });

  test('D: INS-23 proves nothing in Mozambique, where it means an unknown status', () => {
    const attempt = { ...deposit, provider: 'VODACOM_MOZ' };
    const answer = told({ output_ResponseCode: 'INS-23' }, { httpStatus: 400, attempt });
    expect(answer.outcome).toEqual({ type: 'UNKNOWN', reason: 'OPERATOR_ERROR' });
  });

  test('INS-23 about a request that was acknowledged says nothing', () => {
    const attempt = { ...deposit, providerReference: 'fd1e9143d22544459f7c66e1860ef276' };
    const answer = told({ output_ResponseCode: 'INS-23' }, { httpStatus: 400, attempt });
    expect(outcomeText(answer)).toBe('UNKNOWN OPERATOR_ERROR');
  });

  test.each([
    [completed, '4C123GE3'],
    [
      { ...completed, output_OriginalTransactionID: undefined, output_TransactionID: '5C1400CVRO' },
      '5C1400CVRO',
    ],
  ])('%j tells the receipt', (body, providerTransactionId) => {
    expect(told(body).outcome).toEqual({ type: 'COMPLETED', providerTransactionId });
  });
});

describe('requests', () => {
  const values = { serviceProviderCode: 'ORG001' };

  test('of the OpenAPI have a country, a currency and a plain description', () => {
    expect(JSON.parse(renderRequest(deposit, values))).toEqual({
      input_Amount: '1000',
      input_CustomerMSISDN: '255763456789',
      input_TransactionReference: '8a550f6b7c1d2e3f'.padStart(20, '4d41'),
      input_ThirdPartyConversationID: deposit.reference,
      input_ServiceProviderCode: 'ORG001',
      input_Country: 'TZN',
      input_Currency: 'TZS',
      input_PurchasedItemsDesc: 'Cafe d Elise fils',
    });
  });

  test('of Mozambique have neither, and another name for our reference', () => {
    const order = { ...deposit, provider: 'VODACOM_MOZ', operation: 'PAYOUT' } as const;
    expect(Object.keys(JSON.parse(renderRequest(order, values)) as object).toSorted()).toEqual([
      'input_Amount',
      'input_CustomerMSISDN',
      'input_ServiceProviderCode',
      'input_ThirdPartyReference',
      'input_TransactionReference',
    ]);
  });

  test('a message of which nothing is left still describes something', () => {
    expect(renderDescription({ customerMessage: '***' })).toBe('Payment');
  });

  test.each([
    ['https://openapi.m-pesa.com/openapi', 'VODACOM_MPESA_COD', 'PAYOUT', '/ipg/v2/vodacomDRC/b2cPayment/'],
    ['https://api.vm.co.mz', 'VODACOM_MOZ', 'DEPOSIT', ':18352/ipg/v1x/c2bPayment/singleStage/'],
    ['https://api.vm.co.mz', 'VODACOM_MOZ', 'PAYOUT', ':18345/ipg/v1x/b2cPayment/'],
    ['https://api.vm.co.mz', 'VODACOM_MOZ', 'REFUND', ':18354/ipg/v1x/reversal/'],
    ['https://api.vm.co.mz', 'VODACOM_MOZ', 'QUERY', ':18353/ipg/v1x/queryTransactionStatus/'],
    ['http://tunnel.example:8080', 'VODACOM_MOZ', 'QUERY', '/ipg/v1x/queryTransactionStatus/'],
  ] as const)('at %s, %s %s goes to %s', (baseUrl, provider, name, rest) => {
    expect(addressOf(baseUrl, marketOf(provider), name)).toBe(baseUrl + rest);
  });

  test('every provider of the catalogue that is theirs has a market', () => {
    const codes = listProviders().map(({ code }) => code);
    expect(vodacomMpesa.providers.toSorted()).toEqual(
      codes.filter((code) => findMarket(code) !== null).toSorted(),
    );
    expect(vodacomMpesa.providers.map(findMarket)).not.toContain(null);
    expect(findMarket('VODACOM_UGA')).toBeNull();
  });
});

test('a result is acknowledged with its own identifiers', () => {
  const body = Buffer.from('{"input_OriginalConversationID":"5b28","input_ThirdPartyReference":"11114"}');
  const raw = { body, headers: {}, pathSecretIsGenuine: false, receivedAt: new Date() };
  expect(acknowledge(raw)).toEqual({
    output_OriginalConversationID: '5b28',
    output_ResponseCode: '0',
    output_ResponseDesc: 'Successfully Accepted Result',
    output_ThirdPartyConversationID: '11114',
  });
});

describe('with the fake', () => {
  const OPEN = { isOpen: () => true };
  let fake: Awaited<ReturnType<typeof startFake>>;
  let connector: Connector;
  let traffic: Exchange[];
  beforeEach(async () => {
    traffic = [];
    fake = await startFake({ deposits: 'AT_ONCE' });
    connector = connect();
  });
  afterEach(async () => {
    await fake.stop();
    await connector.close?.();
  });

  const connect = (changes: Record<string, string> = {}) =>
    vodacomMpesa.create(
      contextOf((provider) => ({ ...fake.credentialsOf(provider)['default'], ...changes })),
    );

  test('a deposit that is answered at once is COMPLETED with its receipt, and can be refunded', async () => {
    for (const provider of vodacomMpesa.providers) {
      const order = orderOf({ provider });
      const { outcome } = await connector.submit(order, OPEN);
      if (outcome.type !== 'COMPLETED') throw new Error(outcome.type);
      const original = { ...order, providerTransactionId: outcome.providerTransactionId! };
      const refund = { ...orderOf({ provider, operation: 'REFUND' }), original };
      expect((await connector.refund!.submit(refund, OPEN)).outcome.type).toBe('COMPLETED');
      // What was given back whole cannot be refunded again.
      const again = { ...orderOf({ provider, operation: 'REFUND' }), original };
      expect(outcomeText(await connector.refund!.submit(again, OPEN))).toBe('FAILED OTHER_ERROR');
    }
  });

  test('a refund of a deposit without a receipt is not sent, and raises an alert for the host', async () => {
    const refund = { ...orderOf({ operation: 'REFUND' }), original: orderOf({}) };
    const answer = await connector.refund!.submit(refund, OPEN);
    expect([outcomeText(answer), answer.alert]).toEqual(['FAILED OTHER_ERROR', 'NO_RECEIPT']);
    expect(traffic).toEqual([]);
  });

  test.each([
    ['INS-5', 'FAILED PAYMENT_NOT_APPROVED', 'FAILED PAYMENT_NOT_APPROVED'],
    ['INS-6', 'FAILED UNSPECIFIED_FAILURE', 'FAILED UNSPECIFIED_FAILURE'],
    ['INS-9', 'PENDING', 'FAILED PAYMENT_NOT_APPROVED'],
    ['INS-2006', 'FAILED INSUFFICIENT_BALANCE', 'FAILED INSUFFICIENT_BALANCE'],
    ['INS-1', 'UNKNOWN OPERATOR_ERROR', 'UNKNOWN OPERATOR_ERROR'],
    [undefined, 'UNKNOWN OPERATOR_ERROR', 'FAILED PAYMENT_NOT_APPROVED'],
  ])('a deposit that ends with %s is %s, and %s when asked', async (failureCode, answered, asked) => {
    const code = failureCode === undefined ? {} : { failureCode };
    fake.addFault({ type: 'OUTCOME', status: 'FAILED', ...code });
    const order = orderOf({});
    expect(outcomeText(await connector.submit(order, OPEN))).toBe(answered);
    const said = await connector.query!(order);
    if (said.outcome === 'ENQUIRY_REQUESTED') throw new Error(said.outcome);
    expect(outcomeText(said)).toBe(asked);
    // A 401 with a code is no reason for another session, and for no second order.
    expect(traffic.map(({ step }) => step)).toEqual(['token', 'submit', 'query']);
  });

  test('a session that is used before it is valid is refused, and charges nothing', async () => {
    await fake.stop();
    await connector.close?.();
    fake = await startFake({ deposits: 'AT_ONCE', warmUpMs: 60_000 });
    connector = connect({ sessionWarmUpSeconds: '0' });
    const answer = await connector.submit(orderOf({}), OPEN);
    expect([outcomeText(answer), answer.alert]).toEqual(['UNKNOWN OPERATOR_ERROR', 'FORBIDDEN']);
    expect(fake.books().charges).toEqual([]);
  });

  test.each([
    ['another platform', 'VODACOM_TZA', { publicKey: strangerKey() }, 'UNKNOWN NOT_SENT'],
    ['no platform at all', 'VODACOM_TZA', { publicKey: 'bm8ga2V5' }, 'UNKNOWN NOT_SENT'],
    ['another origin', 'VODACOM_TZA', { origin: '*' }, 'UNKNOWN NOT_SENT'],
    ['another key', 'VODACOM_MOZ', { apiKey: 'somebody-elses' }, 'FAILED OTHER_ERROR'],
    ['another platform', 'VODACOM_MOZ', { publicKey: strangerKey() }, 'FAILED OTHER_ERROR'],
    ['another short code', 'VODACOM_MOZ', { serviceProviderCode: 'ORG001' }, 'FAILED OTHER_ERROR'],
  ])('an account of %s cannot charge %s', async (_title, provider, changes, expected) => {
    await connector.close?.();
    connector = connect(changes);
    expect(outcomeText(await connector.submit(orderOf({ provider }), OPEN))).toBe(expected);
    expect(fake.books().charges).toEqual([]);
  });

  test("Mozambique's reversals need initiator and credential", async () => {
    await connector.close?.();
    connector = connect({ securityCredential: 'not the one' });
    const order = orderOf({ provider: 'VODACOM_MOZ' });
    const { outcome } = await connector.submit(order, OPEN);
    if (outcome.type !== 'COMPLETED') throw new Error(outcome.type);
    const original = { ...order, providerTransactionId: outcome.providerTransactionId! };
    const refund = { ...orderOf({ provider: 'VODACOM_MOZ', operation: 'REFUND' }), original };
    const answer = await connector.refund!.submit(refund, OPEN);
    expect([outcomeText(answer), answer.alert]).toEqual(['FAILED OTHER_ERROR', 'INS-25']);
  });

  /** A context whose tokens and rates are this process's own. */
  function contextOf(valuesOf: (provider: string) => Readonly<Record<string, string>>): OperatorContext {
    let kept: KeptToken | null = null;
    return {
      clock: { now: () => new Date() },
      createAnswerUrl: () => Promise.reject(new Error('it answers at once')),
      findAccount: async ({ provider }) => {
        const values = valuesOf(provider);
        const rate = vodacomMpesa.rate;
        return { name: provider, provider, product: 'default', values, secrets: [], rate };
      },
      tokens: {
        find: async () => kept,
        lease: async () => true,
        keep: async (_account, token) => (kept = { ...token, issueNo: 1 }),
        release: async () => {},
        withdraw: async () => void (kept = null),
      },
      rates: { takeSlot: async () => 0, pause: async () => {} },
      record: (exchange) => void traffic.push(exchange),
      timing: { timeoutMs: 2_000 },
    };
  }
});

let orders = 0;

function orderOf(changes: Partial<StoredAttempt>): StoredAttempt {
  orders += 1;
  const provider = changes.provider ?? 'VODACOM_TZA';
  const currency = findProvider(provider)?.currencies[0]?.currency ?? '';
  const reference = orders.toString(16).padStart(32, '0');
  return { ...deposit, reference, currency, ...changes };
}

function strangerKey(): string {
  const { publicKey } = generateKeyPairSync('rsa', { modulusLength: 2_048 });
  return publicKey.export({ format: 'der', type: 'spki' }).toString('base64');
}
