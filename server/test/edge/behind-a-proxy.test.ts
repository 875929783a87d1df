// A gateway that has been told of its proxy, which here is the test: what it believes about whose requests these are.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createPerson, openTestConsole, PASSWORD } from '../console/people.ts';
import { select, type TestGateway } from '../gateway.ts';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await openTestConsole({ role: 'api', trustedProxies: ['127.0.0.1'] });
});
afterAll(() => gateway.stop());

/** A request as the proxy hands it on: it has put its client behind what that claimed. */
function from(client: string, path: string, init: RequestInit = {}): Promise<Response> {
  const headers = { 'content-type': 'application/json', origin: gateway.url, 'x-forwarded-for': client };
  return fetch(`${gateway.url}${path}`, { ...init, headers: { ...headers, ...init.headers } });
}

describe('signing in', () => {
  const guess = (client: string, body: object = {}, headers = {}) =>
    from(client, '/console/auth/sign-in/email', { method: 'POST', body: JSON.stringify(body), headers });

  beforeEach(async () => void (await select(gateway, 'delete from sign_in_rates')));

  test('is limited for the client who guesses, whoever that claims to be, and for nobody else', async () => {
    const { email } = await createPerson(gateway, 'OWNER');
    for (let count = 0; count < 20; count += 1) {
      expect((await guess(`192.0.2.${count}, 203.0.113.9`)).status).toBe(400);
    }
    expect((await guess('203.0.113.9', { email, password: PASSWORD })).status).toBe(429);
    expect((await guess('198.51.100.1, 203.0.113.9', { email, password: PASSWORD })).status).toBe(429);
    expect((await guess('203.0.113.10', { email, password: PASSWORD })).status).toBe(200);
  });

  test('leaves the address of the person, not of the proxy, with the session', async () => {
    const { email } = await createPerson(gateway, 'OWNER');
    expect((await guess('203.0.113.77', { email, password: PASSWORD })).status).toBe(200);
    const sessions = await select(gateway, 'select ip_address from people_sessions order by created_at desc');
    expect(sessions[0]).toEqual({ ip_address: '203.0.113.77' });
  });

  test('is still refused to a page of somebody else: of what a proxy says only the client is believed', async () => {
    const { email } = await createPerson(gateway, 'OWNER');
    const evil = {
      'x-forwarded-host': 'evil.example',
      'x-forwarded-proto': 'https',
      origin: 'https://evil.example',
    };
    const answer = await guess('203.0.113.9', { email, password: PASSWORD }, evil);
    expect(answer.status).toBe(403);
  });
});
