// How people sign in: the authentication library, told where its tables are and how little of it we use. The library is
// used only in this file.
import { randomBytes } from 'node:crypto';
import { betterAuth } from 'better-auth';
import { symmetricDecrypt, symmetricEncrypt } from 'better-auth/crypto';
import { twoFactor } from 'better-auth/plugins/two-factor';
import type { FastifyRequest } from 'fastify';
import { record, type Actor } from '../../../core/audit.ts';
import type { Engine } from '../../../core/engine.ts';
import { PASSWORD_LENGTH } from '../../../domain/merchants/people.ts';
import {
  deleteProofs,
  findTwoFactor,
  listTwoFactors,
  replaceTwoFactor,
  useStep,
} from '../../../store/merchants/two-factor.ts';
import { valueAt } from '../../../wire/json.ts';
import { clientAddressOf } from '../../client-address.ts';
import { rawBody } from '../../request.ts';
import {
  COOKIE_PREFIX,
  createConsoleKeys,
  isUnderFirstKey,
  signAgain,
  type ConsoleKeys,
} from '../console-keys.ts';
import {
  STAMPS,
  PERSON_FIELDS,
  SESSION_FIELDS,
  PASSWORD_FIELDS,
  RATE_FIELDS,
  TWO_FACTOR_SCHEMA,
} from './library-fields.ts';
import { stepOf } from './one-time-code.ts';
import { withoutTrust, withoutTrustDevice } from './untrusted-devices.ts';

export type SignInOptions = {
  /** 32 bytes each. The first signs cookies and encrypts two-factor secrets; the others are still accepted. */
  readonly keys: readonly [Buffer, ...(readonly Buffer[])];
  /** What an authenticator app shows. */
  readonly issuer: string;
  /** Undefined where no mails are sent. */
  readonly mailReset?: (mail: { readonly email: string; readonly token: string }) => Promise<void>;
  /** Somebody chose a new password by a link. */
  readonly wasReset: (email: string) => Promise<void>;
};

export type Session = {
  readonly sessionId: string;
  readonly personId: string;
  readonly name: string;
  readonly email: string;
  readonly hasTwoFactor: boolean;
};

export type SignIn = {
  /** Answers a request to one of the paths below `AUTH_PATH`. */
  readonly answer: (request: FastifyRequest) => Promise<Response>;
  readonly sessionOf: (request: FastifyRequest) => Promise<Session | null>;
  /** The address of somebody who gave the right password and not yet the second code. */
  readonly halfSignedIn: (request: FastifyRequest) => Promise<string | null>;
  readonly isPassword: (personId: string, password: string) => Promise<boolean>;
  readonly createPerson: (person: NewPerson) => Promise<{ readonly personId: string }>;
  /** The last part of a link by which somebody chooses a new password. */
  readonly createResetToken: (order: ResetOrder) => Promise<string>;
  /** Encrypts two-factor secrets of older keys again, under the first one. Answers how many. */
  readonly reEncryptTwoFactors: () => Promise<number>;
};

export type ResetOrder = Actor & { readonly personId: string; readonly email: string };

export type NewPerson = { readonly name: string; readonly email: string; readonly password: string };

export const AUTH_PATH = '/console/auth';

/** What we use of the library. Everything else is not there, whatever a newer version of it brings. */
export const AUTH_CALLS: readonly string[] = [
  'POST /sign-in/email',
  'POST /sign-out',
  'POST /two-factor/enable',
  'POST /two-factor/verify-totp',
  'POST /two-factor/verify-backup-code',
  'POST /two-factor/generate-backup-codes',
  'POST /request-password-reset',
  'POST /reset-password',
  'POST /change-password',
  'GET /list-sessions',
  'POST /revoke-session',
  'POST /revoke-other-sessions',
];

/** A working day. */
const SESSION_SECONDS = 12 * 60 * 60;
const RESET_MS = 60 * 60_000;

/** For each address: an office shares one. Against guesses from many addresses stands two-factor authentication. */
const GUESSES = { window: 60, max: 20 };

/** Set by us from the connection and the host's own proxies, so that no header of a client can say who it is. */
const ADDRESS_HEADER = 'x-malipo-client-address';

export function createSignIn(engine: Engine, options: SignInOptions): SignIn {
  const keys = createConsoleKeys(options.keys);
  const auth = createAuth(engine, options, keys);
  const context = auth.$context;
  const webRequest = (request: FastifyRequest) => toWebRequest(engine, request, keys);
  return {
    answer: async (request) => {
      const response = await auth.handler(webRequest(request));
      const isCode = request.url.startsWith(`${AUTH_PATH}/two-factor/verify-totp`);
      return isCode && response.ok ? onceOnly(engine, await context, request, response) : response;
    },
    sessionOf: async (request) => {
      const found = await auth.api.getSession({ headers: webRequest(request).headers });
      if (found === null) return null;
      const { session, user } = found;
      // However often it was used meanwhile.
      const ageMs = engine.wallClock.now().getTime() - new Date(session.createdAt).getTime();
      if (ageMs > SESSION_SECONDS * 1_000) return null;
      return {
        sessionId: session.id,
        personId: user.id,
        name: user.name,
        email: user.email,
        hasTwoFactor: user.twoFactorEnabled === true,
      };
    },
    halfSignedIn: async (request) => {
      const { internalAdapter } = await context;
      const token = halfDoneTokenOf(request.headers.cookie ?? '');
      const found = token === null ? null : await internalAdapter.findVerificationValue(token);
      const person = found === null ? null : await internalAdapter.findUserById(found.value);
      return person?.email ?? null;
    },
    isPassword: async (personId, password) => {
      const { internalAdapter, password: passwords } = await context;
      const accounts = await internalAdapter.findAccounts(personId);
      const hash = accounts.find(({ providerId }) => providerId === 'credential')?.password;
      return typeof hash === 'string' && passwords.verify({ hash, password });
    },
    createPerson: async ({ name, email, password }) => {
      const { internalAdapter, password: passwords } = await context;
      const user = await internalAdapter.createUser(
        { name, email, emailVerified: true },
        { method: 'email-password' },
      );
      await internalAdapter.linkAccount({
        userId: user.id,
        providerId: 'credential',
        accountId: user.id,
        password: await passwords.hash(password),
      });
      return { personId: user.id };
    },
    createResetToken: async ({ personId, by, email: subject }) => {
      const { internalAdapter } = await context;
      const token = randomBytes(24).toString('base64url');
      const detail = { with: 'a link' };
      await record(engine, engine.store.database, [
        { by, act: 'PASSWORD_RESET', merchantId: null, subject, detail },
      ]);
      await internalAdapter.createVerificationValue({
        identifier: `reset-password:${token}`,
        value: personId,
        expiresAt: new Date(engine.wallClock.now().getTime() + RESET_MS),
      });
      return token;
    },
    reEncryptTwoFactors: async () => {
      const { secretConfig: key } = await context;
      const again = async (data: string) =>
        symmetricEncrypt({ key, data: await symmetricDecrypt({ key, data }) });
      let count = 0;
      for (const was of await listTwoFactors(engine.store.database)) {
        if (isUnderFirstKey(keys, was.secret) && isUnderFirstKey(keys, was.backupCodes)) continue;
        const becomes = { secret: await again(was.secret), backupCodes: await again(was.backupCodes) };
        if (await replaceTwoFactor(engine.store.database, was, becomes)) count += 1;
      }
      return count;
    },
  };
}

/** What the library's cookie names between the two steps. It is random, so its signature need not be checked here. */
function halfDoneTokenOf(cookies: string): string | null {
  return HALF_DONE.exec(cookies)?.[1] ?? null;
}

const HALF_DONE = new RegExp(`(?:^|; )(?:__Secure-)?${COOKIE_PREFIX}\\.two_factor=([\\w-]{1,100})\\.`);

type AuthContext = Awaited<ReturnType<typeof createAuth>['$context']>;

/** A code works once. The session that a used one has opened was shown to no one, and goes. */
async function onceOnly(
  engine: Engine,
  { internalAdapter, secretConfig: key }: AuthContext,
  request: FastifyRequest,
  response: Response,
): Promise<Response> {
  const { database } = engine.store;
  const answer: unknown = await response.clone().json();
  const { code } = JSON.parse(rawBody(request).toString()) as { readonly code?: unknown };
  const personId = String(valueAt(answer, 'user', 'id'));
  const factor = await findTwoFactor(database, personId);
  const secret = factor === null ? '' : await symmetricDecrypt({ key, data: factor.secret });
  const step = stepOf(secret, String(code), engine.wallClock.now());
  if (step !== null && (await useStep(database, { personId, step }))) return response;
  await internalAdapter.deleteSession(String(valueAt(answer, 'token')));
  return Response.json({ code: 'INVALID_CODE', message: 'Invalid code' }, { status: 401 });
}

function createAuth(engine: Engine, { issuer, mailReset, wasReset }: SignInOptions, keys: ConsoleKeys) {
  return betterAuth({
    database: engine.store.database,
    secrets: [...keys.secrets],
    // For what was encrypted before values named their key.
    secret: keys.oldest,
    basePath: AUTH_PATH,
    ...(engine.publicUrl === null ? {} : { baseURL: new URL(engine.publicUrl).origin }),
    trustedOrigins: (request) => (request === undefined ? [] : [new URL(request.url).origin]),
    telemetry: { enabled: false },
    // Its messages repeat what people typed; what goes wrong reaches our log as an answer of 500.
    logger: { disabled: true },
    emailAndPassword: {
      enabled: true,
      disableSignUp: true,
      minPasswordLength: PASSWORD_LENGTH.min,
      maxPasswordLength: PASSWORD_LENGTH.max,
      resetPasswordTokenExpiresIn: RESET_MS / 1_000,
      revokeSessionsOnPasswordReset: true,
      sendResetPassword: async ({ user, token }) => mailReset?.({ email: user.email, token }),
      onPasswordReset: async ({ user }) => {
        await deleteProofs(engine.store.database, user.id);
        await wasReset(user.email);
      },
    },
    session: {
      modelName: 'people_sessions',
      fields: SESSION_FIELDS,
      expiresIn: SESSION_SECONDS,
      // It ends twelve hours after signing in, and is not prolonged by using it.
      disableSessionRefresh: true,
      // Were that not so, every use would prolong it: no default of the library hides a mistake here.
      updateAge: 0,
      // A session that is revoked must end at once.
      cookieCache: { enabled: false },
    },
    databaseHooks: { session: { create: { before: async (session) => ({ data: capped(session) }) } } },
    user: { modelName: 'people', fields: PERSON_FIELDS },
    account: { modelName: 'people_passwords', fields: PASSWORD_FIELDS },
    // Hashed: a link in a copy of the database would let its reader choose somebody's password.
    verification: { modelName: 'people_proofs', fields: STAMPS, storeIdentifier: 'hashed' },
    rateLimit: {
      enabled: true,
      storage: 'database',
      modelName: 'sign_in_rates',
      fields: RATE_FIELDS,
      customRules: { '/sign-in/email': GUESSES, '/two-factor/*': GUESSES, '/reset-password': GUESSES },
    },
    advanced: {
      cookiePrefix: COOKIE_PREFIX,
      useSecureCookies: engine.publicUrl?.startsWith('https:') ?? false,
      ipAddress: { ipAddressHeaders: [ADDRESS_HEADER] },
      // Left to itself the library does not look at origins in tests, which shall try what production does.
      disableOriginCheck: false,
      // A mail takes time. Anyone who asks for one must not learn by waiting whether somebody has that address.
      backgroundTasks: { handler: (task) => void task.catch(() => undefined) },
    },
    plugins: [twoFactor({ issuer, schema: TWO_FACTOR_SCHEMA })],
  });
}

/** The library gives a client that asks not to be remembered a whole day. */
function capped({ createdAt, ...session }: { readonly createdAt: Date; readonly expiresAt: Date }) {
  const endsAt = createdAt.getTime() + SESSION_SECONDS * 1_000;
  return { ...session, createdAt, expiresAt: new Date(Math.min(session.expiresAt.getTime(), endsAt)) };
}

/** Where people reach us: the configured address, or the one this request was sent to. */
export function originOf({ publicUrl }: Engine, request: FastifyRequest): string {
  if (publicUrl !== null) return new URL(publicUrl).origin;
  // HTTP/1.0 needs no Host.
  return `${request.protocol}://${request.host === '' ? 'localhost' : request.host}`;
}

function toWebRequest(engine: Engine, request: FastifyRequest, keys: ConsoleKeys): Request {
  const headers = new Headers();
  for (const [name, value] of Object.entries(request.headers)) {
    if (typeof value === 'string' && name !== 'content-length') headers.set(name, value);
  }
  const { cookie } = request.headers;
  if (cookie !== undefined) headers.set('cookie', signAgain(keys, withoutTrust(cookie)));
  headers.set(ADDRESS_HEADER, clientAddressOf(engine, request));
  const hasBody = request.method !== 'GET' && request.method !== 'HEAD';
  const body = hasBody ? new Uint8Array(withoutTrustDevice(rawBody(request))) : null;
  const url = new URL(request.url, originOf(engine, request));
  return new Request(url, { method: request.method, headers, body });
}
