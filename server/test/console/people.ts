// People for tests of the console: made in a role, signed in as a browser would be.
import { randomUUID } from 'node:crypto';
import { acceptInvitation, invite } from '../../src/core/merchants/team.ts';
import { isHostRole, type Role } from '../../src/domain/merchants/roles.ts';
import type { SignIn } from '../../src/edge/console/sign-in/sign-in.ts';
import { openTestGateway, select, type TestGateway, type TestGatewayOptions } from '../gateway.ts';

export const PASSWORD = 'a long password of theirs';

export const CONSOLE = { key: Buffer.alloc(32, 4), twoFactor: 'OPTIONAL' } as const;

export async function openTestConsole(options: TestGatewayOptions = {}): Promise<TestGateway> {
  return openTestGateway({ console: CONSOLE, ...options });
}

export type TestPerson = {
  readonly personId: string;
  readonly email: string;
  readonly role: Role;
  /** Calls the console's API as this person. */
  readonly call: ConsoleCall;
};

export type ConsoleCall = (
  method: string,
  path: string,
  body?: unknown,
  headers?: Readonly<Record<string, string>>,
) => Promise<ConsoleAnswer>;

// eslint-disable-next-line @typescript-eslint/no-explicit-any
export type ConsoleAnswer = { readonly status: number; readonly body: any };

/** A person with a role at the test's merchant, at another one, or at the host; signed in. */
export async function signedIn(
  test: TestGateway,
  role: Role,
  merchantId: string = test.merchantId,
): Promise<TestPerson> {
  const { personId, email } = await createPerson(test, role, merchantId);
  const cookie = await signIn(test, { email, password: PASSWORD });
  return { personId, email, role, call: callerWith(test, cookie) };
}

export async function createPerson(
  test: TestGateway,
  role: Role,
  merchantId: string = test.merchantId,
): Promise<{ readonly personId: string; readonly email: string }> {
  const { console } = test.gateway;
  if (console === null) throw new Error('this gateway has no console');
  const email = `${role.toLowerCase()}.${randomUUID().slice(0, 8)}@example.com`;
  const personId = await insertPerson(test, console.signIn, email);
  const team = isHostRole(role) ? null : merchantId;
  const token = await invite(test.engine, { by: 'test', merchantId: team, email, role });
  await acceptInvitation(test.engine, { token, personId, email });
  return { personId, email };
}

/** A password is made slow to check, a tenth of a second of a processor: the one of all people here is hashed once. */
let hash: string | undefined;

async function insertPerson(
  test: TestGateway,
  { createPerson: create }: SignIn,
  email: string,
): Promise<string> {
  if (hash === undefined) {
    const { personId } = await create({ name: 'A Person', email, password: PASSWORD });
    const [row] = await select(test, 'select password from people_passwords where person_id = $1', [
      personId,
    ]);
    hash = String(row?.['password']);
    return personId;
  }
  const personId = randomUUID();
  await select(
    test,
    `with person as (insert into people (id, name, email, email_verified, created_at, updated_at)
       values ($1, 'A Person', $2, true, now(), now()))
     insert into people_passwords (id, person_id, account_id, provider_id, password, created_at, updated_at)
     values ($1, $1, $1, 'credential', $3, now(), now())`,
    [personId, email, hash],
  );
  return personId;
}

/** Answers the cookies of the session. */
export async function signIn(
  test: TestGateway,
  person: { readonly email: string; readonly password: string; readonly rememberMe?: boolean },
): Promise<string> {
  // All people of a test share one address.
  await test.engine.store.database.query('delete from sign_in_rates');
  const response = await fetch(`${test.url}/console/auth/sign-in/email`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: test.engine.publicUrl ?? test.url },
    body: JSON.stringify(person),
  });
  if (!response.ok) throw new Error(`signing in was answered ${response.status}: ${await response.text()}`);
  return cookiesOf(response);
}

export function cookiesOf(response: Response): string {
  return response.headers
    .getSetCookie()
    .map((cookie) => cookie.split(';')[0])
    .join('; ');
}

export function callerWith(test: TestGateway, cookie: string): ConsoleCall {
  return async (method, path, body, headers = {}) => {
    const response = await fetch(`${test.url}/console/${path}`, {
      method,
      headers: {
        cookie,
        origin: test.engine.publicUrl ?? test.url,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    return { status: response.status, body: text === '' ? null : JSON.parse(text) };
  };
}

/** Proves again that it is them, as dangerous acts want it. */
export async function confirmed(person: TestPerson): Promise<TestPerson> {
  await person.call('POST', 'api/me/confirm', { password: PASSWORD });
  return person;
}
