// Single sign-on without a browser: what a client could send, passwords beside it, and two-person rules.
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { acceptInvitation, invite } from '../../src/core/merchants/team.ts';
import { parseGroupRoles, type GroupRole } from '../../src/domain/merchants/group-roles.ts';
import { select, type TestGateway } from '../gateway.ts';
import { approvalIn, at, decideOn, PAYING } from './asked.ts';
import { codeOf } from './authenticator.ts';
import { openIdentityProvider, type TestProvider } from './identity-provider.ts';
import { callerWith, confirmed, CONSOLE, createPerson, openTestConsole, PASSWORD, signIn } from './people.ts';
import { follow, type Visit } from './redirections.ts';

let provider: TestProvider;
let gateway: TestGateway;
let roles: GroupRole[];
beforeAll(async () => {
  provider = await openIdentityProvider();
  const settings = provider.settings('admins=OPERATOR_ADMIN');
  ({ roles } = settings);
  gateway = await openTestConsole({ console: { ...CONSOLE, provider: settings } });
  roles.push(...(parseGroupRoles(`developers=DEVELOPER@${gateway.merchantId}`) ?? []));
  roles.push(...(parseGroupRoles(`owners=OWNER@${gateway.merchantId}`) ?? []));
});
afterAll(async () => {
  await gateway.stop();
  await provider.close();
});
beforeEach(async () => {
  for (const claim of Object.keys(provider.spoilt)) delete provider.spoilt[claim];
  await select(gateway, 'delete from sign_in_rates');
});

const START = '/console/auth/sign-in/social';

function post(body: object, cookie = ''): RequestInit {
  const headers = { 'content-type': 'application/json', origin: gateway.url, cookie };
  return { method: 'POST', headers, body: JSON.stringify(body) };
}

async function atProvider(login: string, body: object = {}, cookie = ''): Promise<Visit> {
  await select(gateway, 'delete from sign_in_rates');
  return follow(`${gateway.url}${START}`, post(body, cookie), login);
}

const newEmail = () => `${randomUUID()}@host.example`;

/** Somebody at the identity provider; answers their name there. */
function account(groups: readonly string[], email = newEmail()): string {
  const login = randomUUID();
  provider.accounts.set(login, { email, isVerified: true, groups, methods: ['mfa'] });
  return login;
}

const membershipOf = (personId: string) =>
  select(gateway, 'select role, until from memberships where person_id = $1', [personId]);

const me = async (cookie: string) => (await callerWith(gateway, cookie)('GET', 'api/me')).body;

test('A provider that is out of reach is said to be, and asked again with the next sign-in.', async () => {
  const answer = await fetch(`${gateway.url}${START}`, post({}));
  expect([answer.status, await answer.json()]).toMatchObject([503, { code: 'PROVIDER_UNREACHABLE' }]);
  const { email } = await createPerson(gateway, 'OWNER');
  expect(await signIn(gateway, { email, password: PASSWORD })).toContain('malipo.session_token');
  provider.serve(gateway.url);
  expect((await fetch(`${gateway.url}${START}`, post({}))).status).toBe(200);
});

test('The provider is asked with PKCE, state and nonce, whatever the client sends.', async () => {
  const extra = {
    provider: 'google',
    scopes: ['x'],
    callbackURL: 'https://evil.example',
    to: '//evil.example',
  };
  const idToken = { token: 'x.y.z' };
  const answer = await fetch(`${gateway.url}${START}`, post({ ...extra, idToken, requestSignUp: true }));
  const { url } = (await answer.json()) as { readonly url: string };
  const asked = Object.fromEntries(new URL(url).searchParams);
  expect(asked).toMatchObject({
    client_id: 'malipo',
    response_type: 'code',
    code_challenge_method: 'S256',
    scope: 'openid email profile',
    redirect_uri: `${gateway.url}/console/auth/callback/oidc`,
  });
  for (const name of ['state', 'nonce', 'code_challenge']) expect(asked[name]).toMatch(/^[\w-]{32,}$/);
  const { url: end } = await atProvider(account(['admins']), extra);
  expect(new URL(end).origin).toBe(gateway.url);
});

test('Nothing of the provider is kept but who it is; the session is as long as configured.', async () => {
  const login = account(['admins']);
  const { cookie } = await atProvider(login);
  const { personId, signedInWith, host } = await me(cookie);
  expect([signedInWith, host.role]).toEqual(['PROVIDER', 'OPERATOR_ADMIN']);
  const accounts = await select(gateway, 'select * from people_passwords where person_id = $1', [personId]);
  const tokens = { access_token: null, refresh_token: null, id_token: null, password: null };
  expect(accounts).toEqual([
    expect.objectContaining({ account_id: expect.stringContaining(` ${login}`), ...tokens }),
  ]);
  const [session] = await select(
    gateway,
    'select extract(epoch from expires_at - created_at)::int as seconds from people_sessions where person_id = $1',
    [personId],
  );
  expect(session?.['seconds']).toBe(3_600);
});

describe('passwords', () => {
  test('Where single sign-on is required, a platform person with a password is refused; a wrong password tells nothing.', async () => {
    const { email } = await createPerson(gateway, 'OPERATOR_ADMIN');
    await expect(signIn(gateway, { email, password: PASSWORD })).rejects.toThrow('SINGLE_SIGN_ON_NEEDED');
    await expect(signIn(gateway, { email, password: 'a wrong password' })).rejects.toThrow(
      'INVALID_EMAIL_OR_PASSWORD',
    );
  });

  test('A session with a password that was open before opens nothing of the platform.', async () => {
    const { personId, email } = await createPerson(gateway, 'OWNER');
    const call = callerWith(gateway, await signIn(gateway, { email, password: PASSWORD }));
    await select(
      gateway,
      `insert into memberships (person_id, merchant_id, role, since) values ($1, null, 'OPERATOR_ADMIN', now())`,
      [personId],
    );
    expect((await call('GET', 'api/host/merchants')).status).toBe(404);
    expect((await call('GET', 'api/me')).body.host).toBeNull();
  });

  test('The break-glass account signs in with its password, which is recorded, and never at the provider.', async () => {
    const { email } = await createPerson(gateway, 'BREAK_GLASS');
    const call = callerWith(gateway, await signIn(gateway, { email, password: PASSWORD }));
    expect((await call('GET', 'api/host/merchants')).status).toBe(200);
    const noted = await select(
      gateway,
      `select 1 from audit_log where actor = $1 and act = 'BREAK_GLASS_SIGNED_IN'`,
      [email],
    );
    expect(noted).toHaveLength(1);
    const { url } = await atProvider(account(['admins'], email));
    expect(url).toContain('error=ACCOUNT_NOT_LINKED');
  });
});

describe('roles from groups', () => {
  test('They count only in a session of the identity provider.', async () => {
    const { personId, email } = await createPerson(gateway, 'OWNER');
    const cookie = await signIn(gateway, { email, password: PASSWORD });
    expect((await me(cookie)).merchants).toHaveLength(1);
    await select(gateway, `update memberships set until = now() + interval '1 hour' where person_id = $1`, [
      personId,
    ]);
    expect((await me(cookie)).merchants).toEqual([]);
  });

  test('They end in their time, also where the role was changed in the dashboard or by an invitation.', async () => {
    const { personId, email } = await me((await atProvider(account(['developers']))).cookie);
    const [{ until } = {}] = await membershipOf(personId);
    expect(until).toEqual(expect.any(Date));
    const owner = await createPerson(gateway, 'OWNER');
    const call = callerWith(gateway, await signIn(gateway, { email: owner.email, password: PASSWORD }));
    await confirmed({ ...owner, role: 'OWNER', call });
    const answer = await call('PUT', at(gateway, `team/members/${personId}`), { role: 'SUPPORT' });
    expect(answer.body).toEqual({ outcome: 'DONE' });
    expect(await membershipOf(personId)).toEqual([{ role: 'SUPPORT', until }]);
    const order = { by: 'test', merchantId: gateway.merchantId, email, role: 'FINANCE' } as const;
    const accept = async () =>
      acceptInvitation(gateway.engine, { token: await invite(gateway.engine, order), personId, email });
    await accept();
    expect(await membershipOf(personId)).toEqual([{ role: 'FINANCE', until }]);
    // One that has ended is no reason to refuse what people give.
    await select(gateway, `update memberships set until = now() - interval '1 hour' where person_id = $1`, [
      personId,
    ]);
    await accept();
    expect(await membershipOf(personId)).toEqual([{ role: 'FINANCE', until: null }]);
  });
});

describe('addresses', () => {
  test('An address of the ID token is not verified by what the provider says of another one.', async () => {
    provider.spoilt['email'] = newEmail();
    expect((await atProvider(account(['owners']))).url).toContain('error=EMAIL_NOT_VERIFIED');
    const address = newEmail();
    provider.spoilt['email'] = address.toUpperCase();
    expect((await me((await atProvider(account(['owners'], address))).cookie)).email).toBe(address);
  });

  test('An address of the userinfo answer is not verified by the ID token.', async () => {
    provider.spoilt['email_verified'] = true;
    const login = account(['owners']);
    provider.accounts.get(login)!.isVerified = false;
    expect((await atProvider(login)).url).toContain('error=EMAIL_NOT_VERIFIED');
  });
});

describe('accounts', () => {
  test('Who made an account by the link of an invitation keeps nothing of it once the owner of the address has signed in.', async () => {
    const { personId, email } = await createPerson(gateway, 'OWNER');
    const stranger = callerWith(gateway, await signIn(gateway, { email, password: PASSWORD }));
    const { body } = await stranger('POST', 'auth/two-factor/enable', { password: PASSWORD });
    await stranger('POST', 'auth/two-factor/verify-totp', { code: codeOf(body.totpURI) });
    const link = await gateway.gateway.console?.signIn.createResetToken({ by: 'test', personId, email });
    const { cookie } = await atProvider(account(['owners'], email));
    expect(await me(cookie)).toMatchObject({ personId, hasTwoFactor: false, signedInWith: 'PROVIDER' });
    const left = await select(
      gateway,
      `select provider_subject is null as is_strangers from people_sessions where person_id = $1
       union all select true from people_passwords where person_id = $1 and provider_id = 'credential'
       union all select true from people_two_factors where person_id = $1`,
      [personId],
    );
    expect(left).toEqual([{ is_strangers: false }]);
    await expect(signIn(gateway, { email, password: PASSWORD })).rejects.toThrow('INVALID_EMAIL_OR_PASSWORD');
    const reset = post({ token: link, newPassword: 'another long password' });
    expect((await fetch(`${gateway.url}/console/auth/reset-password`, reset)).status).toBe(400);
    const noted = await select(gateway, 'select detail from audit_log where actor = $1 and act = $2', [
      email,
      'PASSWORD_REMOVED',
    ]);
    expect(noted).toEqual([{ detail: { by: 'single sign-on', hadTwoFactor: true } }]);
  });

  test('An account with a password is linked by a verified address; a second subject with that address is not.', async () => {
    const { personId, email } = await createPerson(gateway, 'OWNER');
    const { cookie } = await atProvider(account(['owners'], email.toUpperCase()));
    expect((await me(cookie)).personId).toBe(personId);
    const { url } = await atProvider(account(['owners'], email));
    expect(url).toContain('error=ACCOUNT_NOT_LINKED');
  });

  test('A person confirms at the provider, not with a password, and not as somebody else.', async () => {
    const { personId, email } = await createPerson(gateway, 'OWNER');
    const login = account(['owners'], email);
    const { cookie } = await atProvider(login);
    const call = callerWith(gateway, cookie);
    expect((await call('POST', 'api/me/confirm', { password: PASSWORD })).status).toBe(409);
    const other = await atProvider(account(['owners']), { confirm: true }, cookie);
    expect(other.url).toContain('/dashboard/confirmed?error=NOT_CONFIRMED');
    // A proof from before the click.
    provider.spoilt['auth_time'] = Math.floor(Date.now() / 1_000) - 10;
    const early = await atProvider(login, { confirm: true }, cookie);
    expect(early.url).toContain('/dashboard/confirmed?error=NOT_CONFIRMED');
    delete provider.spoilt['auth_time'];
    const again = await atProvider(login, { confirm: true }, cookie);
    expect(new URL(again.url).pathname).toBe('/dashboard/confirmed');
    const sessions = await select(gateway, 'select confirmed_at from people_sessions where person_id = $1', [
      personId,
    ]);
    expect(sessions).toEqual([{ confirmed_at: expect.any(Date) }]);
  });

  test('Two accounts of one person do not approve each other, though the provider changed the address meanwhile.', async () => {
    // One account with a password, one at the provider under an older address.
    const owner = await createPerson(gateway, 'OWNER');
    const password = callerWith(gateway, await signIn(gateway, { email: owner.email, password: PASSWORD }));
    const login = account(['developers']);
    const first = await atProvider(login);
    const { personId, email } = await me(first.cookie);
    expect(personId).not.toBe(owner.personId);
    provider.accounts.get(login)!.email = owner.email;
    const { cookie } = await atProvider(login);
    expect(await me(cookie)).toMatchObject({ personId, email });
    const confirming = await atProvider(login, { confirm: true }, cookie);
    const developer = {
      personId,
      email,
      role: 'DEVELOPER',
      call: callerWith(gateway, confirming.cookie),
    } as const;
    expect((await developer.call('POST', at(gateway, 'tokens'), PAYING)).body).toMatchObject({
      outcome: 'REQUESTED',
    });
    const pending = await approvalIn(gateway, developer, 'TOKEN');
    const approver = await confirmed({ ...owner, role: 'OWNER', call: password });
    const answer = await decideOn(gateway, approver, pending, 'approve');
    expect([answer.status, answer.body.failureReason.failureMessage]).toEqual([
      409,
      'You requested this yourself. Another person must decide.',
    ]);
  });
});
