// A gateway that has been told of its proxy, which here is the test: what it believes about whose requests these are,
// whom it does not hear any more, and what it answers only on a listener that no proxy leads to.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { openGateway } from '../../src/commands/serve/compose.ts';
import { freePort } from '../../src/commands/sandbox/local-machine.ts';
import { createTokenText } from '../../src/core/access/api-token.ts';
import { revokeToken } from '../../src/store/access/tokens.ts';
import { createPerson, openTestConsole, PASSWORD } from '../console/people.ts';
import { select, type TestGateway } from '../gateway.ts';
import { openToken } from './accounts.ts';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await openTestConsole({
    role: 'api',
    trustedProxies: ['127.0.0.1'],
    metricsListener: { host: '127.0.0.1', port: 0 },
    // Slow enough that no one earns a guess back while a test runs: one in a hundred seconds.
    authFailureLimit: { perSecond: 0.01, burst: 3 },
  });
});
afterAll(() => gateway.stop());

type Sent = {
  readonly method?: string;
  readonly body?: string;
  readonly headers?: Readonly<Record<string, string>>;
};

/** A request as the proxy hands it on: it has put its client behind what that claimed. */
function from(client: string, path: string, sent: Sent = {}): Promise<Response> {
  const headers = { 'content-type': 'application/json', origin: gateway.url, 'x-forwarded-for': client };
  return fetch(`${gateway.url}${path}`, { ...sent, headers: { ...headers, ...sent.headers } });
}

const guess = (client: string, body: object = {}, headers = {}) =>
  from(client, '/console/auth/sign-in/email', { method: 'POST', body: JSON.stringify(body), headers });

describe('signing in', () => {
  beforeEach(async () => void (await select(gateway, 'delete from sign_in_rates')));

  test('signing in is limited for the client who guesses, anyone who that claims to be, and for no one else', async () => {
    const { email } = await createPerson(gateway, 'OWNER');
    for (let count = 0; count < 20; count += 1) {
      expect((await guess(`192.0.2.${count}, 203.0.113.9`)).status).toBe(400);
    }
    expect((await guess('203.0.113.9', { email, password: PASSWORD })).status).toBe(429);
    expect((await guess('198.51.100.1, 203.0.113.9', { email, password: PASSWORD })).status).toBe(429);
    expect((await guess('203.0.113.10', { email, password: PASSWORD })).status).toBe(200);
  });

  test('signing in leaves the address of the person, not of the proxy, with the session', async () => {
    const { email } = await createPerson(gateway, 'OWNER');
    expect((await guess('203.0.113.77', { email, password: PASSWORD })).status).toBe(200);
    const sessions = await select(gateway, 'select ip_address from people_sessions order by created_at desc');
    expect(sessions[0]).toEqual({ ip_address: '203.0.113.77' });
  });

  test('signing in is still refused to a page of somebody else: of what a proxy says only the client is believed', async () => {
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

const DEPOSIT = '/v2/deposits/0b1e5a6c-6a0e-4a5e-9d0e-1f2a3b4c5d6e';

const look = (client: string, token?: string, path = DEPOSIT) =>
  from(client, path, { headers: token === undefined ? {} : { authorization: `Bearer ${token}` } });
const lookStatus = async (client: string, token?: string) => (await look(client, token)).status;

/** A token as ours look, which no one has. */
const newGuess = () => createTokenText('sandbox', '0001').text;

describe('anyone who sends requests without a valid token', () => {
  let clients = 0;
  /** An address that no one has come from. */
  const newClient = () => `203.0.113.${100 + (clients += 1)}`;

  /** A client that has used up its guesses. */
  async function newGuesser(): Promise<string> {
    const client = newClient();
    for (let count = 0; count < 3; count += 1) expect(await lookStatus(client, newGuess())).toBe(401);
    return client;
  }

  test('anyone who sends requests without a valid token is answered 429 in the words of each API version, with Retry-After', async () => {
    const client = await newGuesser();
    const current = await look(client, newGuess());
    const seconds = current.headers.get('retry-after');
    expect(seconds).toMatch(/^([89]\d|100)$/);
    const said = `Too many requests without a valid API token from your address. Retry after '${seconds}' seconds.`;
    expect([current.status, await current.json()]).toEqual([
      429,
      { failureReason: { failureCode: 'RATE_LIMITED', failureMessage: said } },
    ]);
    const earlier = await look(client, newGuess(), '/deposits/x');
    expect([earlier.status, await earlier.json()]).toMatchObject([429, { errorCode: 1 }]);
    expect(earlier.headers.get('retry-after')).not.toBeNull();
  });

  test('anyone who sends requests without a valid token is counted with a missing token, a misspelt one and one of no one', async () => {
    const client = newClient();
    const statuses = [];
    for (const token of [undefined, 'misspelt', newGuess(), undefined, 'misspelt', newGuess()])
      statuses.push(await lookStatus(client, token));
    expect(statuses).toEqual([401, 401, 401, 429, 429, 429]);
  });

  test('anyone who sends requests without a valid token is not heard as somebody else by claiming so, and no one else is kept out', async () => {
    const client = await newGuesser();
    expect(await lookStatus(`${newClient()}, ${client}`, newGuess())).toBe(429);
    expect(await lookStatus(newClient(), newGuess())).toBe(401);
  });

  test('anyone who sends requests without a valid token costs the database nothing more', async () => {
    const client = await newGuesser();
    await select(gateway, 'alter table api_tokens rename to api_tokens_away');
    try {
      expect(await lookStatus(newClient(), newGuess())).toBe(500);
      expect(await lookStatus(client, newGuess())).toBe(429);
    } finally {
      await select(gateway, 'alter table api_tokens_away rename to api_tokens');
    }
  });

  test('anyone who sends requests without a valid token is heard with a token that was good here before, and with no other', async () => {
    const client = await newGuesser();
    const { apiToken } = await openToken(gateway, gateway.merchantId);
    expect(await lookStatus(client, apiToken)).toBe(429);
    expect(await lookStatus(newClient(), apiToken)).toBe(200);
    for (let count = 0; count < 5; count += 1) expect(await lookStatus(client, apiToken)).toBe(200);
    expect(await lookStatus(client, newGuess())).toBe(429);
  });

  test('anyone who sends requests without a valid token is not heard with a token that was good once', async () => {
    const client = await newGuesser();
    const { apiToken } = await openToken(gateway, gateway.merchantId);
    expect(await lookStatus(newClient(), apiToken)).toBe(200);
    const [, , , tokenId = ''] = apiToken.split('_');
    await revokeToken(gateway.engine.store.database, tokenId, new Date(0));
    expect(await lookStatus(client, apiToken)).toBe(401);
    expect(await lookStatus(client, apiToken)).toBe(429);
  });

  test('anyone who sends requests without a valid token is heard again after the time it was told', async () => {
    const client = await newGuesser();
    expect(await lookStatus(client, newGuess())).toBe(429);
    await gateway.gateway.movableClock!.move(100_000);
    expect(await lookStatus(client, newGuess())).toBe(401);
  });

  test('anyone who sends requests without a valid token is the proxy itself, where that names no one, and is never refused for all', async () => {
    for (let count = 0; count < 6; count += 1) expect(await lookStatus('unknown', newGuess())).toBe(401);
  });
});

const statusAt = async (url: string, path: string) => (await fetch(url + path)).status;

describe('where metrics have a listener of their own', () => {
  test('they are answered there, and on the other listener there is nothing of that name', async () => {
    const answer = await fetch(`${gateway.metricsUrl}/metrics`);
    expect(await answer.text()).toContain('malipo_request_seconds');
    const outside = await fetch(`${gateway.url}/metrics`);
    expect([outside.status, await outside.json()]).toMatchObject([
      404,
      { failureReason: { failureCode: 'ROUTE_NOT_FOUND' } },
    ]);
  });

  test('a proxy can ask at either whether the process is ready', async () => {
    for (const url of [gateway.url, gateway.metricsUrl!])
      expect([await statusAt(url, '/health'), await statusAt(url, '/ready')]).toEqual([200, 200]);
  });

  test('a listener of its own for metrics answers nothing else', async () => {
    const paths = [
      DEPOSIT,
      '/deposits/x',
      '/console/api/me',
      '/dashboard',
      '/pay/x',
      '/operators/simulator/x',
    ];
    for (const path of paths) expect([path, await statusAt(gateway.metricsUrl!, path)]).toEqual([path, 404]);
  });

  test('a worker has that listener and no other', async () => {
    const [port, operatorsUrl] = [await freePort(), gateway.url];
    const worker = await openGateway({ ...gateway.config, port, operatorsUrl }, { role: 'worker', logTo: 2 });
    try {
      const { url } = await worker.start();
      expect([await statusAt(url, '/metrics'), await statusAt(url, '/ready')]).toEqual([200, 200]);
      await expect(fetch(`http://127.0.0.1:${port}/health`)).rejects.toThrow('fetch failed');
    } finally {
      await worker.stop();
    }
  });

  test('a process whose port is taken says which, and opens none', async () => {
    const port = Number(new URL(gateway.metricsUrl!).port);
    const own = await freePort();
    const config = { ...gateway.config, port: own, metricsListener: { host: '127.0.0.1', port } };
    const second = await openGateway(config, { role: 'api', logTo: 2 });
    await expect(second.start()).rejects.toThrow(`Port ${port} of 127.0.0.1 is in use.`);
    await expect(fetch(`http://127.0.0.1:${own}/health`)).rejects.toThrow('fetch failed');
  });
});
