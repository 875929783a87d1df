// The OpenAPI document against the running service, with a validator that is not ours: every documented answer is
// given at least once, every answer fits its description, and no answer has a field that the document does not know.
import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createOpenApi } from '../../src/edge/openapi.ts';
import { registerV2 } from '../../src/edge/v2/plugin.ts';
import {
  call,
  depositRequest,
  eventually,
  openTestGateway,
  payer,
  type Answer,
  type TestGateway,
} from '../gateway.ts';
import { openAccount, openToken } from './accounts.ts';
import { withoutTable } from './missing-table.ts';

type Schema = Record<string, any>;

const committed = await readFile(new URL('../../../openapi/v2.json', import.meta.url), 'utf8');
const document = JSON.parse(committed) as Record<string, any>;

/** Each documented answer by its name, "GET /v2/deposits/{depositId} 200", with its schema. */
const documented = new Map<string, Schema>(
  Object.entries<Schema>(document['paths']).flatMap(([path, operations]) =>
    Object.entries<Schema>(operations).flatMap(([method, operation]) =>
      Object.entries<Schema>(operation['responses']).map(
        ([status, response]) =>
          [
            `${method.toUpperCase()} ${path} ${status}`,
            response['content']['application/json'].schema,
          ] as const,
      ),
    ),
  ),
);

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await openTestGateway({ simulator: { redirects: 'MANUAL' } });
});
afterAll(() => gateway.stop());

describe('the committed document', () => {
  test('is what the routes make', async () => {
    const made = `${JSON.stringify(await createOpenApi(registerV2), null, 2)}\n`;
    expect(committed).toBe(made);
  });

  test('has exactly the nine groups of the specification as tags, in its order', () => {
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

  test('puts every operation into one group, gives it a name of its own and asks for the token', () => {
    const operations = Object.values<Schema>(document['paths']).flatMap((path) =>
      Object.values<Schema>(path),
    );
    const groups = document['tags'].map(({ name }: Schema) => name);
    for (const { tags } of operations) expect(groups).toEqual(expect.arrayContaining(tags));
    for (const { tags } of operations) expect(tags).toHaveLength(1);
    expect(new Set(operations.map(({ operationId }) => operationId)).size).toBe(operations.length);
    expect(document['security']).toEqual([{ apiToken: [] }]);
  });

  test('serves no path without the prefix of the current generation', () => {
    expect(Object.keys(document['paths']).filter((path) => !path.startsWith('/v2/'))).toEqual([]);
  });
});

// What makes the service give each documented answer.

const wave = {
  amount: '500',
  currency: 'XOF',
  payer: payer('WAVE_SEN', '221773456789'),
  successfulUrl: 'https://shop.example/ok',
  failedUrl: 'https://shop.example/failed',
};
const full = {
  customerMessage: 'Order 123456',
  clientReferenceId: 'INV-1',
  metadata: [{ orderId: 'ORD-1' }, { email: 'a@example.com', isPII: true }],
};

const post = (body: unknown, apiToken = gateway.apiToken) =>
  call({ url: gateway.url, apiToken }, 'POST', '/v2/deposits', body);
const get = (depositId: string, apiToken = gateway.apiToken) =>
  call({ url: gateway.url, apiToken }, 'GET', `/v2/deposits/${depositId}`);

async function tokenFor(scope: 'deposits:read' | 'deposits:write'): Promise<string> {
  return (await openToken(gateway, gateway.merchantId, { scopes: [scope] })).apiToken;
}

/** The answer of `work` while one of our tables is missing. */
async function answerWithout(table: string, work: () => Promise<Answer>): Promise<Answer> {
  const answers: Answer[] = [];
  await withoutTable(gateway, table, async () => void answers.push(await work()));
  return answers[0]!;
}

/** Starts a deposit and reads its record until it is as far as `isFarEnough` wants. */
async function record(request: unknown, isFarEnough: (data: Schema) => boolean): Promise<Answer> {
  const { depositId } = (await post(request)).body;
  await eventually(async () => isFarEnough((await get(depositId)).body['data'])).toBe(true);
  return get(depositId);
}

const hasStatus = (status: string) => (data: Schema) => data['status'] === status;

const exercises: Readonly<Record<string, () => Promise<readonly Answer[]>>> = {
  'POST /v2/deposits 200': async () => {
    const request = depositRequest(full);
    return [
      await post(request),
      await post(request),
      await post(depositRequest(wave)),
      await post(depositRequest({ amount: '0' })),
    ];
  },
  'POST /v2/deposits 400': async () => [
    await post('{'),
    await post({}),
    await post(depositRequest({ depositId: 'x' })),
    await post(depositRequest({ surplus: 1 })),
    await post(depositRequest({ metadata: [{ a: '1' }, { a: '2' }] })),
  ],
  'POST /v2/deposits 401': async () => [await post(depositRequest(), 'secret'), await post('{', 'secret')],
  'POST /v2/deposits 403': async () => [
    await post(depositRequest(), await tokenFor('deposits:read')),
    await post(depositRequest(), (await openAccount(gateway, { operations: [] })).apiToken),
  ],
  'POST /v2/deposits 500': async () => [await answerWithout('payment_keys', () => post(depositRequest()))],
  'GET /v2/deposits/{depositId} 200': async () => [
    await get(randomUUID()),
    await record(depositRequest(full), hasStatus('COMPLETED')),
    await record(depositRequest({ payer: payer('MTN_MOMO_RWA', '250783456039') }), hasStatus('FAILED')),
    await record(depositRequest(wave), (data) => data['nextStep'] === 'REDIRECT_TO_AUTH_URL'),
  ],
  'GET /v2/deposits/{depositId} 400': async () => [await get('x')],
  'GET /v2/deposits/{depositId} 401': async () => [await get(randomUUID(), 'secret')],
  'GET /v2/deposits/{depositId} 403': async () => [await get(randomUUID(), await tokenFor('deposits:write'))],
  'GET /v2/deposits/{depositId} 500': async () => [await answerWithout('payments', () => get(randomUUID()))],
};

describe('every documented answer', () => {
  test('is exercised, and nothing else', () => {
    expect(Object.keys(exercises).toSorted()).toEqual([...documented.keys()].toSorted());
  });

  test.each(Object.entries(exercises))(
    '%s: fits its description, has no field beyond it, and every field of it was seen',
    async (name, exercise) => {
      const schema = documented.get(name)!;
      const answers = await exercise();
      expect(new Set(answers.map(({ status }) => String(status)))).toEqual(new Set([name.split(' ')[2]]));
      expect(answers.flatMap(({ body }) => faultsOf(schema, body))).toEqual([]);
      const seen = new Set(answers.flatMap(({ body }) => fieldsOf(schema, body)));
      expect([...seen].toSorted()).toEqual(listFields(schema).toSorted());
      for (const { body } of answers) expectKnownCode(schema, body);
    },
  );

  test('a callback is the record of the status check', async () => {
    const schema = documented.get('GET /v2/deposits/{depositId} 200')!['properties'].data;
    await eventually(() => new Set(gateway.receiver.received.map(({ body }) => body['status']))).toEqual(
      new Set(['COMPLETED', 'FAILED', 'PROCESSING']),
    );
    expect(gateway.receiver.received.flatMap(({ body }) => faultsOf(schema, body))).toEqual([]);
  });
});

describe('the documented request', () => {
  const { schema } = document['paths']['/v2/deposits'].post.requestBody.content['application/json'];

  test.each([
    ['the least that is needed', {}],
    ['everything for a PIN prompt', full],
    ['a redirect', wave],
    ['a one-time code', { ...wave, payer: payer('ORANGE_BFA', '22674345678'), preAuthorisationCode: '3514' }],
  ])('%s: the document allows it and the service accepts it', async (_, changes) => {
    const request = depositRequest(changes);
    expect(faultsOf(schema, request)).toEqual([]);
    expect((await post(request)).body).toMatchObject({ status: 'ACCEPTED' });
  });

  test.each([
    ['a field nobody knows', { surplus: 1 }],
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
    expect((await post(request)).status).toBe(400);
  });
});

test('the validator finds what is undocumented, missing or of the wrong form', () => {
  const schema = documented.get('POST /v2/deposits 200')!;
  const good = { depositId: randomUUID(), status: 'ACCEPTED', created: '2026-01-02T03:04:05.678Z' };
  expect(faultsOf(schema, good)).toEqual([]);
  for (const bad of [
    { ...good, surplus: 1 },
    { ...good, failureReason: { failureCode: 'X', failureMessage: 'x', surplus: 1 } },
    { ...good, status: 'PENDING' },
    { ...good, created: 'yesterday' },
    { ...good, depositId: undefined },
  ]) {
    expect(faultsOf(schema, bad)).not.toEqual([]);
  }
});

/** What an independent validator has against a value, undocumented fields included. */
function faultsOf(schema: Schema, value: unknown): readonly string[] {
  const ajv = new Ajv2020({ allErrors: true, formats: { 'date-time': isDateTime, uri: isUri } });
  const validate = ajv.compile(closed(schema));
  validate(value);
  return (validate.errors ?? []).map(({ instancePath, message, params }) =>
    [instancePath, message, JSON.stringify(params)].join(' '),
  );
}

function isDateTime(text: string): boolean {
  return (
    /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/.test(text) && !Number.isNaN(Date.parse(text))
  );
}

function isUri(text: string): boolean {
  return URL.canParse(text);
}

/** The same schema with every object closed: a field that is not described is a fault. */
function closed(schema: Schema): Schema {
  if (schema['type'] === 'array') return { ...schema, items: closed(schema['items']) };
  if (schema['type'] !== 'object') return schema;
  const properties = Object.entries<Schema>(schema['properties'] ?? {}).map(([name, one]) => [
    name,
    closed(one),
  ]);
  return { additionalProperties: false, ...schema, properties: Object.fromEntries(properties) };
}

/** The dotted names of all fields a schema describes. */
function listFields(schema: Schema, place = ''): readonly string[] {
  return Object.entries<Schema>(schema['properties'] ?? {}).flatMap(([name, one]) => [
    `${place}${name}`,
    ...listFields(one, `${place}${name}.`),
  ]);
}

/** Those of the described fields that a value has. */
function fieldsOf(schema: Schema, value: unknown): readonly string[] {
  return listFields(schema).filter((field) => {
    const found = field.split('.').reduce<any>((inner, name) => inner?.[name], value);
    return found !== undefined;
  });
}

/** The document lists the codes an answer can have; this answer's must be among them. */
function expectKnownCode(schema: Schema, body: Schema): void {
  const [described, reason] =
    body['data'] === undefined
      ? [schema, body['failureReason']]
      : [schema['properties'].data, body['data'].failureReason];
  if (reason === undefined) return;
  const { description } = described['properties'].failureReason.properties.failureCode;
  const codes = /Known codes: ([^.]+)\./.exec(description)?.[1]?.split(', ');
  expect(codes).toContain(reason.failureCode);
}
