// The client of Vault and OpenBao against a fake of them: logins, renewal, rotation, and what each kind of refusal is
// taken for.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import {
  FAKE_JWT,
  FAKE_KEY_NAME,
  FAKE_ROLE,
  FAKE_ROLE_ID,
  FAKE_SECRET_ID,
  startKeyServiceFake,
  type KeyServiceFake,
} from './fake.ts';
import type { KeyService, KeyServiceObserver } from '../../src/wrapped-keys/port.ts';
import type { LoginSettings } from '../../src/wrapped-keys/session.ts';
import { createTransit, type TransitSettings } from '../../src/wrapped-keys/transit.ts';

const KEY = Buffer.alloc(32, 7);

let fake: KeyServiceFake;
let renewals: string[];
let services: KeyService[];

beforeEach(async () => {
  fake = await startKeyServiceFake();
  renewals = [];
  services = [];
});
afterEach(async () => {
  vi.useRealTimers();
  for (const service of services) await service.close();
  await fake.stop();
});

const BY_ROLE: LoginSettings = {
  method: 'approle',
  mount: 'approle',
  role: FAKE_ROLE_ID,
  credential: () => FAKE_SECRET_ID,
};

function open(login: Partial<LoginSettings> = {}, settings: Partial<TransitSettings> = {}): KeyService {
  const observer: KeyServiceObserver = {
    asked: () => undefined,
    held: () => undefined,
    renewed: (result) => void renewals.push(result),
    tokenEnds: () => undefined,
  };
  const where = { url: fake.url, namespace: null, mount: 'transit', keyName: FAKE_KEY_NAME };
  const service = createTransit({ ...where, login: { ...BY_ROLE, ...login }, ...settings }, observer);
  services.push(service);
  return service;
}

const unreadable = (): string => {
  throw new Error('no such file');
};

const BY_TOKEN = { method: 'token', mount: 'token', role: null } as const;
const BY_ACCOUNT = { method: 'kubernetes', mount: 'kubernetes', role: FAKE_ROLE } as const;

const DENIED = { type: 'FAILED', problem: 'KEY_SERVICE_DENIED' };
const LOGIN_REFUSED = { type: 'FAILED', problem: 'KEY_SERVICE_LOGIN_REFUSED' };
const UNREACHABLE = { type: 'FAILED', problem: 'KEY_SERVICE_UNREACHABLE' };

const countLogins = () => fake.requests.filter((one) => one.includes('login')).length;

/** Time goes by for the client alone: tokens stay good in the fake. */
function stopClock(): (minutes: number) => void {
  vi.useFakeTimers({ toFake: ['performance'] });
  return (minutes) => void vi.advanceTimersByTime(minutes * 60_000);
}

/** Time goes by for both, and only when the test says so: a slow machine changes nothing. */
function stopBothClocks(): (seconds: number) => void {
  vi.useFakeTimers({ toFake: ['performance', 'Date'] });
  return (seconds) => void vi.advanceTimersByTime(seconds * 1_000);
}

describe('a login', () => {
  test('a login by AppRole, by Kubernetes and by a token unwraps a key', async () => {
    const wrapped = fake.encrypt(KEY);
    const token = fake.issueToken();
    const logins = [
      {},
      { ...BY_ACCOUNT, credential: () => FAKE_JWT },
      { ...BY_TOKEN, credential: () => token },
    ];
    for (const login of logins)
      expect(await open(login).unwrap(wrapped)).toEqual({ type: 'DONE', value: KEY });
    expect(fake.requests).toEqual([
      'POST auth/approle/login 200',
      'POST transit/decrypt/malipo 200',
      'POST auth/kubernetes/login 200',
      'POST transit/decrypt/malipo 200',
      'GET auth/token/lookup-self 200',
      'POST transit/decrypt/malipo 200',
    ]);
  });

  test.each<[string, Partial<LoginSettings>]>([
    ['AppRole', { credential: () => 'another secret' }],
    ['Kubernetes', { ...BY_ACCOUNT, credential: () => 'another account' }],
    [
      'Kubernetes under a role that is not there',
      { ...BY_ACCOUNT, role: 'other', credential: () => FAKE_JWT },
    ],
    ['a token', { ...BY_TOKEN, credential: () => 'hvs.another' }],
  ])(
    'a login by %s with wrong credentials is refused, in words that do not repeat them',
    async (_, login) => {
      const answer = await open(login).unwrap(fake.encrypt(KEY));
      expect(answer).toMatchObject(LOGIN_REFUSED);
      expect(JSON.stringify(answer)).not.toMatch(/another|other/);
    },
  );

  test('a login whose credential cannot be read is no denial', async () => {
    expect(await open({ credential: unreadable }).unwrap(fake.encrypt(KEY))).toMatchObject(UNREACHABLE);
  });

  test('a credential is read again for each login, so that its file can be replaced', async () => {
    let token = fake.issueToken();
    const service = open({ ...BY_TOKEN, credential: () => token });
    expect(await service.unwrap(fake.encrypt(KEY))).toMatchObject({ type: 'DONE' });
    fake.revokeTokens();
    token = fake.issueToken();
    expect(await service.unwrap(fake.encrypt(KEY))).toMatchObject({ type: 'DONE' });
  });
});

describe('a token', () => {
  test('a token is renewed after two thirds of its time', async () => {
    const pass = stopBothClocks();
    fake.setTerms({ ttlSeconds: 1 });
    const service = open();
    const wrapped = fake.encrypt(KEY);
    for (let count = 0; count < 5; count += 1) {
      expect(await service.unwrap(wrapped)).toMatchObject({ type: 'DONE' });
      pass(0.4);
    }
    expect(renewals).toContain('RENEWED');
    expect(fake.requests.filter((one) => one.includes('login'))).toHaveLength(1);
    expect(fake.requests.filter((one) => one.endsWith('403'))).toEqual([]);
  });

  test('a token that has ended is replaced by a fresh login', async () => {
    const pass = stopBothClocks();
    fake.setTerms({ ttlSeconds: 1, isRenewable: false });
    const service = open();
    await service.unwrap(fake.encrypt(KEY));
    pass(1.1);
    expect(await service.unwrap(fake.encrypt(KEY))).toMatchObject({ type: 'DONE' });
    expect(renewals).toEqual(['LOGGED_IN']);
  });

  test('a token that may not be renewed any further is replaced before it ends', async () => {
    const pass = stopBothClocks();
    fake.setTerms({ ttlSeconds: 3, maxTtlSeconds: 3 });
    const service = open();
    await service.unwrap(fake.encrypt(KEY));
    pass(2.1);
    expect(await service.unwrap(fake.encrypt(KEY))).toMatchObject({ type: 'DONE' });
    expect(renewals).toEqual(['LOGGED_IN']);
    expect(fake.requests.filter((one) => one.endsWith('403'))).toEqual([]);
  });

  test('while a renewal fails, the token that there is serves on', async () => {
    const pass = stopBothClocks();
    fake.setTerms({ ttlSeconds: 3, isRenewable: false });
    const service = open();
    await service.unwrap(fake.encrypt(KEY));
    fake.refuseLogins();
    pass(2.1);
    expect(await service.unwrap(fake.encrypt(KEY))).toMatchObject({ type: 'DONE' });
    expect(renewals).toEqual(['FAILED']);
  });

  test('a login by a token that finds the same token has not prolonged it', async () => {
    const pass = stopBothClocks();
    let token = fake.issueToken({ ttlSeconds: 3, isRenewable: false });
    const service = open({ ...BY_TOKEN, credential: () => token });
    await service.unwrap(fake.encrypt(KEY));
    pass(2.1);
    expect(await service.unwrap(fake.encrypt(KEY))).toMatchObject({ type: 'DONE' });
    expect(renewals).toEqual(['FAILED']);
    token = fake.issueToken();
    pass(0.8);
    expect(await service.unwrap(fake.encrypt(KEY))).toMatchObject({ type: 'DONE' });
    expect(renewals).toEqual(['FAILED', 'LOGGED_IN']);
  });

  test('a token that was revoked costs a fresh login and is no denial', async () => {
    const service = open();
    await service.unwrap(fake.encrypt(KEY));
    fake.revokeTokens();
    expect(await service.unwrap(fake.encrypt(KEY))).toMatchObject({ type: 'DONE' });
    expect(fake.requests.slice(2)).toEqual([
      'POST transit/decrypt/malipo 403',
      'POST auth/approle/login 200',
      'POST transit/decrypt/malipo 200',
    ]);
  });
});

describe('a refusal', () => {
  test('a denial is believed after a fresh login', async () => {
    const service = open();
    await service.unwrap(fake.encrypt(KEY));
    fake.deny();
    expect(await service.unwrap(fake.encrypt(KEY))).toMatchObject(DENIED);
    expect(fake.requests.slice(2)).toEqual([
      'POST transit/decrypt/malipo 403',
      'POST auth/approle/login 200',
      'POST transit/decrypt/malipo 403',
    ]);
  });

  test('a refused login is no denial until logins have been refused for ten minutes without a break', async () => {
    const pass = stopClock();
    const service = open({ ...BY_ACCOUNT, credential: () => FAKE_JWT });
    const ask = () => service.unwrap(fake.encrypt(KEY));
    await ask();
    fake.revokeTokens();
    // As Vault answers while the Kubernetes API does not.
    fake.refuseLogins();
    expect(await ask()).toMatchObject(LOGIN_REFUSED);
    pass(9);
    expect(await ask()).toMatchObject(LOGIN_REFUSED);
    fake.seal();
    pass(9);
    expect(await ask()).toMatchObject({ problem: 'KEY_SERVICE_SEALED' });
    fake.unseal();
    expect(await ask()).toMatchObject(LOGIN_REFUSED);
    pass(10);
    expect(await ask()).toMatchObject(DENIED);
    fake.acceptLogins();
    pass(10);
    expect(await ask()).toMatchObject({ type: 'DONE' });
  });

  test('after a denial the token that was denied asks again; fresh logins come after a minute, then more rarely', async () => {
    const pass = stopClock();
    const service = open();
    const ask = () => service.unwrap(fake.encrypt(KEY));
    await ask();
    fake.deny();
    const counts: number[] = [];
    for (const minutes of [0, 0, 0.9, 0.2, 1, 1.1, 3, 3, 30, 9, 2]) {
      pass(minutes);
      expect(await ask()).toMatchObject(DENIED);
      counts.push(countLogins());
    }
    expect(counts).toEqual([2, 2, 2, 3, 3, 4, 4, 5, 6, 6, 7]);
    fake.allow();
    expect(await ask()).toMatchObject({ type: 'DONE' });
    expect(countLogins()).toBe(7);
    // It was granted access meanwhile, so what comes now is new.
    fake.revokeTokens();
    expect(await ask()).toMatchObject({ type: 'DONE' });
    expect(countLogins()).toBe(8);
  });

  test('refused logins have the same pauses, also before a token ends', async () => {
    const pass = stopClock();
    const service = open();
    const ask = () => service.unwrap(fake.encrypt(KEY));
    await ask();
    fake.setTerms({ isRenewable: false });
    fake.revokeTokens();
    await ask();
    fake.refuseLogins();
    pass(41);
    for (let count = 0; count < 5; count += 1) expect(await ask()).toMatchObject({ type: 'DONE' });
    expect([renewals, countLogins()]).toEqual([['FAILED'], 3]);
    pass(1.1);
    await ask();
    expect([renewals, countLogins()]).toEqual([['FAILED', 'FAILED'], 4]);
  });

  test('a sealed service and one that is out of reach are told apart, and neither denies', async () => {
    const service = open();
    fake.seal();
    expect(await service.unwrap(fake.encrypt(KEY))).toMatchObject({ problem: 'KEY_SERVICE_SEALED' });
    fake.unseal();
    await fake.goAway();
    expect(await service.unwrap(fake.encrypt(KEY))).toMatchObject(UNREACHABLE);
    await fake.comeBack();
    expect(await service.unwrap(fake.encrypt(KEY))).toMatchObject({ type: 'DONE' });
  });

  test('a 403 of another server, such as a proxy, is no denial', async () => {
    const proxy = createServer((_, response) => response.writeHead(403).end('<h1>Forbidden</h1>'));
    await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
    const url = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`;
    expect(await open({}, { url }).unwrap(fake.encrypt(KEY))).toMatchObject(UNREACHABLE);
    proxy.close();
  });

  test('a key that is not there, and what is not a key, are refused in words for a host', async () => {
    expect(await open({}, { keyName: 'other' }).unwrap(fake.encrypt(KEY))).toEqual({
      type: 'FAILED',
      problem: 'KEY_SERVICE_REFUSED',
      detail: 'HTTP 400, there is no wrapping key of this name',
    });
    expect(await open().unwrap(fake.encrypt(Buffer.from('short')))).toMatchObject({
      problem: 'KEY_SERVICE_REFUSED',
    });
    expect(await open().unwrap('vault:v1:AAAA')).toMatchObject({ problem: 'KEY_SERVICE_REFUSED' });
  });
});

describe('a rotated key', () => {
  test('a rotated key wraps what is new and what is wrapped again; the version before can then be retired', async () => {
    const service = open();
    const before = await service.wrap(KEY);
    expect(before).toEqual({ type: 'DONE', value: expect.stringMatching(/^vault:v1:/) });
    const old = 'value' in before ? before.value : '';
    fake.rotate();
    expect(await service.wrap(KEY)).toEqual({ type: 'DONE', value: expect.stringMatching(/^vault:v2:/) });
    const again = await service.rewrap(old);
    expect(again).toEqual({ type: 'DONE', value: expect.stringMatching(/^vault:v2:/) });
    fake.setMinDecryptionVersion(2);
    expect(await service.unwrap('value' in again ? again.value : '')).toEqual({ type: 'DONE', value: KEY });
    expect(await service.unwrap(old)).toMatchObject({
      problem: 'KEY_SERVICE_REFUSED',
      detail: expect.stringContaining('run keys wrap'),
    });
  });
});
