// OWASP API2:2023, Broken Authentication: sessions and passwords of people. Tokens of merchants are tried in
// core/api-token.test.ts and edge/v2-deposit-authentication.test.ts, two-factor authentication in
// console/sign-in.test.ts.
import { request as httpRequest } from 'node:http';
import type { AddressInfo } from 'node:net';
import { SMTPServer } from 'smtp-server';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { ShutdownHooks } from '../../src/commands/serve/shutdown-hooks.ts';
import { openConsole } from '../../src/commands/serve/console.ts';
import { readIdentityProvider } from '../../src/config-oidc.ts';
import { AUTH_CALLS } from '../../src/edge/console/sign-in/sign-in.ts';
import { eventually, select, type TestGateway } from '../gateway.ts';
import { CONSOLE, cookiesOf, createPerson, openTestConsole, PASSWORD } from '../console/people.ts';

const PUBLIC_URL = 'https://pay.example';

/** It is never asked here. */
const PROVIDER = readIdentityProvider({
  MALIPO_OIDC_ISSUER: 'https://id.example',
  MALIPO_OIDC_CLIENT_ID: 'malipo',
  MALIPO_OIDC_CLIENT_SECRET: 'a secret',
  MALIPO_OIDC_ROLES: 'admins=OPERATOR_ADMIN',
});

let gateway: TestGateway;
let email: string;
let mailServer: SMTPServer;
let mails: string[];
/** The mail server takes no mail before this. */
let letMailsIn: Promise<void>;

beforeAll(async () => {
  mailServer = new SMTPServer({
    disabledCommands: ['AUTH', 'STARTTLS'],
    onData: (stream, _session, done) => {
      let text = '';
      stream.on('data', (chunk: Buffer) => (text += chunk.toString()));
      stream.on('end', () => void take(text, done));
    },
  });
  await new Promise<void>((resolve) => mailServer.listen(0, '127.0.0.1', () => resolve()));
  const { port } = mailServer.server.address() as AddressInfo;
  gateway = await openTestConsole({
    role: 'api',
    publicUrl: PUBLIC_URL,
    console: { ...CONSOLE, provider: PROVIDER },
    mail: { smtpUrl: `smtp://127.0.0.1:${port}`, from: 'gateway@malipo.example' },
  });
  ({ email } = await createPerson(gateway, 'OWNER'));
});
afterAll(async () => {
  await gateway.stop();
  await new Promise<void>((resolve) => mailServer.close(() => resolve()));
});
beforeEach(async () => {
  mails = [];
  letMailsIn = Promise.resolve();
  await select(gateway, 'delete from sign_in_rates');
});

async function take(text: string, done: () => void): Promise<void> {
  await letMailsIn;
  const mail = text.replaceAll('=\r\n', '');
  // Come some time after a sign-in, also after that of a test before.
  if (!/used on a new device|tried to sign in/.test(mail)) mails.push(mail);
  done();
}

async function post(path: string, body: unknown, headers: Record<string, string> = {}): Promise<Response> {
  return fetch(`${gateway.url}/console/${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: PUBLIC_URL, ...headers },
    body: JSON.stringify(body),
  });
}

async function statusOfMe(cookie: string): Promise<number> {
  return (await fetch(`${gateway.url}/console/api/me`, { headers: { cookie } })).status;
}

const signIn = (address: string, password = PASSWORD, headers = {}) =>
  post('auth/sign-in/email', { email: address, password }, headers);

const ask = (address: string) => post('auth/request-password-reset', { email: address });

describe('a session', () => {
  test('a session is a cookie that no script reads, that goes over TLS only and not with requests of other sites', async () => {
    const cookies = (await signIn(email)).headers.getSetCookie();
    const session = cookies.find((cookie) => cookie.includes('session_token='));
    expect(session).toMatch(/^__Secure-malipo\.session_token=/);
    for (const flag of ['HttpOnly', 'Secure', 'SameSite=Lax', 'Path=/']) expect(session).toContain(flag);
    expect(session).not.toContain('Domain=');
  });

  test('a session is never one that the browser brought: no one can prepare a session for somebody else', async () => {
    const prepared = cookiesOf(await signIn(email));
    const own = cookiesOf(await signIn(email, PASSWORD, { cookie: prepared }));
    expect(own).not.toBe(prepared);
    expect(await statusOfMe(own)).toBe(200);
  });

  test('with another signature is none, so that a copy of the database makes no cookies', async () => {
    const cookie = cookiesOf(await signIn(email));
    const [rows] = await select(
      gateway,
      'select token from people_sessions order by created_at desc limit 1',
    );
    const token = String(rows?.['token']);
    expect(decodeURIComponent(cookie)).toContain(token);
    const forged = [token, `${token}.`, `${token}.${Buffer.alloc(32).toString('base64')}`];
    for (const value of forged)
      expect(await statusOfMe(`__Secure-malipo.session_token=${encodeURIComponent(value)}`)).toBe(401);
    expect(await statusOfMe(cookie)).toBe(200);
  });
});

describe('signing in', () => {
  test('signing in fails in the same words, and after the same work, whether the address or the password is wrong', async () => {
    const wrong = 'something else, long enough';
    const words = await (await signIn(email, wrong)).json();
    const times = { known: [] as number[], unknown: [] as number[] };
    for (let round = 0; round < 3; round++) {
      for (const [whose, address] of [
        ['known', email],
        ['unknown', 'unknown@example.com'],
      ] as const) {
        const startedAt = performance.now();
        const answer = await signIn(address, wrong);
        times[whose].push(performance.now() - startedAt);
        expect([answer.status, await answer.json()]).toEqual([401, words]);
      }
    }
    // Without a password to compare, the slow hash must be made all the same; leaving it out takes a twentieth.
    expect(Math.min(...times.unknown)).toBeGreaterThan(Math.min(...times.known) / 3);
  });

  test('signing in can be tried twenty times in a minute from one address, anyone who it claims to be in a header', async () => {
    for (let guess = 0; guess < 20; guess++) {
      const answer = await post('auth/sign-in/email', {}, { 'x-forwarded-for': `192.0.2.${guess}` });
      expect(answer.status).toBe(400);
    }
    const own = { 'x-forwarded-for': '192.0.2.99', 'x-malipo-client-address': '192.0.2.98' };
    expect((await signIn(email, PASSWORD, own)).status).toBe(429);
  });

  test('signing in is refused to a page of somebody else, and so is every other call about sessions and passwords', async () => {
    const cookie = cookiesOf(await signIn(email));
    const body = { email, password: PASSWORD, currentPassword: PASSWORD, newPassword: `${PASSWORD}!` };
    const paths = AUTH_CALLS.filter((call) => call.startsWith('POST ')).map((call) => call.slice(6));
    expect(paths).toContain('change-password');
    for (const path of paths)
      for (const origin of ['https://evil.example', 'null', 'https://pay.example.evil.example'])
        expect([path, (await post(`auth/${path}`, body, { cookie, origin })).status]).toEqual([path, 403]);
    expect(await statusOfMe(cookie)).toBe(200);
  });
});

describe('a new password', () => {
  test('a new password is asked for without success for an address no one has, and no one learns that, by waiting neither', async () => {
    const gate = Promise.withResolvers<void>();
    letMailsIn = gate.promise;
    const known = await ask(email);
    const unknown = await ask('unknown@example.com');
    expect([known.status, await known.text()]).toEqual([unknown.status, await unknown.text()]);
    expect(mails).toEqual([]);
    gate.resolve();
    await eventually(() => mails.length).toBe(1);
  });

  test('a new password is not for somebody whom the identity provider signs in, which no one learns', async () => {
    const person = await createPerson(gateway, 'OWNER');
    await select(
      gateway,
      `update people_passwords set provider_id = 'oidc', password = null where person_id = $1`,
      [person.personId],
    );
    const answer = await ask(person.email);
    const unknown = await ask('unknown@example.com');
    expect([answer.status, await answer.text()]).toEqual([unknown.status, await unknown.text()]);
    await ask(email);
    await eventually(() => mails.filter((mail) => mail.includes(`To: ${email}`)).length).toBe(1);
    expect(mails).toHaveLength(1);
  });

  test('a new password comes by a link to this gateway, whatever Host the request named', async () => {
    expect(await askAs('evil.example', email)).toBe(200);
    await eventually(() => mails.length).toBe(1);
    expect(mails[0]).toContain(`${PUBLIC_URL}/dashboard/new-password/`);
    expect(mails[0]).not.toContain('evil.example');
  });

  test('a new password cannot be mailed where no one has said what links begin with: such a console does not start', async () => {
    const engine = { ...gateway.engine, publicUrl: null };
    const shutdownHooks = new ShutdownHooks();
    const config = { ...gateway.config, console: gateway.config.console! };
    expect(() => openConsole(config, () => engine, shutdownHooks)).toThrow('MALIPO_PUBLIC_URL');
    await shutdownHooks.run();
  });

  test('a new password is set once by its link, ends all sessions, and the database never held the link', async () => {
    const stolen = cookiesOf(await signIn(email));
    await ask(email);
    await eventually(() => linksIn(mails).length).toBe(1);
    const [token = ''] = linksIn(mails);
    const proofs = await select(gateway, 'select row_to_json(p)::text as row from people_proofs p');
    expect(proofs.length).toBeGreaterThan(0);
    expect(JSON.stringify(proofs)).not.toContain(token);
    const change = { newPassword: 'another long password', token };
    expect((await post('auth/reset-password', change)).status).toBe(200);
    expect((await post('auth/reset-password', change)).status).toBe(400);
    expect(await statusOfMe(stolen)).toBe(401);
    expect((await signIn(email)).status).toBe(401);
    expect((await signIn(email, change.newPassword)).status).toBe(200);
  });
});

function linksIn(texts: readonly string[]): readonly string[] {
  return texts.flatMap((text) => /new-password\/([\w-]+)/.exec(text)?.[1] ?? []);
}

/** `fetch` always names the host it goes to. */
function askAs(host: string, address: string): Promise<number | undefined> {
  const { hostname, port } = new URL(gateway.url);
  const headers = { host, origin: PUBLIC_URL, 'content-type': 'application/json' };
  const path = '/console/auth/request-password-reset';
  return new Promise((resolve, reject) => {
    const request = httpRequest({ hostname, port, method: 'POST', path, headers }, (response) => {
      response.resume().on('end', () => resolve(response.statusCode));
    });
    request.on('error', reject).end(JSON.stringify({ email: address }));
  });
}
