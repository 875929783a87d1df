// A change of the console key: no one is signed out, and no one loses their two-factor authentication.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openGateway, type Gateway } from '../../src/commands/serve/compose.ts';
import type { ConsoleSettings } from '../../src/config.ts';
import { readAuditLog } from '../../src/core/audit.ts';
import { runCommandHere } from '../command-process.ts';
import { select, type TestGateway } from '../gateway.ts';
import { serverEnvironment } from '../server-process.ts';
import { codeOf } from './authenticator.ts';
import { callerWith, CONSOLE, cookiesOf, createPerson, openTestConsole, PASSWORD, signIn } from './people.ts';

const OLD = CONSOLE.key;
const NEW = Buffer.alloc(32, 5);

let gateway: TestGateway;
const opened: Gateway[] = [];
let person: {
  readonly email: string;
  readonly cookie: string;
  readonly totpUri: string;
  readonly codes: string[];
};

beforeAll(async () => {
  gateway = await openTestConsole();
  const { email } = await createPerson(gateway, 'OWNER');
  const cookie = await signIn(gateway, { email, password: PASSWORD });
  const call = callerWith(gateway, cookie);
  const { body } = await call('POST', 'auth/two-factor/enable', { password: PASSWORD });
  await call('POST', 'auth/two-factor/verify-totp', { code: codeOf(body.totpURI) });
  // As it was kept before values named their key.
  await select(
    gateway,
    `update people_two_factors
     set secret = split_part(secret, '$', 4), backup_codes = split_part(backup_codes, '$', 4)`,
  );
  const again = await signInTwice(gateway, email, { code: codeOf(body.totpURI) });
  expect(await gateway.gateway.console!.signIn.reEncryptTwoFactors()).toBe(1);
  person = { email, cookie: again, totpUri: body.totpURI, codes: body.backupCodes };
});
afterAll(async () => {
  for (const one of opened) await one.stop();
  await gateway.stop();
});

async function openWith(keys: Pick<ConsoleSettings, 'key' | 'olderKeys'>): Promise<TestGateway> {
  const console = { ...CONSOLE, ...keys };
  const other = await openGateway({ ...gateway.config, console }, { role: 'api', logTo: 2 });
  opened.push(other);
  const { url } = await other.start();
  return { ...gateway, gateway: other, engine: other.engine, url };
}

/** With the password, then with two-factor authentication. Answers the cookies. */
async function signInTwice(
  at: TestGateway,
  email: string,
  proof: { readonly code: string },
  path = 'verify-totp',
): Promise<string> {
  const cookie = await signIn(at, { email, password: PASSWORD });
  // A code works once, and these tests are quicker than thirty seconds.
  await at.engine.store.database.query('update people_two_factors set last_step = null');
  const response = await fetch(`${at.url}/console/auth/two-factor/${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: at.url, cookie },
    body: JSON.stringify(proof),
  });
  expect(response.status).toBe(200);
  return cookiesOf(response);
}

async function statusOf(at: TestGateway, cookie: string): Promise<number> {
  return (await callerWith(at, cookie)('GET', 'api/me')).status;
}

test('with both keys, who is signed in stays so, and two-factor authentication of the old one work', async () => {
  // A process that has the new one behind the old one, and one that has it in front.
  const before = await openWith({ key: OLD, olderKeys: [NEW] });
  const after = await openWith({ key: NEW, olderKeys: [OLD] });
  const code = () => codeOf(person.totpUri);
  const older = await signInTwice(before, person.email, { code: code() });
  const newer = await signInTwice(after, person.email, { code: code() });
  for (const cookie of [person.cookie, older, newer])
    expect([await statusOf(before, cookie), await statusOf(after, cookie)]).toEqual([200, 200]);
  // The first one signs: a process that does not have the new one believes nothing of it.
  expect([await statusOf(gateway, older), await statusOf(gateway, newer)]).toEqual([200, 401]);
  const forged = older.replace('session_token=', 'session_token=x');
  expect(await statusOf(after, forged)).toBe(401);
});

test('keys re-encrypt encrypts two-factor authentication again, and then the old key can go', async () => {
  const settings = {
    ...serverEnvironment(gateway),
    DATABASE_URL: gateway.databaseUrl,
    MALIPO_CONSOLE_KEY: [NEW, OLD].map((key) => key.toString('base64')).join(','),
  };
  const done = await runCommandHere(settings, ['keys', 're-encrypt', '--by', 'Ana']);
  expect(done).toMatchObject({ code: 0, errors: '' });
  expect(done.output).toMatch(/^people_two_factors: 1$[^]*^older console keys are no longer needed$/m);
  expect((await runCommandHere(settings, ['keys', 're-encrypt', '--by', 'Ana'])).output).toMatch(
    /^nothing to do$/m,
  );

  const without = await openWith({ key: NEW });
  expect(await statusOf(without, person.cookie)).toBe(401);
  const cookie = await signInTwice(without, person.email, { code: codeOf(person.totpUri) });
  expect(await statusOf(without, cookie)).toBe(200);
  const [code = ''] = person.codes;
  expect(
    await statusOf(without, await signInTwice(without, person.email, { code }, 'verify-backup-code')),
  ).toBe(200);
});

test('two-factor authentication that was lost is taken away manually, which ends all sessions', async () => {
  const at = await openWith({ key: NEW });
  const cookie = await signInTwice(at, person.email, { code: codeOf(person.totpUri) });
  const args = ['person', 'remove-two-factor', '--email', person.email, '--by', 'Ana'];
  const remove = () => runCommandHere(serverEnvironment(gateway), args);
  expect(await remove()).toEqual({ code: 0, output: 'removed', errors: '' });
  expect(await statusOf(at, cookie)).toBe(401);
  expect(await remove()).toEqual({
    code: 1,
    output: '',
    errors: 'This person has no two-factor authentication.',
  });
  const password = await signIn(at, { email: person.email, password: PASSWORD });
  expect(await statusOf(at, password)).toBe(200);
  const entries = await readAuditLog(gateway.engine, {
    merchantId: null,
    act: 'TWO_FACTOR_REMOVED',
    countMax: 2,
  });
  expect(entries).toMatchObject([{ actor: 'Ana', subject: person.email }]);
});
