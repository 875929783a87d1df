// Every field of a deposit request, as the specification's tables have it, sent to a running gateway.
// Rows of api.md "Shared field types" and "Limits", and of completions.md 1.2.
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  call,
  depositRequest,
  initiate,
  openTestGateway,
  payer,
  readDeposit,
  type Answer,
  type TestGateway,
} from '../gateway.ts';
import { openAccount } from './accounts.ts';
import { told } from './answers.ts';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await openTestGateway({ role: 'api' });
});
afterAll(() => gateway.stop());

/** A request to a provider that takes two decimals. */
function zambianRequest(changes: Record<string, unknown> = {}) {
  return depositRequest({ currency: 'ZMW', payer: payer('MTN_MOMO_ZMB', '260763456789'), ...changes });
}

function send(body: unknown): Promise<Answer> {
  return call(gateway, 'POST', '/v2/deposits', body);
}

async function answerTo(changes: Record<string, unknown>): Promise<string> {
  return told(await send(zambianRequest(changes)));
}

describe('depositId: string, UUIDv4 text, length exactly 36', () => {
  test.each([
    ['in small letters', (id: string) => id],
    ['in capitals', (id: string) => id.toUpperCase()],
  ])(
    'depositId: string, UUIDv4 text, length exactly 36 is accepted %s and echoed as written',
    async (_, write) => {
      const depositId = write(randomUUID());
      expect((await send(zambianRequest({ depositId }))).body).toMatchObject({
        depositId,
        status: 'ACCEPTED',
      });
      expect(await readDeposit(gateway, depositId)).toMatchObject({ depositId });
    },
  );

  test.each([
    ['35 characters', randomUUID().slice(1)],
    ['37 characters', `${randomUUID()}0`],
    ['no characters', ''],
    ['UUIDv1 text', 'c232ab00-9414-11ec-b3c8-9f6bdeced846'],
    ['a UUIDv4 of another variant', 'f4401bd2-1568-4140-cf2d-eb77d2b2b639'],
    ['36 characters that are no UUID', 'x'.repeat(36)],
    ['a UUID without hyphens', randomUUID().replaceAll('-', '')],
    ['a number', 12],
    ['null', null],
  ])('%s is 400 INVALID_PARAMETER', async (_, depositId) => {
    expect(await answerTo({ depositId })).toBe('400 REJECTED INVALID_PARAMETER depositId');
  });
});

describe('amount: string, length 1 to 23', () => {
  test.each(['1', '15', '15.5', '15.50', '15.00', '20000', '20000.00', '1.01'])(
    '"%s" is accepted, and status checks echo it as written',
    async (amount) => {
      const depositId = await initiate(gateway, zambianRequest({ amount }));
      expect(await readDeposit(gateway, depositId)).toMatchObject({ amount });
    },
  );

  test.each([
    ['no characters', ''],
    ['24 characters', '123456789012345678.12345'],
    ['19 digits before the point', '1234567890123456789'],
    ['five decimals', '1.12345'],
    ['a leading zero', '01'],
    ['two zeroes', '00'],
    ['a minus sign', '-15'],
    ['a plus sign', '+15'],
    ['a bare decimal point', '.'],
    ['an empty integer part', '.5'],
    ['nothing after the point', '15.'],
    ['a comma', '1,5'],
    ['an exponent', '1e3'],
    ['a blank before', ' 15'],
    ['a line break after', '15\n'],
    ['other digits than 0 to 9', '١٥'],
    ['a number: nothing is coerced', 100],
    ['a boolean', true],
    ['null', null],
  ])('%s is 400 INVALID_PARAMETER', async (_, amount) => {
    expect(await answerTo({ amount })).toBe('400 REJECTED INVALID_PARAMETER amount');
  });

  test.each([
    ['a single zero below 1', '0.5', '200 REJECTED AMOUNT_OUT_OF_BOUNDS'],
    ['23 characters', '123456789012345678.1234', '200 REJECTED INVALID_AMOUNT'],
    ['18 digits', '123456789012345678', '200 REJECTED AMOUNT_OUT_OF_BOUNDS'],
  ])('%s fits the pattern, so that only the provider can object', async (_, amount, expected) => {
    expect(await answerTo({ amount })).toBe(expected);
  });
});

describe('currency: ISO 4217 three-letter upper-case code', () => {
  test.each(['zmw', 'ZM', 'ZMWK', 'Z1W', '', 'ZMW ', 967, null])(
    '%j is 400 INVALID_PARAMETER',
    async (currency) => {
      expect(await answerTo({ currency })).toBe('400 REJECTED INVALID_PARAMETER currency');
    },
  );

  test('three upper-case letters the provider does not support are 200 INVALID_CURRENCY', async () => {
    expect(await answerTo({ currency: 'XXX' })).toBe('200 REJECTED INVALID_CURRENCY');
  });
});

describe('payer: type MMO, accountDetails phoneNumber and provider', () => {
  const { accountDetails } = payer('MTN_MOMO_ZMB', '260763456789');
  const withDetails = (changes: Record<string, unknown>) => ({
    type: 'MMO',
    accountDetails: { ...accountDetails, ...changes },
  });

  test.each([
    ['payer', 'an array', [payer('MTN_MOMO_ZMB', '260763456789')]],
    ['payer', 'a string', '260763456789'],
    ['payer.type', 'MSISDN', { type: 'MSISDN', accountDetails }],
    ['payer.type', 'mmo', { type: 'mmo', accountDetails }],
    ['payer.accountDetails', 'a string', { type: 'MMO', accountDetails: '260763456789' }],
    ['payer.accountDetails.phoneNumber', 'a number', withDetails({ phoneNumber: 260763456789 })],
    ['payer.accountDetails.phoneNumber', 'null', withDetails({ phoneNumber: null })],
    ['payer.accountDetails.provider', 'a number', withDetails({ provider: 1 })],
    ['payer.accountDetails.provider', 'a code no one has', withDetails({ provider: 'MTN_MOMO_MARS' })],
    ['payer.accountDetails.provider', 'a code in small letters', withDetails({ provider: 'mtn_momo_zmb' })],
    ['payer.accountDetails.provider', 'a name every object has', withDetails({ provider: 'constructor' })],
  ])("'%s' as %s is 400 INVALID_PARAMETER", async (parameter, _, wrong) => {
    expect(await answerTo({ payer: wrong })).toBe(`400 REJECTED INVALID_PARAMETER ${parameter}`);
  });
});

describe('phoneNumber: digits only, country code, no leading zero, length valid for the country', () => {
  test.each([
    ['spaces', '260 763 456 789'],
    ['separators', '260-763-456789'],
    ['a plus', '+260763456789'],
    ['a leading zero', '0763456789'],
    ['two leading zeroes before the country code', '00260763456789'],
    ['no country code', '763456789'],
    ['a digit too few', '26076345678'],
    ['a digit too many', '2607634567890'],
    ['the country code of another country', '250783456789'],
    ['letters', '26076345678x'],
    ['other digits than 0 to 9', '٢٦٠٧٦٣٤٥٦٧٨٩'],
    ['nothing at all', ''],
    ['a hundred thousand digits', `260${'7'.repeat(100_000)}`],
  ])('with %s it is 200 INVALID_PHONE_NUMBER', async (_, phoneNumber) => {
    expect(await answerTo({ payer: payer('MTN_MOMO_ZMB', phoneNumber) })).toBe(
      '200 REJECTED INVALID_PHONE_NUMBER',
    );
  });

  test('of another provider of the same country it is accepted: subscribers take numbers along', async () => {
    expect(await answerTo({ payer: payer('MTN_MOMO_ZMB', '260973456789') })).toBe('200 ACCEPTED');
  });
});

describe('customerMessage: 4 to 22 characters, letters, digits and spaces only', () => {
  test.each(['Shop', 'Order 12345678901234XY'])('"%s" is accepted and echoed', async (customerMessage) => {
    const depositId = await initiate(gateway, zambianRequest({ customerMessage }));
    expect(await readDeposit(gateway, depositId)).toMatchObject({ customerMessage });
  });

  test.each(['', 'abc', 'Order 12345678901234XYZ', 'Café', 'a-b-c', 'Order\n12', 'no.dots', 1234, null])(
    '%j is 400 INVALID_PARAMETER',
    async (customerMessage) => {
      expect(await answerTo({ customerMessage })).toBe('400 REJECTED INVALID_PARAMETER customerMessage');
    },
  );

  test.each([
    ['Demo Shop', 'Demo Shop'],
    ['Café Ébène & Fils, S.A.R.L. de Kigali', 'Cafe Ebene  Fils SARL'],
    ['The Company With The Long Name', 'The Company With The L'],
    ['Zé', 'Payment'],
    ['电子商务', 'Payment'],
  ])('without it, the company name "%s" is made to fit: "%s"', async (companyName, customerMessage) => {
    const account = await openAccount(gateway, { companyName });
    const request = zambianRequest();
    await call(account, 'POST', '/v2/deposits', request);
    const { body } = await call(account, 'GET', `/v2/deposits/${request['depositId']}`);
    expect(body['data'].customerMessage).toBe(customerMessage);
  });
});

describe('clientReferenceId: free string', () => {
  test.each([
    ['empty', ''],
    ['of any characters', 'Facture n° 7 / "été" \u0000 😀'],
    ['as long as we keep', 'x'.repeat(1_000)],
  ])('%s it is accepted and echoed', async (_, clientReferenceId) => {
    const depositId = await initiate(gateway, zambianRequest({ clientReferenceId }));
    expect(await readDeposit(gateway, depositId)).toMatchObject({ clientReferenceId });
  });

  test.each([
    ['a number', 7],
    ['null', null],
    ['longer than we keep', 'x'.repeat(1_001)],
  ])('%s is 400 INVALID_PARAMETER', async (_, clientReferenceId) => {
    expect(await answerTo({ clientReferenceId })).toBe('400 REJECTED INVALID_PARAMETER clientReferenceId');
  });
});
