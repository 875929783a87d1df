// Required and optional fields, metadata and addresses of a deposit request, sent to a running gateway.
// Rows of api.md "Shared field types" and "Limits", and of completions.md 1.2 and "Where two readers …".
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  call,
  depositRequest,
  initiate,
  openTestGateway,
  payer,
  readDeposit,
  type TestGateway,
} from '../gateway.ts';
import { told } from './answers.ts';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await openTestGateway({ role: 'api' });
});
afterAll(() => gateway.stop());

async function answerTo(changes: Record<string, unknown>): Promise<string> {
  return told(await call(gateway, 'POST', '/v2/deposits', depositRequest(changes)));
}

const { accountDetails } = payer('MTN_MOMO_RWA', '250783456789');

describe('required fields', () => {
  test.each([
    ['depositId', { depositId: undefined }],
    ['amount', { amount: undefined }],
    ['currency', { currency: undefined }],
    ['payer', { payer: undefined }],
    ['payer.type', { payer: { accountDetails } }],
    ['payer.accountDetails', { payer: { type: 'MMO' } }],
    [
      'payer.accountDetails.phoneNumber',
      { payer: { type: 'MMO', accountDetails: { provider: 'MTN_MOMO_RWA' } } },
    ],
    [
      'payer.accountDetails.provider',
      { payer: { type: 'MMO', accountDetails: { phoneNumber: '250783456789' } } },
    ],
  ])("without '%s' it is 400 MISSING_PARAMETER naming the field", async (parameter, changes) => {
    expect(await answerTo(changes)).toBe(`400 REJECTED MISSING_PARAMETER ${parameter}`);
  });

  test('nothing else is required for a provider that prompts for a PIN', async () => {
    expect(await answerTo({})).toBe('200 ACCEPTED');
  });
});

describe('unknown fields give 400 UNSUPPORTED_PARAMETER', () => {
  test.each([
    ['correspondent', { correspondent: 'MTN_MOMO_RWA' }],
    ['DepositId', { DepositId: 'x' }],
    ['__proto__', JSON.parse('{"__proto__": 1}')],
    ['payer.address', { payer: { type: 'MMO', accountDetails, address: {} } }],
    ['payer.accountDetails.pin', { payer: { type: 'MMO', accountDetails: { ...accountDetails, pin: '1' } } }],
  ])("'%s'", async (parameter, changes) => {
    expect(await answerTo(changes)).toBe(`400 REJECTED UNSUPPORTED_PARAMETER ${parameter}`);
  });
});

describe('several schema faults at once', () => {
  test('UNSUPPORTED_PARAMETER before MISSING_PARAMETER before INVALID_PARAMETER', async () => {
    const everything = { depositId: 'x', amount: undefined, currency: 'x', surplus: 1 };
    expect(await answerTo(everything)).toBe('400 REJECTED UNSUPPORTED_PARAMETER surplus');
    expect(await answerTo({ ...everything, surplus: undefined })).toBe(
      '400 REJECTED MISSING_PARAMETER amount',
    );
    const filled = { ...everything, surplus: undefined, amount: '100' };
    expect(await answerTo(filled)).toBe('400 REJECTED INVALID_PARAMETER depositId');
  });

  test('then in the order of the fields in the specification, not of the body', async () => {
    const body = {
      metadata: 1,
      customerMessage: 'x',
      payer: { ...payer('X', '1') },
      currency: 'x',
      amount: 'x',
    };
    expect(await answerTo(body)).toBe('400 REJECTED INVALID_PARAMETER amount');
    expect(await answerTo({ ...body, amount: '1' })).toBe('400 REJECTED INVALID_PARAMETER currency');
    const rest = { ...body, amount: '1', currency: 'RWF' };
    expect(await answerTo(rest)).toBe('400 REJECTED INVALID_PARAMETER payer.accountDetails.provider');
    const last = { ...rest, payer: payer('MTN_MOMO_RWA', '1') };
    expect(await answerTo(last)).toBe('400 REJECTED INVALID_PARAMETER customerMessage');
    expect(await answerTo({ ...last, customerMessage: undefined })).toBe(
      '400 REJECTED INVALID_PARAMETER metadata',
    );
  });
});

function entries(count: number) {
  return Array.from({ length: count }, (_, index) => ({ [`name${index}`]: 'x' }));
}

describe('metadata (request): at most 10 entries, each one custom name with a string value', () => {
  test('10 entries are accepted and told as one object, isPII left out', async () => {
    const metadata = [...entries(8), { email: 'a@example.com', isPII: true }, { note: '', isPII: false }];
    const depositId = await initiate(gateway, { metadata });
    const { metadata: record } = await readDeposit(gateway, depositId);
    expect(record).toEqual({ ...Object.assign({}, ...entries(8)), email: 'a@example.com', note: '' });
  });

  test('no entry is accepted and told as an object without names', async () => {
    const depositId = await initiate(gateway, { metadata: [] });
    expect(await readDeposit(gateway, depositId)).toMatchObject({ metadata: {} });
  });

  test('a name like any other may be __proto__', async () => {
    const depositId = await initiate(gateway, { metadata: [JSON.parse('{"__proto__": "x"}')] });
    const { metadata } = await readDeposit(gateway, depositId);
    expect(Object.entries(metadata)).toEqual([['__proto__', 'x']]);
  });

  test.each([
    ['11 entries', 'metadata', entries(11)],
    ['an object instead of an array', 'metadata', { orderId: '1' }],
    ['an entry that is a string', 'metadata[0]', ['orderId']],
    ['an entry without a name', 'metadata[0]', [{}]],
    ['an entry with isPII only', 'metadata[1]', [{ orderId: '1' }, { isPII: true }]],
    ['an entry with two names', 'metadata[0]', [{ orderId: '1', customerId: '2' }]],
    ['an entry with two names and isPII', 'metadata[0]', [{ orderId: '1', customerId: '2', isPII: true }]],
    ['a value that is a number', 'metadata[0]', [{ orderId: 1 }]],
    ['a value that is null', 'metadata[0]', [{ orderId: null }]],
    ['isPII that is no boolean', 'metadata[0].isPII', [{ orderId: '1', isPII: 'true' }]],
  ])('%s: 400 INVALID_PARAMETER', async (_, parameter, metadata) => {
    expect(await answerTo({ metadata })).toBe(`400 REJECTED INVALID_PARAMETER ${parameter}`);
  });

  describe('B3: names and values have a length', () => {
    test.each([
      ['a name of 100 characters', [{ ['n'.repeat(100)]: 'x' }]],
      ['a value of 1,000 characters', [{ a: 'é'.repeat(1_000) }]],
      ['a value of 1,000 characters of two units each', [{ a: '😀'.repeat(1_000) }]],
    ])('%s is accepted', async (_, metadata) => {
      expect(await answerTo({ metadata })).toBe('200 ACCEPTED');
    });

    test.each([
      ['a name of 101 characters', [{ ['n'.repeat(101)]: 'x' }]],
      ['a value of 1,001 characters', [{ a: 'x'.repeat(1_001) }]],
      ['a value of 1,001 characters of two units each', [{ a: '😀'.repeat(1_001) }]],
      ['a value of 100 KB', [{ a: 'pin'.repeat(33_000) }]],
    ])('%s: 400 INVALID_PARAMETER', async (_, metadata) => {
      expect(await answerTo({ metadata })).toBe('400 REJECTED INVALID_PARAMETER metadata[0]');
    });
  });

  test('two entries with one name: 400 DUPLICATE_METADATA_FIELD', async () => {
    const metadata = [{ orderId: '1' }, { customerId: '2' }, { orderId: '3', isPII: true }];
    expect(await answerTo({ metadata })).toBe('400 REJECTED DUPLICATE_METADATA_FIELD orderId');
  });

  test('metadata (request): at most 10 entries, each one custom name with a string value names that differ in capitals only are two names', async () => {
    expect(await answerTo({ metadata: [{ orderId: '1' }, { orderID: '2' }] })).toBe('200 ACCEPTED');
  });
});

describe('preAuthorisationCode: 1 to 36 characters', () => {
  test.each(['1', 'x'.repeat(36)])(
    '"%s" is accepted, also where the provider asks for none',
    async (code) => {
      expect(await answerTo({ preAuthorisationCode: code })).toBe('200 ACCEPTED');
    },
  );

  test.each(['', 'x'.repeat(37), 1234])('%j is 400 INVALID_PARAMETER', async (code) => {
    const expected = '400 REJECTED INVALID_PARAMETER preAuthorisationCode';
    expect(await answerTo({ preAuthorisationCode: code })).toBe(expected);
  });
});

describe.each(['successfulUrl', 'failedUrl'])('%s: https URL', (field) => {
  test.each(['https://merchant.example/orders/1?ok=yes#top', 'http://localhost:3000/ok'])(
    'the sandbox takes %s',
    async (url) => {
      expect(await answerTo({ [field]: url })).toBe('200 ACCEPTED');
    },
  );

  test.each([
    ['no scheme', 'merchant.example/orders/1'],
    ['a path', '/orders/1'],
    ['another scheme', 'ftp://merchant.example/orders/1'],
    ['a script', 'javascript:alert(1)'],
    ['no host', 'https:///orders/1'],
    ['a blank', 'https://merchant.example/orders 1'],
    ['more than 2,048 characters', `https://merchant.example/${'x'.repeat(2_048)}`],
    ['nothing', ''],
    ['a number', 7],
  ])('%s is 400 INVALID_PARAMETER', async (_, url) => {
    expect(await answerTo({ [field]: url })).toBe(`400 REJECTED INVALID_PARAMETER ${field}`);
  });
});
