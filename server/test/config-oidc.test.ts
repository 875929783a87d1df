// The settings of single sign-on.
import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { readConfig } from '../src/config.ts';
import { complaintAbout, keyOf, MINIMAL_SETTINGS } from './settings.ts';

const MERCHANT = randomUUID();
const PROVIDER = {
  MALIPO_CONSOLE_KEY: keyOf(9),
  MALIPO_OIDC_ISSUER: 'https://id.example/',
  MALIPO_OIDC_CLIENT_ID: 'malipo',
  MALIPO_OIDC_CLIENT_SECRET: 'a secret',
  MALIPO_OIDC_ROLES: `CN=Admins,OU=x=OPERATOR_ADMIN; shop finance=FINANCE@${MERCHANT.toUpperCase()};`,
};

test('Without an issuer people sign in with passwords only.', () => {
  const settings = { ...MINIMAL_SETTINGS, MALIPO_CONSOLE_KEY: keyOf(9), MALIPO_OIDC_NAME: '' };
  expect(readConfig(settings).console?.provider).toBeNull();
});

test.each(['MALIPO_OIDC_PLATFORM', 'MALIPO_OIDC_CLIENT_SECRET'])(
  '%s without an issuer is refused: nothing would come of it.',
  (name) => {
    expect(complaintAbout({ MALIPO_CONSOLE_KEY: keyOf(9), [name]: 'REQUIRED' })).toBe(
      `${name} is set, but MALIPO_OIDC_ISSUER is not.`,
    );
  },
);

test('The issuer is kept as it is written; groups may hold spaces, commas and equals signs.', () => {
  expect(readConfig({ ...MINIMAL_SETTINGS, ...PROVIDER }).console?.provider).toEqual({
    issuer: 'https://id.example/',
    clientId: 'malipo',
    clientSecret: 'a secret',
    name: 'single sign-on',
    scopes: ['openid', 'email', 'profile'],
    groupsClaim: 'groups',
    multiFactor: ['mfa'],
    roles: [
      { group: 'CN=Admins,OU=x', merchantId: null, role: 'OPERATOR_ADMIN' },
      { group: 'shop finance', merchantId: MERCHANT, role: 'FINANCE' },
    ],
    platform: 'OPTIONAL',
    sessionMs: 3_600_000,
  });
});

const ROLES =
  'MALIPO_OIDC_ROLES must list roles of groups as "group=OPERATOR_ADMIN; group=FINANCE@<merchant>", ' +
  'parted by semicolons.';

test.each([
  ['MALIPO_OIDC_ISSUER', 'http://id.example', /^MALIPO_OIDC_ISSUER must be an https address/],
  ['MALIPO_OIDC_CLIENT_ID', undefined, /^MALIPO_OIDC_CLIENT_ID is not set/],
  ['MALIPO_OIDC_CLIENT_SECRET', undefined, /^MALIPO_OIDC_CLIENT_SECRET is not set/],
  ['MALIPO_OIDC_ROLES', undefined, /^MALIPO_OIDC_ROLES is not set/],
  ['MALIPO_OIDC_ROLES', 'glass=BREAK_GLASS', ROLES],
  ['MALIPO_OIDC_ROLES', 'admins=OPERATOR_ADMIN; =OPERATOR_SUPPORT', ROLES],
  ['MALIPO_OIDC_ROLES', 'shop=FINANCE', ROLES],
  ['MALIPO_OIDC_ROLES', `shop=OPERATOR_ADMIN@${MERCHANT}`, ROLES],
  ['MALIPO_OIDC_ROLES', 'shop=FINANCE@shop', ROLES],
  ['MALIPO_OIDC_PLATFORM', 'always', /^MALIPO_OIDC_PLATFORM must be "REQUIRED" or "OPTIONAL"/],
  ['MALIPO_OIDC_SESSION_MINUTES', '4', /^MALIPO_OIDC_SESSION_MINUTES must be a whole number from 5 to 720/],
])('%s "%s" is refused.', (name, value, complaint) => {
  const found = complaintAbout({ ...PROVIDER, [name]: value });
  if (typeof complaint === 'string') expect(found).toBe(complaint);
  else expect(found).toMatch(complaint);
});
