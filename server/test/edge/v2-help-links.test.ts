// Failures lead to their row in the documentation by a header.
import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { depositRequest, openTestGateway, type TestGateway } from '../gateway.ts';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await openTestGateway({ announces: false });
});
afterAll(() => gateway.stop());

const REJECTED = depositRequest({ amount: '0' });

test.each([
  ['a request without a token', '/v2/deposits', {}, depositRequest(), 'AUTHENTICATION_ERROR'],
  ['a request that is rejected', '/v2/deposits', { token: true }, REJECTED, 'AMOUNT_OUT_OF_BOUNDS'],
  ['a body that does not fit', '/v2/deposits', { token: true }, {}, 'MISSING_PARAMETER'],
  ['an unknown path', '/v2/nothing', { token: true }, {}, 'ROUTE_NOT_FOUND'],
] as const)(
  '%s has a link to its code',
  async (_name, path, { token = false }: { token?: boolean }, body, code) => {
    const response = await post(path, body, token);
    expect(response.headers.get('link')).toBe(`</docs/reference/failure-codes#${code}>; rel="help"`);
    const page = await readFile(new URL('../../../docs/reference/failure-codes.md', import.meta.url), 'utf8');
    expect(page).toContain(`\n| \`${code}\` |`);
  },
);

test('an accepted request and API v1 have no such link', async () => {
  expect((await post('/v2/deposits', depositRequest(), true)).headers.get('link')).toBeNull();
  expect((await post('/deposits', {}, true)).headers.get('link')).toBeNull();
});

async function post(path: string, body: object, hasToken: boolean): Promise<Response> {
  const authorization = hasToken ? { authorization: `Bearer ${gateway.apiToken}` } : {};
  const headers = { 'content-type': 'application/json', ...authorization };
  return fetch(`${gateway.url}${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
}
