// The OpenAPI document of API v1 against the running service: every answer that is described is given
// at least once, fits its description, and has no field beyond it.
import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createOpenApi, earlierOpenApiOptions } from '../../src/edge/openapi.ts';
import { isV1Path } from '../../src/edge/v1/hosts.ts';
import { registerV1 } from '../../src/edge/v1/plugin.ts';
import { earlierDeposit, msisdn } from '../v1.ts';
import { call, eventually, openTestGateway, type TestGateway } from '../gateway.ts';
import {
  answerSchema,
  faultsOf,
  fieldsOf,
  listFields,
  listOperations,
  unknownCodes,
  type Schema,
} from './description.ts';
import { EARLIER_EXERCISES } from './exercises-v1.ts';
import { exerciseFor } from './exercises.ts';

const committed = await readFile(new URL('../../../openapi/v1.json', import.meta.url), 'utf8');
const document = JSON.parse(committed) as Schema;
const operations = listOperations(document);

const find = (method: string, path: string) =>
  operations.find((operation) => operation.method === method && operation.path === path)!;

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await openTestGateway({ timing: { enquiryDelaysMs: [200] } });
});
afterAll(() => gateway.stop());

describe('the committed document', () => {
  test('the committed document is what the routes make', async () => {
    const made = await createOpenApi((app, engine) => registerV1(app, engine), earlierOpenApiOptions());
    expect(committed).toBe(`${JSON.stringify(made, null, 2)}\n`);
  });

  test('the committed document gives every operation a group and a name of its own; all but two ask for the token', () => {
    const groups = document['tags'].map(({ name }: Schema) => name);
    for (const { described } of operations) expect(groups).toContain(described['tags'][0]);
    expect(new Set(operations.map(({ described }) => described['operationId'])).size).toBe(operations.length);
    const open = operations.filter(({ described }) => described['security']?.length === 0);
    expect(open.map(({ path }) => path)).toEqual(['/availability', '/public-key/http']);
  });

  test('the committed document has only paths that are answered in the words of this API version also when no route takes them', () => {
    expect(operations.filter(({ path }) => !isV1Path(path))).toEqual([]);
  });
});

describe.each(operations.map((operation) => [`${operation.method} ${operation.path}`, operation] as const))(
  '%s',
  (_, operation) => {
    test.each(Object.keys(operation.described['responses']))(
      '%s is given, fits its description, has no field beyond it, and every field of it is seen',
      async (status) => {
        const schema = answerSchema(operation, status);
        const exercise = exerciseFor(operation, status, EARLIER_EXERCISES);
        expect(exercise, 'an exercise in exercises-v1.ts').toBeDefined();
        const answers = await exercise!(gateway);
        expect(answers.map((answer) => String(answer.status))).toEqual(answers.map(() => status));
        expect(answers.flatMap(({ body }) => faultsOf(schema, body))).toEqual([]);
        expect(answers.flatMap(({ body }) => unknownCodes(schema, body))).toEqual([]);
        const seen = new Set(answers.flatMap(({ body }) => fieldsOf(schema, body)).map(({ field }) => field));
        expect(listFields(schema).filter((field) => !seen.has(field))).toEqual([]);
      },
    );
  },
);

test('a callback about a payment of this API version is the record of its status check', async () => {
  const paths = {
    refundId: '/refunds/{refundId}',
    payoutId: '/payouts/{payoutId}',
    depositId: '/deposits/{depositId}',
  };
  const kindOf = (body: Schema) => Object.entries(paths).find(([idName]) => idName in body)!;
  await eventually(() => new Set(gateway.receiver.received.map(({ body }) => kindOf(body)[0])).size).toBe(3);
  for (const { body } of gateway.receiver.received) {
    const schema = answerSchema(find('GET', kindOf(body)[1]), '200')['items'];
    expect(faultsOf(schema, body)).toEqual([]);
  }
});

describe('the described deposit request', () => {
  const { schema } = find('POST', '/deposits').described['requestBody'].content['application/json'];

  test.each([
    ['the least that is needed', {}],
    ['all that is free to give', { country: 'RWA', metadata: [{ fieldName: 'a', fieldValue: 'b' }] }],
    [
      'a one-time code',
      {
        amount: '500',
        currency: 'XOF',
        correspondent: 'ORANGE_BFA',
        payer: msisdn('22674345678'),
        preAuthorisationCode: '3514',
      },
    ],
  ])('%s: the document allows it and the service accepts it', async (_, changes) => {
    const request = earlierDeposit(changes);
    expect(faultsOf(schema, request)).toEqual([]);
    expect((await call(gateway, 'POST', '/deposits', request)).body).toMatchObject({ status: 'ACCEPTED' });
  });

  test.each([
    ['a field of API v2', { customerMessage: 'Order 1' }],
    ['no amount', { amount: undefined }],
    ['no correspondent', { correspondent: undefined }],
    ['no customerTimestamp', { customerTimestamp: undefined }],
    ['a customerTimestamp that is none', { customerTimestamp: 'yesterday' }],
    ['no statementDescription', { statementDescription: undefined }],
    ['a statementDescription that is too short', { statementDescription: 'abc' }],
    ['a country in small letters', { country: 'rwa' }],
    ['another type of payer', { payer: { type: 'MMO', address: { value: '250783456789' } } }],
    ['metadata of API v2', { metadata: [{ orderId: 'x' }] }],
  ])('%s: the document forbids it and the service answers 400 with errorCode 1', async (_, changes) => {
    const request = JSON.parse(JSON.stringify(earlierDeposit(changes)));
    expect(faultsOf(schema, request)).not.toEqual([]);
    const { status, body } = await call(gateway, 'POST', '/deposits', request);
    expect([status, body['errorCode']]).toEqual([400, 1]);
  });
});
