import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readAuditLog } from '../../src/core/audit.ts';
import { createMerchant } from '../../src/core/merchants/administer-merchants.ts';
import { invite } from '../../src/core/merchants/team.ts';
import type { TestGateway } from '../gateway.ts';
import { codeOf } from './authenticator.ts';
import {
  callerWith,
  confirmed,
  CONSOLE,
  cookiesOf,
  createPerson,
  openTestConsole,
  PASSWORD,
  signedIn,
  signIn,
} from './people.ts';

let gateway: TestGateway;

beforeAll(async () => {
  gateway = await openTestConsole();
});
afterAll(() => gateway.stop());

describe('a person', () => {
  test('a person who is not signed in is told so, and learns nothing else', async () => {
    const noOne = callerWith(gateway, '');
    expect(await noOne('GET', 'api/me')).toMatchObject({
      status: 401,
      body: { failureReason: { failureCode: 'NOT_SIGNED_IN' } },
    });
    expect((await noOne('GET', `api/merchants/${gateway.merchantId}/team`)).status).toBe(401);
  });

  test('a person signs in with address and password, and is told what they may do', async () => {
    const owner = await signedIn(gateway, 'OWNER');
    const { status, body } = await owner.call('GET', 'api/me');
    expect([status, body.email, body.host]).toEqual([200, owner.email, null]);
    expect(body.merchants).toMatchObject([
      { merchantId: gateway.merchantId, name: 'Demo Shop', role: 'OWNER' },
    ]);
    const entries = await readAuditLog(gateway.engine, { merchantId: null, countMax: 20 });
    expect(entries).toContainEqual(expect.objectContaining({ act: 'SIGNED_IN', actor: owner.email }));
  });

  test('with a wrong password is refused', async () => {
    const { email } = await createPerson(gateway, 'OWNER');
    await expect(signIn(gateway, { email, password: 'something else, long enough' })).rejects.toThrow('401');
  });

  test('a person signs out, and the session is gone for anyone who kept the cookie', async () => {
    const person = await signedIn(gateway, 'SUPPORT');
    expect((await person.call('POST', 'auth/sign-out', {})).status).toBe(200);
    expect((await person.call('GET', 'api/me')).status).toBe(401);
  });

  test('with two-factor authentication needs it at every sign-in', async () => {
    const person = await signedIn(gateway, 'FINANCE');
    const enabled = await person.call('POST', 'auth/two-factor/enable', { password: PASSWORD });
    expect(enabled.status).toBe(200);
    const code = codeOf(enabled.body.totpURI);
    expect((await person.call('POST', 'auth/two-factor/verify-totp', { code })).status).toBe(200);

    const first = await fetch(`${gateway.url}/console/auth/sign-in/email`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', origin: gateway.url },
      body: JSON.stringify({ email: person.email, password: PASSWORD }),
    });
    expect(await first.json()).toMatchObject({ twoFactorRedirect: true });
    const half = callerWith(gateway, cookiesOf(first));
    expect((await half('GET', 'api/me')).status).toBe(401);
    const second = await fetch(`${gateway.url}/console/auth/two-factor/verify-totp`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', origin: gateway.url, cookie: cookiesOf(first) },
      body: JSON.stringify({ code: codeOf(enabled.body.totpURI, 1) }),
    });
    expect(second.status).toBe(200);
    const whole = callerWith(gateway, cookiesOf(second));
    expect((await whole('GET', 'api/me')).body).toMatchObject({ hasTwoFactor: true });
  });

  test('a person cannot reach what we do not use of the library', async () => {
    const owner = await signedIn(gateway, 'OWNER');
    const attempts = [
      'auth/sign-up/email',
      'auth/two-factor/disable',
      'auth/delete-user',
      'auth/update-user',
    ];
    for (const path of attempts)
      expect([path, (await owner.call('POST', path, {})).status]).toEqual([path, 404]);
  });
});

describe('a call', () => {
  test('from a page of somebody else is refused, whatever cookies it carries', async () => {
    const owner = await confirmed(await signedIn(gateway, 'OWNER'));
    const path = `api/merchants/${gateway.merchantId}/team/invitations`;
    const order = { email: 'x@example.com', role: 'SUPPORT' };
    const evil = { origin: 'https://evil.example' };
    const reason = { code: 'OTHER_ADDRESS', parameters: { address: gateway.url } };
    expect(await owner.call('POST', path, order, evil)).toMatchObject({
      status: 403,
      body: { failureReason: { failureCode: 'NOT_PERMITTED', reason } },
    });
    expect((await owner.call('POST', path, order)).status).toBe(200);
  });

  test('a call that is dangerous wants the password again, and a wrong one is not enough', async () => {
    const owner = await signedIn(gateway, 'OWNER');
    const path = `api/merchants/${gateway.merchantId}/team/invitations`;
    const order = { email: 'y@example.com', role: 'SUPPORT' };
    expect((await owner.call('POST', path, order)).body.failureReason.failureCode).toBe(
      'CONFIRMATION_NEEDED',
    );
    expect((await owner.call('POST', 'api/me/confirm', { password: 'not it' })).status).toBe(403);
    expect((await owner.call('POST', path, order)).status).toBe(403);
    await confirmed(owner);
    expect((await owner.call('POST', path, order)).status).toBe(200);
  });

  test('with too many wrong passwords has to wait', async () => {
    const owner = await signedIn(gateway, 'OWNER');
    const statuses: number[] = [];
    // Another guess is free every ten seconds, in which a busy machine may not have made all of these.
    for (let guess = 0; guess < 12 && statuses.at(-1) !== 429; guess += 1) {
      statuses.push((await owner.call('POST', 'api/me/confirm', { password: `guess ${guess}` })).status);
    }
    expect(statuses.slice(0, 5)).toEqual([403, 403, 403, 403, 403]);
    expect(statuses.at(-1)).toBe(429);
  });

  test('about a merchant that is not theirs finds nothing, as about one that does not exist', async () => {
    const owner = await signedIn(gateway, 'OWNER');
    const other = await createMerchant(gateway.engine, {
      by: 'test',
      companyName: 'Other Shop',
      operations: ['DEPOSIT'],
      walletPerProvider: false,
    });
    const ofOther = await owner.call('GET', `api/merchants/${other}/team`);
    const ofNoOne = await owner.call('GET', 'api/merchants/00000000-0000-4000-8000-000000000000/team');
    expect(ofOther).toEqual(ofNoOne);
    expect(ofOther.status).toBe(404);
  });
});

describe('where two-factor authentication is required', () => {
  test('anyone who has none can do nothing but set one up', async () => {
    const strict = await openTestConsole({ console: { ...CONSOLE, twoFactor: 'REQUIRED' } });
    const owner = await signedIn(strict, 'OWNER');
    expect((await owner.call('GET', 'api/me')).body).toMatchObject({ needsTwoFactor: true });
    const team = await owner.call('GET', `api/merchants/${strict.merchantId}/team`);
    expect(team.body.failureReason.failureCode).toBe('TWO_FACTOR_NEEDED');
    await strict.stop();
  });
});

const join = (token: string) =>
  callerWith(gateway, '')('POST', 'api/join', { token, name: 'New One', password: PASSWORD });

describe('an invitation', () => {
  test('an invitation makes an account with its role, once', async () => {
    const email = 'new.one@example.com';
    const order = { by: 'test', merchantId: gateway.merchantId, email, role: 'SUPPORT' } as const;
    const token = await invite(gateway.engine, order);
    const told = await callerWith(gateway, '')('GET', `api/invitations/${token}`);
    expect(told.body).toEqual({ email, role: 'SUPPORT', team: 'Demo Shop', isKnown: false });
    expect((await join(token)).status).toBe(200);
    expect((await join(token)).status).toBe(404);
    const person = callerWith(gateway, await signIn(gateway, { email, password: PASSWORD }));
    expect((await person('GET', 'api/me')).body.merchants).toMatchObject([{ role: 'SUPPORT' }]);
  });

  test('an invitation that was made for one person is no good to another', async () => {
    const support = await signedIn(gateway, 'SUPPORT');
    const order = {
      by: 'test',
      merchantId: null,
      email: 'boss@example.com',
      role: 'OPERATOR_ADMIN',
    } as const;
    const token = await invite(gateway.engine, order);
    expect((await support.call('POST', 'api/invitations/accept', { token })).status).toBe(404);
    expect((await support.call('GET', 'api/host/team')).status).toBe(404);
  });
});

describe('a team', () => {
  test('always keeps somebody who can invite', async () => {
    const own = await openTestConsole();
    const owner = await confirmed(await signedIn(own, 'OWNER'));
    const path = `api/merchants/${own.merchantId}/team/members/${owner.personId}`;
    expect((await owner.call('PUT', path, { role: 'SUPPORT' })).status).toBe(409);
    expect((await owner.call('DELETE', path)).status).toBe(409);
    await signedIn(own, 'OWNER');
    expect((await owner.call('DELETE', path)).status).toBe(200);
    // Their session ended with it.
    expect((await owner.call('GET', 'api/me')).status).toBe(401);
    await own.stop();
  });
});
