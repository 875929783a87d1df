// Airtel's words and forms, as its README lists them. Everything that is the same for every operator is in contract.ts.
import { describe, expect, test } from 'vitest';
import { readFileSync } from 'node:fs';
import { parseCode } from '../../src/connectors/airtel-money/failures.ts';
import {
  parseBalanceAnswer,
  parseHolderAnswer,
  parseRefundAnswer,
  parseStatusAnswer,
  parseSubmitAnswer,
  parseTokenAnswer,
  renderCollection,
  renderDisbursement,
  renderRefund,
} from '../../src/connectors/airtel-money/wire.ts';
import type { SubmitAnswer } from '../../src/connectors/port.ts';
import type { Outcome } from '../../src/domain/payments/outcome.ts';
import type { PaymentKind } from '../../src/domain/payments/payment.ts';
import { readTextTable } from '../domain/text-table.ts';

const page = readFileSync(new URL('../../src/connectors/airtel-money/README.md', import.meta.url), 'utf8');

/** The lines of the README's table that begins with this heading. */
function tableOf(heading: string) {
  const start = page.indexOf(`| ${heading}`);
  return readTextTable(page.slice(start, page.indexOf('\n\n', start)));
}

const family = (prefix: string, suffixes: string) => suffixes.split(' ').map((suffix) => prefix + suffix);

/** What the sources list, and two that were seen beside it. */
const CODES = {
  'Of a collection': family(
    'DP0080000',
    '1000 1001 1002 1003 1004 1005 1006 1007 1008 1009 1010 1024 1025 1026 1029',
  ),
  'Of a disbursement': family(
    'DP0090000',
    '1000 1001 1003 1004 1005 1006 1007 1009 1010 1011 1012 1013 1014 1015 1016 1017 1018 1019',
  ),
  'Of either': [
    ...family('ESB0000', '01 04 08 10 11 14 33 34 35 36 39 41 45'),
    ...family('ROUTER', '001 003 005 006 007 112 114 115 116 117 119'),
    ...family('DP0220000000', '0 1 2'),
  ],
} as const;

type Column = { readonly operation: PaymentKind; readonly country: string };

const COLUMNS: Readonly<Record<keyof typeof CODES, readonly Column[]>> = {
  'Of a collection': [
    { operation: 'DEPOSIT', country: 'UGA' },
    { operation: 'DEPOSIT', country: 'ZMB' },
    { operation: 'REFUND', country: 'UGA' },
  ],
  'Of a disbursement': [{ operation: 'PAYOUT', country: 'UGA' }],
  'Of either': [
    { operation: 'DEPOSIT', country: 'UGA' },
    { operation: 'PAYOUT', country: 'UGA' },
    { operation: 'REFUND', country: 'UGA' },
  ],
};

describe.each(Object.keys(CODES) as (keyof typeof CODES)[])('codes: %s', (heading) => {
  const rows = tableOf(heading).flatMap(([, codes = '', , ...words]) =>
    [...codes.matchAll(/`(\w+)`/g)].map(([, code = '']) => ({ code, words })),
  );

  test('every known code is in the README once', () => {
    expect(rows.map(({ code }) => code).toSorted()).toEqual([...CODES[heading]].toSorted());
  });

  test.each(rows)('$code means what the README says', ({ code, words }) => {
    const columns = COLUMNS[heading];
    expect(columns.map((column) => wordFor(code, column))).toEqual(words.slice(0, columns.length));
  });

  test('those of a disbursement and of either mean the same in every market', () => {
    if (heading === 'Of a collection') return;
    for (const { code } of rows)
      for (const { operation } of COLUMNS[heading])
        expect(wordFor(code, { operation, country: 'ZMB' })).toBe(
          wordFor(code, { operation, country: 'UGA' }),
        );
  });
});

test.each(['', 'toString', 'DP00800001011', 'TS', 'dp00800001007'])('%j is not mapped', (code) => {
  expect(parseCode(code, { operation: 'DEPOSIT', country: 'UGA' })).toBeNull();
  expect(parseCode(code, { operation: 'DEPOSIT', country: 'ZMB' })).toBeNull();
});

test('a collection has no code of a disbursement, and the other way round', () => {
  expect(wordFor('DP00900001012', { operation: 'DEPOSIT', country: 'UGA' })).toBeNull();
  expect(wordFor('DP00800001007', { operation: 'PAYOUT', country: 'ZMB' })).toBeNull();
});

function wordFor(code: string, column: Column): string | null {
  const meaning = parseCode(code, column);
  if (meaning === null) return null;
  if (meaning.type === 'NOT_FINAL') return 'not final';
  const word = meaning.isAlert === true ? 'Host' : meaning.code;
  return meaning.needsStatus === true ? `with TF ${word}` : word;
}

const deposit = {
  reference: '0001a4c1d2e3f40516273849a0b1c2d3',
  operation: 'DEPOSIT',
  provider: 'AIRTEL_OAPI_UGA',
  country: 'UGA',
  amount: 12_345_000n,
  currency: 'UGX',
  phoneNumber: '256753456789',
  customerMessage: "Café d'Élise & fils",
  notificationUrl: 'https://gateway.example/n',
  attemptNo: 1,
  claimedAt: new Date(),
} as const;
const payout = { ...deposit, operation: 'PAYOUT' } as const;
const refund = {
  ...deposit,
  operation: 'REFUND',
  original: { ...deposit, providerTransactionId: '18432759761' },
} as const;

const answer = (httpStatus: number, body: unknown) => ({
  httpStatus,
  text: typeof body === 'string' ? body : JSON.stringify(body),
});

/** What an answer comes to, with what only the host can fix. */
function wordsOf({ outcome, alert }: SubmitAnswer): string {
  const word = 'code' in outcome ? outcome.code : 'reason' in outcome ? outcome.reason : '';
  return [outcome.type, word, alert].filter((part) => part !== undefined && part !== '').join(' ');
}

const said = (transaction: object, status: object = {}) => ({
  data: { transaction },
  status: { code: '200', result_code: 'ESB000010', success: false, ...status },
});
const code = (response_code: string, success = false) => ({ status: { response_code, success } });

function endInZambia(response_code: string): string {
  const order = { ...deposit, country: 'ZMB' };
  return wordsOf(parseStatusAnswer(answer(200, said({ status: 'TF' }, { response_code })), order));
}

function refundWith(airtel_money_id: string): Outcome {
  return parseRefundAnswer(answer(200, said({ airtel_money_id, status: 'SUCCESS' })), refund).outcome;
}

describe('the answer to an enquiry', () => {
  const TS = { id: deposit.reference, status: 'TS', airtel_money_id: '18432759761' };

  test.each([
    ['a success that says success false', 200, said(TS), 'COMPLETED'],
    ['a success beside "in process"', 200, said(TS, { response_code: 'DP00800001006' }), 'COMPLETED'],
    ['a success without a receipt', 200, said({ ...TS, airtel_money_id: '' }), 'UNKNOWN UNREADABLE_ANSWER'],
    ["another payment's", 200, said({ ...TS, id: 'other' }), 'UNKNOWN UNREADABLE_ANSWER'],
    ['in progress', 200, said({ status: 'TIP' }), 'PENDING'],
    ['in progress, as production says it', 200, said({ status: 'TI' }), 'PENDING'],
    ['ambiguous', 200, said({ status: 'TA' }), 'UNKNOWN OPERATOR_ERROR'],
    ['expired', 200, said({ status: 'TE' }), 'FAILED PAYMENT_NOT_APPROVED'],
    ['failed without a code', 200, said({ status: 'TF' }), 'FAILED UNSPECIFIED_FAILURE'],
    [
      'failed',
      200,
      said({ status: 'TF' }, { response_code: 'DP00800001007' }),
      'FAILED INSUFFICIENT_BALANCE',
    ],
    [
      'failed, timed out',
      200,
      said({ status: 'TF' }, { response_code: 'DP00800001024' }),
      'FAILED PAYMENT_NOT_APPROVED',
    ],
    [
      'failed beside a success',
      200,
      said({ status: 'TF' }, { response_code: 'DP00800001001' }),
      'UNKNOWN OPERATOR_ERROR',
    ],
    [
      'D: failed with a code no one knows',
      200,
      said({ status: 'TF' }, { response_code: 'DP00800001099' }),
      'FAILED UNSPECIFIED_FAILURE UNMAPPED_DP00800001099',
    ],
    ['the word for a prompt that was sent', 200, said({ status: 'SUCCESS' }), 'UNKNOWN UNMAPPED_CODE'],
    ['a failure without a status', 200, code('DP00800001007'), 'UNKNOWN OPERATOR_ERROR'],
    ["the host's fault, in the enquiry", 200, code('ROUTER007'), 'UNKNOWN OPERATOR_ERROR ROUTER007'],
    ['not found', 200, { status: { result_code: 'ESB000045', success: false } }, 'NOT_SEEN'],
    ['not found, in the newer words', 404, code('DP00800001025'), 'NOT_SEEN'],
    ["not found, in a disbursement's words", 404, code('DP00900001015'), 'UNKNOWN OPERATOR_ERROR'],
    ['not found, while the platform is ill', 500, code('DP00800001025'), 'UNKNOWN OPERATOR_ERROR'],
    ["a proxy's not found", 404, '<html>', 'UNKNOWN OPERATOR_ERROR'],
    ['a page', 200, '<html>', 'UNKNOWN UNREADABLE_ANSWER'],
    ['nothing', 200, {}, 'UNKNOWN UNREADABLE_ANSWER'],
    ['a caller who is not listed', 403, '', 'UNKNOWN OPERATOR_ERROR FORBIDDEN'],
  ])('%s', (_title, httpStatus, body, expected) => {
    expect(wordsOf(parseStatusAnswer(answer(httpStatus, body), deposit))).toBe(expected);
  });

  test.each([
    ['a success without a receipt', said({ status: 'TS' }), 'COMPLETED'],
    ['expired', said({ status: 'TE' }), 'UNKNOWN OPERATOR_ERROR'],
    ['timed out', said({ status: 'TF' }, { response_code: 'DP00900001014' }), 'UNKNOWN OPERATOR_ERROR'],
    ['failed', said({ status: 'TF' }, { response_code: 'DP00900001005' }), 'FAILED UNSPECIFIED_FAILURE'],
    [
      'our float',
      said({ status: 'TF' }, { response_code: 'DP00900001007' }),
      'FAILED OTHER_ERROR DP00900001007',
    ],
    ['not found', code('DP00900001015'), 'NOT_SEEN'],
    ["not found, in a collection's words", code('DP00800001025'), 'UNKNOWN UNMAPPED_CODE'],
  ])('about a payout: %s', (_title, body, expected) => {
    expect(wordsOf(parseStatusAnswer(answer(200, body), payout))).toBe(expected);
  });

  test('in Zambia a disputed code is an end without a reason, or none', () => {
    expect(endInZambia('DP00800001007')).toBe('FAILED UNSPECIFIED_FAILURE');
    expect(endInZambia('DP00800001003')).toBe('UNKNOWN OPERATOR_ERROR');
    expect(endInZambia('DP00800001004')).toBe('FAILED OTHER_ERROR');
  });

  test('an amount counts where Airtel sends one', () => {
    expect(parseStatusAnswer(answer(200, said({ ...TS, amount: 1_200 })), deposit).outcome).toEqual({
      type: 'COMPLETED',
      providerTransactionId: '18432759761',
      moved: { amount: 12_000_000n },
    });
  });
});

describe('the answer to a request', () => {
  const accepted = { response_code: 'DP00800001006', success: true };
  const sent = said({ id: deposit.reference, status: 'SUCCESS' }, accepted);

  test.each([
    ['a prompt that was sent', 200, sent, 'PENDING'],
    ['without a newer code', 200, said({ status: 'Success.' }, { success: true }), 'PENDING'],
    [
      'a success that cannot be one yet',
      200,
      said({ status: 'TS', airtel_money_id: '1' }, accepted),
      'PENDING',
    ],
    ['a duplicate', 200, { status: { result_code: 'ESB000041', success: false } }, 'PENDING'],
    ['a refusal with HTTP 200', 200, code('DP00800001007'), 'FAILED INSUFFICIENT_BALANCE'],
    ['a refusal with HTTP 400', 400, code('DP00800001004'), 'FAILED OTHER_ERROR'],
    ['a refusal that claims success', 200, code('DP00800001007', true), 'UNKNOWN OPERATOR_ERROR'],
    ['a refusal while the platform is ill', 500, code('DP00800001007'), 'UNKNOWN OPERATOR_ERROR'],
    ['ambiguous', 200, code('DP00800001000'), 'UNKNOWN OPERATOR_ERROR'],
    ['timed out', 200, code('DP00800001024'), 'UNKNOWN OPERATOR_ERROR'],
    ['the call went well, and no success', 200, code('ESB000010'), 'UNKNOWN OPERATOR_ERROR'],
    ['a signature that does not fit', 403, code('DP00800001026'), 'FAILED OTHER_ERROR DP00800001026'],
    [
      'the gateway in front',
      400,
      { status_code: 'ROUTER006', status_message: '' },
      'FAILED OTHER_ERROR ROUTER006',
    ],
    ['the gateway in front, timed out', 400, { status_code: 'ROUTER117' }, 'UNKNOWN OPERATOR_ERROR'],
    ['a code no one knows', 200, code('DP00800001099'), 'UNKNOWN UNMAPPED_CODE'],
    ['a page', 200, '<html>', 'UNKNOWN UNREADABLE_ANSWER'],
    ['a caller who is not listed', 403, '<html>', 'UNKNOWN OPERATOR_ERROR FORBIDDEN'],
  ])('%s', (_title, httpStatus, body, expected) => {
    expect(wordsOf(parseSubmitAnswer(answer(httpStatus, body), deposit))).toBe(expected);
  });

  test.each([
    ['paid', said({ id: payout.reference, status: 'TS', airtel_money_id: '7' }), 'COMPLETED'],
    ["another's", said({ id: 'other', status: 'TS', airtel_money_id: '7' }), 'UNKNOWN UNREADABLE_ANSWER'],
    ['in progress', said({ status: 'TIP' }), 'PENDING'],
    ['accepted and no status', code('DP00900001001', true), 'PENDING'],
    ['a duplicate', code('DP00900001017'), 'PENDING'],
    ['a similar one', code('DP00900001011'), 'PENDING'],
    ['timed out', code('DP00900001014'), 'UNKNOWN OPERATOR_ERROR'],
    ['failed, and no status', code('DP00900001005'), 'UNKNOWN OPERATOR_ERROR'],
    ['no such number', code('DP00900001012'), 'FAILED RECIPIENT_NOT_FOUND'],
    ['our float', code('DP00900001007'), 'FAILED OTHER_ERROR DP00900001007'],
  ])('for a payout: %s', (_title, body, expected) => {
    expect(wordsOf(parseSubmitAnswer(answer(200, body), payout))).toBe(expected);
  });

  test('D: ESB000008 is validation to one source and ambiguous to others: it ends nothing without the status TF', () => {
    const alone = { status: { result_code: 'ESB000008', success: false } };
    for (const order of [deposit, payout]) {
      expect(wordsOf(parseSubmitAnswer(answer(200, alone), order))).toBe('UNKNOWN OPERATOR_ERROR');
      expect(wordsOf(parseStatusAnswer(answer(200, alone), order))).toBe('UNKNOWN OPERATOR_ERROR');
      const failed = said({ status: 'TF' }, { result_code: 'ESB000008' });
      expect(wordsOf(parseStatusAnswer(answer(200, failed), order))).toBe('FAILED OTHER_ERROR');
    }
    expect(wordsOf(parseRefundAnswer(answer(200, alone), refund))).toBe('UNKNOWN OPERATOR_ERROR');
  });

  test('in Zambia what is disputed is asked about', () => {
    const order = { ...deposit, country: 'ZMB' };
    for (const suffix of ['1002', '1003', '1005', '1007', '1009', '1010', '1024']) {
      const told = parseSubmitAnswer(answer(400, code(`DP0080000${suffix}`)), order);
      expect(wordsOf(told), suffix).toBe('UNKNOWN OPERATOR_ERROR');
    }
  });

  test.each([
    ['done, with success false', 200, said({ airtel_money_id: '9', status: 'SUCCESS' }), 'COMPLETED'],
    ['in progress', 200, said({ status: 'TIP' }), 'PENDING'],
    [
      'no such collection',
      200,
      { status: { result_code: 'ESB000045', success: false } },
      'FAILED OTHER_ERROR',
    ],
    ['our wallet is short', 200, code('DP00800001007'), 'FAILED OTHER_ERROR DP00800001007'],
    [
      'failed, and no one knows why',
      200,
      { status: { result_code: 'ESB000011', success: false } },
      'UNKNOWN OPERATOR_ERROR',
    ],
    ['a success with an error', 502, said({ status: 'SUCCESS' }), 'UNKNOWN OPERATOR_ERROR'],
  ])('for a refund: %s', (_title, httpStatus, body, expected) => {
    expect(wordsOf(parseRefundAnswer(answer(httpStatus, body), refund))).toBe(expected);
  });

  test("a refund has its own receipt, and never the collection's", () => {
    expect(refundWith('18432759762')).toEqual({
      type: 'COMPLETED',
      providerTransactionId: '18432759762',
    });
    expect(refundWith('18432759761')).toEqual({ type: 'COMPLETED' });
  });
});

describe('requests', () => {
  test('a collection has the national number, the amount as a number and a plain reference', () => {
    expect(renderCollection(deposit)).toBe(
      '{"reference":"CafedElisefils","subscriber":{"country":"UG","currency":"UGX","msisdn":"753456789"},' +
        `"transaction":{"amount":1234.5,"country":"UG","currency":"UGX","id":"${deposit.reference}"}}`,
    );
  });

  test('no amount passes through a floating-point number', () => {
    const amount = 999_999_999_999_999_999_9901n;
    expect(renderCollection({ ...deposit, amount })).toContain('"amount":999999999999999999.9901,');
  });

  test.each([
    ['v1', {}, {}],
    ['v2', {}, { type: 'B2C' }],
    ['v3', { wallet_type: 'NORMAL' }, { type: 'B2C' }],
  ] as const)('a disbursement of %s has the fields of its version', (version, payee, transaction) => {
    expect(JSON.parse(renderDisbursement(payout, { pin: 'c2VhbGVk', version }))).toEqual({
      payee: { msisdn: '753456789', ...payee },
      reference: 'CafedElisefils',
      pin: 'c2VhbGVk',
      transaction: { amount: 1234.5, id: payout.reference, ...transaction },
    });
  });

  test("a refund names the collection by Airtel's receipt", () => {
    expect(renderRefund(refund)).toBe('{"transaction":{"airtel_money_id":"18432759761"}}');
  });

  test('a message of which too little is left gives way to our reference', () => {
    expect(renderCollection({ ...deposit, customerMessage: '***' })).toContain(
      `{"reference":"${deposit.reference}"`,
    );
  });
});

test('a token lives as long as a text says', () => {
  const text = '{"access_token":"t","expires_in":"180","token_type":"bearer"}';
  expect(parseTokenAnswer({ httpStatus: 200, text })).toEqual({ token: 't', lifetimeMs: 180_000 });
  expect(parseTokenAnswer({ httpStatus: 400, text })).toEqual({ error: 'NO_TOKEN_HTTP_400' });
});

test.each([
  ['37,600.00', 'UGX', { type: 'BALANCE', amount: 376_000_000n }],
  ['51000', 'UGX', { type: 'BALANCE', amount: 510_000_000n }],
  ['51000', 'RWF', { type: 'UNKNOWN' }],
  ['-', 'UGX', { type: 'UNKNOWN' }],
])('a balance of %s %s', (balance, currency, expected) => {
  expect(parseBalanceAnswer(answer(200, { data: { balance, currency } }), 'UGX')).toEqual(expected);
});

const holderIn = (status: object, data: object = {}, httpStatus = 200) =>
  parseHolderAnswer({ httpStatus, text: JSON.stringify({ data, status }) });

describe('an account holder', () => {
  const named = { first_name: 'ZAWADI', last_name: 'UWASE', is_barred: false };
  const found = { response_code: 'DP02200000001', result_code: 'ESB000010' };

  test.each([
    ['one who is known', holderIn(found, named), 'ACTIVE', 'ZAWADI UWASE'],
    [
      'the code in its other place',
      holderIn({ result_code: 'DP02200000001' }, named),
      'ACTIVE',
      'ZAWADI UWASE',
    ],
    ['one who is barred', holderIn(found, { ...named, is_barred: true }), 'NOT_ACTIVE', 'ZAWADI UWASE'],
    ['a name without more', holderIn(found, { first_name: 'ZAWADI' }), 'UNKNOWN', 'ZAWADI'],
    ['no such customer', holderIn({ response_code: 'DP02200000002' }), 'NOT_ACTIVE', null],
    ['a look-up that failed', holderIn({ response_code: 'DP02200000000' }, named), 'UNKNOWN', null],
    ['another code', holderIn({ result_code: 'ESB000008' }, named), 'UNKNOWN', null],
    ['an error beside a name', holderIn(found, named, 500), 'UNKNOWN', null],
  ])('%s', (_title, holder, status, name) => {
    expect(holder).toEqual({ status, name });
  });
});
