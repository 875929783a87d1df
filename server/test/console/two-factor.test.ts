// B5: two-factor authentication cannot be skipped, and people hear what happens to their account.
import { SMTPServer } from 'smtp-server';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readAuditLog } from '../../src/core/audit.ts';
import { removeTwoFactor } from '../../src/core/merchants/remove-two-factor.ts';
import { eventually, type TestGateway } from '../gateway.ts';
import { codeOf } from './authenticator.ts';
import {
  callerWith,
  cookiesOf,
  createPerson,
  openTestConsole,
  PASSWORD,
  signedIn,
  signIn,
  type TestPerson,
} from './people.ts';

let gateway: TestGateway;
const mails: string[] = [];
let mailServer: SMTPServer;

beforeAll(async () => {
  mailServer = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS', 'AUTH'],
    onData: (stream, _session, done) => {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', () => {
        mails.push(Buffer.concat(chunks).toString());
        done();
      });
    },
  });
  const port = await new Promise<number>((resolve) => {
    const listening = mailServer.listen(0, '127.0.0.1', () => {
      const address = listening.address();
      resolve(typeof address === 'object' && address !== null ? address.port : 0);
    });
  });
  gateway = await openTestConsole({
    mail: { smtpUrl: `smtp://127.0.0.1:${port}`, from: 'malipo@example.com' },
    publicUrl: 'http://127.0.0.1',
  });
});
afterAll(async () => {
  await gateway.stop();
  await new Promise<void>((resolve) => mailServer.close(() => resolve()));
});

async function post(path: string, body: unknown, cookie = ''): Promise<Response> {
  await gateway.engine.store.database.query('delete from sign_in_rates');
  return fetch(`${gateway.url}/console/auth/${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: 'http://127.0.0.1', cookie },
    body: JSON.stringify(body),
  });
}

async function enrolled(): Promise<{
  readonly person: TestPerson;
  readonly totpUri: string;
  /** The one that was used. */
  readonly code: string;
}> {
  const person = await signedIn(gateway, 'DEVELOPER');
  const { body } = await person.call('POST', 'auth/two-factor/enable', { password: PASSWORD });
  const code = codeOf(body.totpURI);
  expect((await person.call('POST', 'auth/two-factor/verify-totp', { code })).status).toBe(200);
  return { person, totpUri: body.totpURI, code };
}

const actsOf = async (email: string) =>
  (await readAuditLog(gateway.engine, { merchantId: null, countMax: 100, actor: email })).map(
    ({ act }) => act,
  );

const mailsTo = (email: string, subject: string) =>
  mails.filter((mail) => mail.includes(`To: ${email}`) && mail.includes(subject)).length;

const countProofs = async (personId: string) => {
  const { database } = gateway.engine.store;
  const { rows } = await database.query<{ count: string }>(
    'select count(*) from people_proofs where value = $1',
    [personId],
  );
  return Number(rows[0]?.count);
};
const linkFor = (person: TestPerson) =>
  gateway.gateway.console?.signIn.createResetToken({ by: 'test', ...person }) ?? Promise.resolve('');

describe('B5: two-factor authentication', () => {
  test('B5: two-factor authentication is asked for at every sign-in: a device that asks to be trusted is not', async () => {
    const { person, totpUri } = await enrolled();
    const first = await post('sign-in/email', { email: person.email, password: PASSWORD });
    const proof = { code: codeOf(totpUri, 1), trustDevice: true };
    const second = await post('two-factor/verify-totp', proof, cookiesOf(first));
    expect(second.status).toBe(200);
    expect(second.headers.getSetCookie().filter((cookie) => /trust/.test(cookie))).toEqual([]);
    const again = await post('sign-in/email', { email: person.email, password: PASSWORD }, cookiesOf(second));
    expect(await again.json()).toMatchObject({ twoFactorRedirect: true });
  });

  test('B5: two-factor authentication is not replaced by a cookie of an older build', async () => {
    const { person } = await enrolled();
    const cookie = 'malipo.trust_device=anything; __Secure-malipo.trust_device=anything';
    const answer = await post('sign-in/email', { email: person.email, password: PASSWORD }, cookie);
    expect(answer.headers.getSetCookie().filter((one) => /trust/.test(one))).toEqual([]);
    expect(await answer.json()).toMatchObject({ twoFactorRedirect: true });
  });

  test('B5: two-factor authentication takes a code once', async () => {
    const { person, totpUri, code: enrolling } = await enrolled();
    const signInWith = async (code: string) => {
      const first = await post('sign-in/email', { email: person.email, password: PASSWORD });
      return post('two-factor/verify-totp', { code }, cookiesOf(first));
    };
    expect((await signInWith(enrolling)).status).toBe(401);
    const used = codeOf(totpUri, 1);
    expect((await signInWith(used)).status).toBe(200);
    const replayed = await signInWith(used);
    expect(replayed.status).toBe(401);
    expect((await callerWith(gateway, cookiesOf(replayed))('GET', 'api/me')).status).toBe(401);
  });
});

describe('B5: a session', () => {
  test('B5: a session ends twelve hours after signing in, however often it is used', async () => {
    const person = await signedIn(gateway, 'SUPPORT');
    const { database } = gateway.engine.store;
    await database.query(
      `update people_sessions set expires_at = now() + interval '5 minutes', updated_at = now() - interval '11 hours',
       created_at = now() - interval '11 hours' where person_id = $1`,
      [person.personId],
    );
    expect((await person.call('GET', 'api/me')).status).toBe(200);
    const { rows } = await database.query<{ is_prolonged: boolean }>(
      `select expires_at > now() + interval '10 minutes' as is_prolonged from people_sessions where person_id = $1`,
      [person.personId],
    );
    expect(rows).toEqual([{ is_prolonged: false }]);
    await database.query(
      `update people_sessions set expires_at = now() + interval '5 minutes', created_at = now() - interval '13 hours'
       where person_id = $1`,
      [person.personId],
    );
    expect((await person.call('GET', 'api/me')).status).toBe(401);
  });
});

describe('D: a session', () => {
  test('D: a session lasts twelve hours also for a client that asks not to be remembered', async () => {
    const { email, personId } = await createPerson(gateway, 'OWNER');
    await signIn(gateway, { email, password: PASSWORD, rememberMe: false });
    const { rows } = await gateway.engine.store.database.query<{ hours: number }>(
      `select round(extract(epoch from expires_at - created_at) / 3600)::int as hours
       from people_sessions where person_id = $1`,
      [personId],
    );
    expect(rows).toEqual([{ hours: 12 }]);
  });
});

describe('B5: links and half-done sign-ins of a person', () => {
  test('B5: links and half-done sign-ins of a person are gone after the password was changed', async () => {
    const person = await signedIn(gateway, 'FINANCE');
    await linkFor(person);
    expect(await countProofs(person.personId)).toBe(1);
    const change = { currentPassword: PASSWORD, newPassword: 'another long password' };
    expect((await person.call('POST', 'auth/change-password', change)).status).toBe(200);
    expect(await countProofs(person.personId)).toBe(0);
  });

  test('B5: links and half-done sign-ins of a person are gone after a reset by link, and after two-factor authentication was taken away', async () => {
    const { person } = await enrolled();
    await linkFor(person);
    const token = await linkFor(person);
    const reset = await post('reset-password', { token, newPassword: 'another long password' });
    expect(reset.status).toBe(200);
    expect(await countProofs(person.personId)).toBe(0);
    await linkFor(person);
    await removeTwoFactor(gateway.engine, { by: 'test', ...person });
    expect(await countProofs(person.personId)).toBe(0);
  });
});

describe('B5: people hear by mail, and the audit log has an entry', () => {
  test('when two-factor authentication is turned on and when the password is changed', async () => {
    const { person } = await enrolled();
    const change = { currentPassword: PASSWORD, newPassword: 'another long password' };
    await eventually(() => mailsTo(person.email, 'Two-factor authentication')).toBe(1);
    expect(await actsOf(person.email)).toContain('TWO_FACTOR_ADDED');
    const other = await signedIn(gateway, 'FINANCE');
    await other.call('POST', 'auth/change-password', change);
    await eventually(() => mailsTo(other.email, 'password was changed')).toBe(1);
    expect(await actsOf(other.email)).toContain('PASSWORD_CHANGED');
  });

  test('when signing in fails: every time in the log, by mail once an hour', async () => {
    const { email } = await signedIn(gateway, 'SUPPORT');
    for (const password of ['wrong but long enough', 'also wrong, and long']) {
      expect((await post('sign-in/email', { email, password })).status).toBe(401);
    }
    await eventually(() => mailsTo(email, 'tried to sign in')).toBe(1);
    expect((await actsOf(email)).filter((act) => act === 'SIGN_IN_FAILED')).toHaveLength(2);
  });

  test('when the password was right and the code of two-factor authentication is wrong', async () => {
    const { person } = await enrolled();
    const first = await post('sign-in/email', { email: person.email, password: PASSWORD });
    for (const path of ['two-factor/verify-totp', 'two-factor/verify-backup-code']) {
      expect((await post(path, { code: '000000' }, cookiesOf(first))).ok).toBe(false);
    }
    expect((await actsOf(person.email)).filter((act) => act === 'SIGN_IN_FAILED')).toHaveLength(2);
    await eventually(() => mailsTo(person.email, 'tried to sign in')).toBe(1);
  });

  test('when a new device is used, but not when a known one is', async () => {
    const { email } = await signedIn(gateway, 'SUPPORT');
    const cookie = await signIn(gateway, { email, password: PASSWORD });
    await eventually(() => mailsTo(email, 'new device')).toBe(1);
    const devices = cookie.split('; ').filter((one) => one.startsWith('malipo.device='));
    expect(devices).toHaveLength(1);
    await post('sign-in/email', { email, password: PASSWORD }, devices.join('; '));
    expect((await actsOf(email)).filter((act) => act === 'NEW_DEVICE')).toHaveLength(2);
  });
});
