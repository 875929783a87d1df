// Settings of a key service: what belongs together, and what is said when it does not.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readConfig } from '../../src/config.ts';
import { complaintAbout, keyOf, MINIMAL_SETTINGS } from '../settings.ts';

const SERVICE = {
  MALIPO_KEY_SERVICE_URL: 'https://vault.example:8200/',
  MALIPO_KEY_SERVICE_LOGIN: 'approle',
  MALIPO_KEY_SERVICE_ROLE: 'role-id',
  MALIPO_KEY_SERVICE_CREDENTIAL: 'secret-id',
  MALIPO_ENCRYPTION_KEYS: '2:vault:v3:c2VhbGVk,1:vault:v3:b3RoZXI=',
};

const read = (settings: NodeJS.ProcessEnv) => readConfig({ ...MINIMAL_SETTINGS, ...settings }).keys;

test('a key service has its address, its login and the wrapped keys, and the gateway has no key of its own', () => {
  const { encryptionKeys, keyService } = read(SERVICE);
  expect(encryptionKeys).toEqual([]);
  expect(keyService).toEqual({
    transit: {
      url: 'https://vault.example:8200',
      namespace: null,
      mount: 'transit',
      keyName: 'malipo',
      login: { method: 'approle', mount: 'approle', role: 'role-id', credential: expect.any(Function) },
    },
    checkMs: 15_000,
    hearMs: 600_000,
    listed: [
      { id: 2, wrapped: 'vault:v3:c2VhbGVk' },
      { id: 1, wrapped: 'vault:v3:b3RoZXI=' },
    ],
  });
  expect(keyService?.transit.login.credential()).toBe('secret-id');
});

test('mounts, the name of the key and a namespace can be others', () => {
  const { keyService } = read({
    ...SERVICE,
    MALIPO_KEY_SERVICE_MOUNT: 'team/transit',
    MALIPO_KEY_SERVICE_KEY_NAME: 'payments',
    MALIPO_KEY_SERVICE_LOGIN_MOUNT: 'approle-eu',
    MALIPO_KEY_SERVICE_NAMESPACE: 'payments',
  });
  expect(keyService?.transit).toMatchObject({
    mount: 'team/transit',
    keyName: 'payments',
    namespace: 'payments',
    login: { mount: 'approle-eu' },
  });
});

test('a credential in a file is read again each time', () => {
  const folder = mkdtempSync(join(tmpdir(), 'malipo-credential-'));
  const path = join(folder, 'token');
  writeFileSync(path, 'first\n');
  const { MALIPO_KEY_SERVICE_CREDENTIAL: _value, ...settings } = SERVICE;
  const login = read({ ...settings, MALIPO_KEY_SERVICE_CREDENTIAL_FILE: path }).keyService?.transit.login;
  expect(login?.credential()).toBe('first');
  writeFileSync(path, 'second\n');
  expect(login?.credential()).toBe('second');
  rmSync(folder, { recursive: true });
});

test('Kubernetes needs no credential: the token of the service account is where Kubernetes puts it', () => {
  const { MALIPO_KEY_SERVICE_CREDENTIAL: _value, ...settings } = SERVICE;
  const login = read({ ...settings, MALIPO_KEY_SERVICE_LOGIN: 'kubernetes' }).keyService?.transit.login;
  expect(login).toMatchObject({ method: 'kubernetes', mount: 'kubernetes', role: 'role-id' });
  expect(() => login?.credential()).toThrow(
    'MALIPO_KEY_SERVICE_CREDENTIAL_FILE: the file cannot be read (ENOENT)',
  );
});

test.each([
  [
    { MALIPO_KEY_SERVICE_URL: '' },
    'MALIPO_ENCRYPTION_KEYS: key 2 is wrapped by a key service. Set MALIPO_KEY_SERVICE_URL.',
  ],
  [
    { MALIPO_KEY_SERVICE_LOGIN: 'ldap' },
    'MALIPO_KEY_SERVICE_LOGIN must be one of token, approle, kubernetes, not "ldap".',
  ],
  [
    { MALIPO_KEY_SERVICE_CREDENTIAL: '' },
    'MALIPO_KEY_SERVICE_CREDENTIAL is not set. It must hold a token, or a secret_id.',
  ],
  [
    { MALIPO_KEY_SERVICE_ROLE: '' },
    'MALIPO_KEY_SERVICE_ROLE is not set. It must hold a role_id, or the name of a role.',
  ],
  [
    { MALIPO_KEY_SERVICE_MOUNT: '/transit' },
    'MALIPO_KEY_SERVICE_MOUNT must be a path of letters, digits and - _ . without slashes at its ends.',
  ],
])('%o is refused', (settings, complaint) => {
  expect(complaintAbout({ ...SERVICE, ...settings })).toBe(complaint);
});

test('in production the way to the service is encrypted, unless it is on this machine', () => {
  const production = {
    ...SERVICE,
    MALIPO_ENVIRONMENT: 'production',
    MALIPO_PUBLIC_URL: 'https://pay.example',
    MALIPO_LINK_KEYS: keyOf(4),
  };
  const complaint = (url: string) => complaintAbout({ ...production, MALIPO_KEY_SERVICE_URL: url });
  for (const url of [
    'https://vault.example',
    'http://127.0.0.1:8200',
    'http://localhost:8200',
    'http://[::1]:8200',
  ])
    expect(complaint(url)).toBe('accepted');
  for (const url of ['http://vault.example:8200', 'http://localhost.example'])
    expect(complaint(url)).toBe(
      'MALIPO_KEY_SERVICE_URL must be an https address in production, or this machine.',
    );
});
