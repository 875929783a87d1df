// `malipo-server request translate`, as a developer uses it, and what it promises: whatever API v1
// accepts is, translated, the same request for the current one.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import * as fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { findProvider } from '../src/domain/operators/catalogue.ts';
import { parseDepositRequest as parseEarlier } from '../src/wire/v1/payments/deposit.ts';
import { translateRequest } from '../src/wire/v1/translate-request.ts';
import { parseDepositRequest } from '../src/wire/v2/payments/deposit.ts';
import { runCommandHere } from './command-process.ts';
import { earlierDeposit, earlierPayout, earlierRefund, msisdn } from './v1.ts';

const MAIN = fileURLToPath(new URL('../src/main.ts', import.meta.url));

let directory: string;
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'malipo-translate-'));
});
afterAll(() => rm(directory, { recursive: true }));

/** Runs the command on a body in a file. */
async function translate(kind: string, body: unknown) {
  const file = join(directory, 'body.json');
  await writeFile(file, typeof body === 'string' ? body : JSON.stringify(body));
  return runCommandHere({}, ['request', 'translate', '--kind', kind, '--file', file]);
}

test('a payout is turned, and what changed is said beside it', async () => {
  const { payoutId, ...request } = earlierPayout({
    country: 'RWA',
    metadata: [{ fieldName: 'orderId', fieldValue: 'ORD-1', isPII: true }],
  });
  const { code, output, errors } = await translate('payout', { payoutId, ...request });
  expect(code).toBe(0);
  expect(JSON.parse(output)).toEqual({
    payoutId,
    amount: '100',
    currency: 'RWF',
    recipient: { type: 'MMO', accountDetails: { phoneNumber: '250783456789', provider: 'MTN_MOMO_RWA' } },
    customerMessage: 'Order 123456',
    metadata: [{ orderId: 'ORD-1', isPII: true }],
  });
  expect(errors.split('\n')).toEqual([
    'correspondent -> recipient.accountDetails.provider',
    'recipient.type MSISDN -> recipient.type MMO',
    'recipient.address.value -> recipient.accountDetails.phoneNumber',
    'customerTimestamp 2020-02-21T17:32:28Z -> removed',
    'statementDescription -> customerMessage',
    'country RWA -> removed',
    'metadata[0].fieldName, fieldValue -> metadata[0].orderId',
  ]);
});

test('a list is turned entry by entry; a refund without metadata stays as it is', async () => {
  const bulk = await translate('payout', [earlierPayout(), earlierPayout()]);
  expect(JSON.parse(bulk.output)).toHaveLength(2);
  expect(bulk.errors).toContain('[1] correspondent -> recipient.accountDetails.provider');
  const refund = earlierRefund('f4401bd2-1568-4140-bf2d-eb77d2b2b639', { amount: '5' });
  const { output, errors } = await translate('refund', refund);
  expect(JSON.parse(output)).toEqual(refund);
  expect(errors).toBe('No changes.');
});

test.each([
  ['what is no JSON', '{', 'The body is not valid JSON.'],
  ['a request of API v2', { provider: 'X' }, "The parameter 'provider' is not supported."],
  ['a missing field', earlierDeposit({ payer: undefined }), "The required parameter 'payer' is missing."],
  [
    'metadata under a name that API v2 keeps',
    earlierDeposit({ metadata: [{ fieldName: 'isPII', fieldValue: 'x' }] }),
    "The parameter 'metadata[0].fieldName' is not valid",
  ],
  [
    'metadata with one name twice',
    earlierDeposit({
      metadata: [
        { fieldName: 'a', fieldValue: '1' },
        { fieldName: 'a', fieldValue: '2' },
      ],
    }),
    "The metadata field 'a' is given more than once.",
  ],
])('%s is refused, with the reason', async (_, body, reason) => {
  const { code, output, errors } = await translate('deposit', body);
  expect([code, output]).toEqual([1, '']);
  expect(errors).toContain(reason);
});

test('without --file it reads standard input', async () => {
  const child = spawn(process.execPath, [MAIN, 'request', 'translate', '--kind', 'prediction'], {
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  child.stdin.end(JSON.stringify({ msisdn: '+250 783 456 789' }));
  let output = '';
  child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
  expect(await once(child, 'close')).toEqual([0, null]);
  expect(JSON.parse(output)).toEqual({ phoneNumber: '+250 783 456 789' });
});

const authTypeOf = (provider: string) => findProvider(provider)?.authType ?? null;

test('1,000 random deposits mean the same before and after', () => {
  const name = fc.stringMatching(/^[a-zA-Z_]{1,12}$/).filter((text) => text !== 'isPII');
  const arbitrary = fc.record(
    {
      depositId: fc.uuid({ version: 4 }),
      amount: fc.stringMatching(/^[1-9][0-9]{0,8}([.][0-9]{1,2})?$/),
      currency: fc.stringMatching(/^[A-Z]{3}$/),
      correspondent: fc.constantFrom('MTN_MOMO_RWA', 'AIRTEL_COD', 'ORANGE_BFA'),
      payer: fc.string().map(msisdn),
      customerTimestamp: fc
        .date({ noInvalidDate: true, min: new Date(0), max: new Date(4e12) })
        .map((time) => time.toISOString()),
      statementDescription: fc.stringMatching(/^[a-zA-Z0-9 ]{4,22}$/),
      preAuthorisationCode: fc.string({ minLength: 1, maxLength: 36 }),
      country: fc.stringMatching(/^[A-Z]{3}$/),
      metadata: fc.uniqueArray(fc.record({ fieldName: name, fieldValue: fc.string(), isPII: fc.boolean() }), {
        maxLength: 10,
        selector: ({ fieldName }) => fieldName,
      }),
    },
    {
      requiredKeys: [
        'depositId',
        'amount',
        'currency',
        'correspondent',
        'payer',
        'customerTimestamp',
        'statementDescription',
        'preAuthorisationCode',
      ],
    },
  );
  fc.assert(
    fc.property(arbitrary, (body) => {
      const earlier = parseEarlier(body, { authTypeOf });
      const translated = translateRequest('deposit', body);
      if (earlier.type === 'FAULT' || translated.type === 'FAULT') throw new Error('no request');
      const current = parseDepositRequest(translated.request.body, { authTypeOf, httpUrlsAllowed: false });
      const { askedCountry: _country, details, ...rest } = earlier.request;
      const { customerTimestamp: _timestamp, ...same } = details;
      expect(current).toEqual({ type: 'PARSED', request: { ...rest, details: same } });
    }),
    { numRuns: 1_000 },
  );
});
