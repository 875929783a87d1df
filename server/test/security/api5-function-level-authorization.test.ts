// OWASP API5:2023, Broken Function Level Authorization: what a token was not made for it cannot do. People and the
// console: console/permissions.test.ts tries every route as every role.
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { SCOPES } from '../../src/core/merchants/administer-merchants.ts';
import { openToken } from '../edge/accounts.ts';
import { listOperations, type Operation, type Schema } from '../edge/description.ts';
import { call, openTestGateway, type TestGateway } from '../gateway.ts';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await openTestGateway({ role: 'api' });
});
afterAll(() => gateway.stop());

const read = (name: string) =>
  JSON.parse(readFileSync(new URL(`../../../openapi/${name}.json`, import.meta.url), 'utf8')) as Schema;

/** All but those that everybody may call: their description says so. */
const operations = ['v2', 'v1']
  .flatMap((name) => listOperations(read(name)))
  .filter(({ described }) => described['security']?.length !== 0);

const exampleOf = ({ described }: Operation, status: string): unknown =>
  described['responses'][status].content['application/json'].example;

/** The scope that an answer asks for. */
const scopesIn = (body: unknown) => JSON.stringify(body).match(/lacks the scope '[\w:-]+'/g);

function tryWith(apiToken: string, { method, path }: Operation) {
  const body = method === 'GET' ? undefined : '"no object"';
  return call({ url: gateway.url, apiToken }, method, path.replaceAll(/\{\w+\}/g, 'x'), body);
}

test('no route is open to a token without scopes, and none without a token', async () => {
  const { apiToken } = await openToken(gateway, gateway.merchantId, { scopes: [] });
  expect(operations.length).toBeGreaterThan(40);
  for (const operation of operations) {
    const { method, path } = operation;
    const [refused, unknown] = [await tryWith(apiToken, operation), await tryWith('none', operation)];
    expect([method, path, refused.status, unknown.status]).toEqual([method, path, 403, 401]);
    expect([path, scopesIn(refused.body)]).toEqual([path, scopesIn(exampleOf(operation, '403'))]);
  }
});

test('each route is opened by one scope and by no other', async () => {
  const tokens = await Promise.all(
    SCOPES.map(async (scope) => {
      const { apiToken } = await openToken(gateway, gateway.merchantId, { scopes: [scope] });
      return { scope, apiToken };
    }),
  );
  for (const operation of operations) {
    const opened = await Promise.all(
      tokens.map(async ({ scope, apiToken }) =>
        (await tryWith(apiToken, operation)).status === 403 ? [] : [scope],
      ),
    );
    const { method, path } = operation;
    expect([method, path, opened.flat()]).toEqual([method, path, [expect.any(String)]]);
    if (!isLooking(operation))
      expect([path, opened.flat()]).toEqual([path, [expect.stringMatching(/:write$/)]]);
  }
});

/** What only asks, though some of it is asked by POST. */
function isLooking({ method, path }: Operation): boolean {
  return method === 'GET' || /predict|resend-callback|statements/.test(path);
}
