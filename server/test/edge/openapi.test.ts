// The OpenAPI document against the running service: every answer that is described is given at least once, fits its
// description, and has no field beyond it.
import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createOpenApi } from '../../src/edge/openapi.ts';
import { registerV2 } from '../../src/edge/v2/plugin.ts';
import { call, depositRequest, eventually, openTestGateway, payer, type TestGateway } from '../gateway.ts';
import {
  answerSchema,
  faultsOf,
  fieldsOf,
  listFields,
  listOperations,
  unknownCodes,
  type Schema,
} from './description.ts';
import { CURRENT_EXERCISES, exerciseFor } from './exercises.ts';

const committed = await readFile(new URL('../../../openapi/v2.json', import.meta.url), 'utf8');
const document = JSON.parse(committed) as Schema;
const operations = listOperations(document);

const find = (method: string, path: string) =>
  operations.find((operation) => operation.method === method && operation.path === path)!;

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await openTestGateway({
    simulator: { redirects: 'MANUAL' },
    timing: { enquiryDelaysMs: [200] },
  });
});
afterAll(() => gateway.stop());

describe('the committed document', () => {
  test('the committed document is what the routes make', async () => {
    const made = `${JSON.stringify(await createOpenApi(registerV2), null, 2)}\n`;
    expect(committed).toBe(made);
  });

  test('the committed document has exactly the nine groups of the specification as tags, in its order', () => {
    expect(document['tags'].map(({ name }: Schema) => name)).toEqual([
      'deposits',
      'split-payments',
      'checkouts',
      'payouts',
      'refunds',
      'remittances',
      'payment-page',
      'toolkit',
      'finances',
    ]);
  });

  test('the committed document puts every operation into one group, gives it a name of its own and asks for the token', () => {
    const groups = document['tags'].map(({ name }: Schema) => name);
    for (const { described } of operations) {
      expect(described['tags']).toHaveLength(1);
      expect(groups).toContain(described['tags'][0]);
    }
    expect(new Set(operations.map(({ described }) => described['operationId'])).size).toBe(operations.length);
    expect(document['security']).toEqual([{ apiToken: [] }]);
  });

  test('the committed document has no path without the prefix of API v2', () => {
    expect(operations.filter(({ path }) => !path.startsWith('/v2/'))).toEqual([]);
  });
});

/** Described, but no one has it: no provider with a one-time code has published a quick link. */
const NEVER_SEEN = [
  '.countries[].providers[].currencies[].operationTypes.DEPOSIT.authTokenInstructions.channels[].quickLink',
];

describe.each(operations.map((operation) => [`${operation.method} ${operation.path}`, operation] as const))(
  '%s',
  (_, operation) => {
    test.each(Object.keys(operation.described['responses']))(
      '%s is given, fits its description, has no field beyond it, and every field of it is seen',
      async (status) => {
        const schema = answerSchema(operation, status);
        const exercise = exerciseFor(operation, status, CURRENT_EXERCISES);
        expect(exercise, 'an exercise in exercises.ts').toBeDefined();
        const answers = await exercise!(gateway);
        expect(answers.map((answer) => String(answer.status))).toEqual(answers.map(() => status));
        expect(answers.flatMap(({ body }) => faultsOf(schema, body))).toEqual([]);
        expect(answers.flatMap(({ body }) => unknownCodes(schema, body))).toEqual([]);
        const seen = new Set(answers.flatMap(({ body }) => fieldsOf(schema, body)).map(({ field }) => field));
        expect(listFields(schema).filter((field) => !seen.has(field) && !NEVER_SEEN.includes(field))).toEqual(
          [],
        );
      },
    );
  },
);

test('a callback is the record of the status check, whatever the kind of payment', async () => {
  const kinds = [
    ['depositId', '/v2/deposits/{depositId}'],
    ['payoutId', '/v2/payouts/{payoutId}'],
    ['refundId', '/v2/refunds/{refundId}'],
    ['remittanceId', '/v2/remittances/{remittanceId}'],
    ['splitPaymentId', '/v2/split-payments/{splitPaymentId}'],
    ['checkoutId', '/v2/checkouts/{checkoutId}'],
    ['statementId', '/v2/statements/{statementId}'],
  ] as const;
  // A refund also names its deposit, so that its own identifier must be looked for first.
  const kindOf = (body: Schema) => kinds.findLast(([idName]) => idName in body);
  await eventually(() => new Set(gateway.receiver.received.map(({ body }) => kindOf(body)?.[0])).size).toBe(
    7,
  );
  for (const { body } of gateway.receiver.received) {
    const schema = answerSchema(find('GET', kindOf(body)![1]), '200')['properties'].data;
    expect(faultsOf(schema, body)).toEqual([]);
  }
});

describe('the described deposit request', () => {
  const { schema } = find('POST', '/v2/deposits').described['requestBody'].content['application/json'];
  const addresses = { successfulUrl: 'https://shop.example/ok', failedUrl: 'https://shop.example/failed' };
  const francs = { amount: '500', currency: 'XOF' };

  test.each([
    ['the least that is needed', {}],
    [
      'all that is free to give',
      { customerMessage: 'Order 1', clientReferenceId: '', metadata: [{ a: 'b' }] },
    ],
    ['a redirect', { ...francs, ...addresses, payer: payer('WAVE_SEN', '221773456789') }],
    [
      'a one-time code',
      { ...francs, payer: payer('ORANGE_BFA', '22674345678'), preAuthorisationCode: '3514' },
    ],
  ])('%s: the document allows it and the service accepts it', async (_, changes) => {
    const request = depositRequest(changes);
    expect(faultsOf(schema, request)).toEqual([]);
    expect((await call(gateway, 'POST', '/v2/deposits', request)).body).toMatchObject({ status: 'ACCEPTED' });
  });

  test.each([
    ['a field no one knows', { surplus: 1 }],
    ['no amount', { amount: undefined }],
    ['an amount that is a number', { amount: 100 }],
    ['an identifier that is none', { depositId: 'x' }],
    ['a currency in small letters', { currency: 'rwf' }],
    ['another type of payer', { payer: { ...payer('MTN_MOMO_RWA', '250783456789'), type: 'MSISDN' } }],
    ['a message that is too short', { customerMessage: 'abc' }],
    ['an address that is none', { successfulUrl: 'shop' }],
    ['11 metadata entries', { metadata: Array.from({ length: 11 }, (__, index) => ({ [index]: 'x' })) }],
  ])('%s: the document forbids it and the service answers 400', async (_, changes) => {
    const request = JSON.parse(JSON.stringify(depositRequest(changes)));
    expect(faultsOf(schema, request)).not.toEqual([]);
    expect((await call(gateway, 'POST', '/v2/deposits', request)).status).toBe(400);
  });
});

test('the validator finds what is undocumented, missing or of the wrong form', () => {
  const schema = answerSchema(find('POST', '/v2/deposits'), '200');
  const good = { depositId: randomUUID(), status: 'ACCEPTED', created: '2026-01-02T03:04:05.678Z' };
  const reason = { failureCode: 'INVALID_AMOUNT', failureMessage: 'x' };
  expect(faultsOf(schema, good)).toEqual([]);
  for (const bad of [
    { ...good, surplus: 1 },
    { ...good, failureReason: { ...reason, surplus: 1 } },
    { ...good, status: 'PENDING' },
    { ...good, created: 'yesterday' },
    { ...good, depositId: undefined },
  ]) {
    expect(faultsOf(schema, bad)).not.toEqual([]);
  }
  expect(unknownCodes(schema, { ...good, failureReason: reason })).toEqual([]);
  expect(unknownCodes(schema, { failureReason: { ...reason, failureCode: 'X' } })).toEqual(['X']);
});
