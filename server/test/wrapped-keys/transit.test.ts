// The client of Vault and OpenBao against a fake of them: logins, renewal, rotation, and what each kind of refusal is
// taken for.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
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
const UNREACHABLE = { type: 'FAILED', problem: 'KEY_SERVICE_UNREACHABLE' };

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
  ])('a login by %s with wrong credentials is a denial that does not repeat them', async (_, login) => {
    const answer = await open(login).unwrap(fake.encrypt(KEY));
    expect(answer).toMatchObject(DENIED);
    expect(JSON.stringify(answer)).not.toMatch(/another|other/);
  });

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
    fake.setTerms({ ttlSeconds: 1 });
    const service = open();
    const wrapped = fake.encrypt(KEY);
    for (let count = 0; count < 5; count += 1) {
      expect(await service.unwrap(wrapped)).toMatchObject({ type: 'DONE' });
      await sleep(400);
    }
    expect(renewals).toContain('RENEWED');
    expect(fake.requests.filter((one) => one.includes('login'))).toHaveLength(1);
    expect(fake.requests.filter((one) => one.endsWith('403'))).toEqual([]);
  });

  test('a token that has ended is replaced by a fresh login', async () => {
    fake.setTerms({ ttlSeconds: 1, isRenewable: false });
    const service = open();
    await service.unwrap(fake.encrypt(KEY));
    await sleep(1_100);
    expect(await service.unwrap(fake.encrypt(KEY))).toMatchObject({ type: 'DONE' });
    expect(renewals).toEqual(['LOGGED_IN']);
  });

  test('a token that may not be renewed any further is replaced before it ends', async () => {
    fake.setTerms({ ttlSeconds: 3, maxTtlSeconds: 3 });
    const service = open();
    await service.unwrap(fake.encrypt(KEY));
    await sleep(2_100);
    expect(await service.unwrap(fake.encrypt(KEY))).toMatchObject({ type: 'DONE' });
    expect(renewals).toEqual(['LOGGED_IN']);
    expect(fake.requests.filter((one) => one.endsWith('403'))).toEqual([]);
  });

  test('while a renewal fails, the token that there is serves on', async () => {
    fake.setTerms({ ttlSeconds: 3, isRenewable: false });
    const service = open();
    await service.unwrap(fake.encrypt(KEY));
    fake.refuseLogins();
    await sleep(2_100);
    expect(await service.unwrap(fake.encrypt(KEY))).toMatchObject({ type: 'DONE' });
    expect(renewals).toEqual(['FAILED']);
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

  test('a revoked token together with a refused login is a denial', async () => {
    const service = open();
    await service.unwrap(fake.encrypt(KEY));
    fake.revokeTokens();
    fake.refuseLogins();
    expect(await service.unwrap(fake.encrypt(KEY))).toMatchObject(DENIED);
  });

  test('a sealed service and one that is away are told apart, and neither denies', async () => {
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
