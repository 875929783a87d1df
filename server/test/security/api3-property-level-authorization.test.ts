// OWASP API3:2023, Broken Object Property Level Authorization: a request sets what its description names and nothing
// else, and an answer shows no more. Answers are held against their descriptions in edge/openapi.test.ts, personal data
// in the console in console/payments.test.ts.
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { listOperations, type Schema } from '../edge/description.ts';
import { call, depositRequest, openTestGateway, select, type TestGateway } from '../gateway.ts';
import { payoutRequest, refundRequest, remittanceRequest, type Body } from '../requests.ts';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await openTestGateway({ role: 'api' });
});
afterAll(() => gateway.stop());

/** What the gateway alone decides about a payment. */
const OURS = {
  status: 'COMPLETED',
  state: 'COMPLETED',
  merchantId: '00000000-0000-4000-8000-000000000000',
  fee: '0',
  created: '2000-01-01T00:00:00Z',
  providerTransactionId: 'ABC',
  depositedAmount: '1000000',
  nextAction: null,
  __proto__: null,
};

test.each([
  ['/v2/deposits', () => depositRequest()],
  ['/v2/payouts', () => payoutRequest()],
  ['/v2/remittances', () => remittanceRequest()],
  ['/v2/refunds', () => refundRequest('00000000-0000-4000-8000-000000000000')],
] as const)('%s takes no property that is ours to set, and starts nothing with one', async (path, make) => {
  const request: () => Body = make;
  for (const [name, value] of Object.entries(OURS)) {
    const { status, body } = await call(gateway, 'POST', path, { ...request(), [name]: value });
    expect([name, status, body['failureReason']?.failureCode]).toEqual([name, 400, 'UNSUPPORTED_PARAMETER']);
  }
  expect(await select(gateway, 'select 1 from payments')).toEqual([]);
});

test('every body that the console reads is closed: what it does not name is refused', () => {
  const url = new URL('../../../openapi/console.json', import.meta.url);
  const bodies = listOperations(JSON.parse(readFileSync(url, 'utf8')) as Schema).flatMap(
    ({ method, path, described }) => {
      const schema = described['requestBody']?.content['application/json'].schema as Schema | undefined;
      return schema === undefined ? [] : objectsIn(schema, `${method} ${path}`);
    },
  );
  expect(bodies.length).toBeGreaterThan(30);
  expect(bodies.filter(({ schema }) => schema['additionalProperties'] !== false)).toEqual([]);
  // Who acts is known from the session, never from what is sent.
  const names = bodies.flatMap(({ schema }) => Object.keys(schema['properties'] ?? {}));
  expect(names.filter((name) => /^(by|personId|approvedBy|requestedBy|preparedBy)$/.test(name))).toEqual([]);
});

function objectsIn(schema: Schema, place: string): readonly { place: string; schema: Schema }[] {
  const inner = [...Object.entries<Schema>(schema['properties'] ?? {}), ['[]', schema['items']] as const];
  return [
    ...(schema['type'] === 'object' ? [{ place, schema }] : []),
    ...inner.flatMap(([name, part]) => (part === undefined ? [] : objectsIn(part, `${place}.${name}`))),
  ];
}
