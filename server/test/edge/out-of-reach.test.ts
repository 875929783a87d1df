// What is answered while PostgreSQL is out of reach, where nothing was done: 503 with Retry-After, and the same request
// is taken when it comes again.
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { openGateway, type Gateway } from '../../src/commands/serve/compose.ts';
import { checkoutRequest } from '../checkouts.ts';
import { createPerson, openTestConsole, PASSWORD, signIn } from '../console/people.ts';
import { call, eventually, type TestGateway } from '../gateway.ts';
import { startDatabaseProxy, type DatabaseProxy } from './database-proxy.ts';

let kept: TestGateway;
let proxy: DatabaseProxy;
let proxied: Gateway;
let url: string;
beforeAll(async () => {
  kept = await openTestConsole({ role: 'api' });
  proxy = await startDatabaseProxy(kept.config.cell.databaseUrl);
  const cell = { id: '0001', databaseUrl: proxy.url, urls: [] };
  proxied = await openGateway({ ...kept.config, cell }, { role: 'api', logTo: 2 });
  ({ url } = await proxied.start());
});
beforeEach(() => proxy.become('OPEN'));
afterAll(async () => {
  proxy.become('OPEN');
  await proxied.stop();
  await proxy.stop();
  await kept.stop();
});

type Sent = { readonly path: string; readonly headers?: Record<string, string>; readonly body: string };

async function send({ path, headers = {}, body }: Sent): Promise<readonly unknown[]> {
  const init = { method: 'POST', headers, body, redirect: 'manual' } as const;
  const answer = await fetch(new URL(path, url), init);
  return [answer.status, answer.headers.get('retry-after')];
}

const JSON_TYPE = { 'content-type': 'application/json' };

const notification = (): Sent => ({
  path: '/operators/simulator/notifications',
  headers: JSON_TYPE,
  body: JSON.stringify({ reference: randomUUID() }),
});

async function form(): Promise<Sent> {
  const { body } = await call(kept, 'POST', '/v2/checkouts', checkoutRequest());
  const type = { 'content-type': 'application/x-www-form-urlencoded' };
  return { path: new URL(body['redirectUrl']).pathname, headers: type, body: 'step=choose' };
}

async function confirmation(): Promise<Sent> {
  const { email } = await createPerson(kept, 'OWNER');
  const cookie = await signIn(kept, { email, password: PASSWORD });
  const headers = { ...JSON_TYPE, cookie, origin: new URL(url).origin };
  return { path: '/console/api/me/confirm', headers, body: JSON.stringify({ password: PASSWORD }) };
}

test.each([
  ["an operator's notification", notification, 200],
  ["a payer's form", form, 303],
  ['a call of the console', confirmation, 200],
])('%s is answered 503 with Retry-After, and taken when it comes again', async (_, prepare, status) => {
  const sent = await prepare();
  proxy.become('CUT');
  expect(await send(sent)).toEqual([503, '1']);
  proxy.become('OPEN');
  await eventually(() => send(sent)).toEqual([status, null]);
});
