// How people sign in: the authentication library, told how little of it we use. It is used in this file for passwords
// and in provider-sign-in.ts for the identity provider.
import { randomBytes } from 'node:crypto';
import { betterAuth } from 'better-auth';
import { APIError } from 'better-auth/api';
import { symmetricDecrypt, symmetricEncrypt } from 'better-auth/crypto';
import { twoFactor } from 'better-auth/plugins/two-factor';
import type { FastifyRequest } from 'fastify';
import { record, type Actor } from '../../../core/audit.ts';
import type { Engine } from '../../../core/engine.ts';
import { PASSWORD_LENGTH } from '../../../domain/merchants/people.ts';
import { addMs } from '../../../domain/time.ts';
import {
  deleteProofs,
  findTwoFactor,
  listTwoFactors,
  replaceTwoFactor,
  useStep,
} from '../../../store/merchants/two-factor.ts';
import { hasProviderOnly } from '../../../store/merchants/identities.ts';
import { listMemberships } from '../../../store/merchants/people.ts';
import { isJsonObject, valueAt } from '../../../wire/json.ts';
import { rawBody, readJson } from '../../request.ts';
import { COOKIE_PREFIX, createConsoleKeys, isUnderFirstKey, type ConsoleKeys } from '../console-keys.ts';
import { AUTH_PATH, authOptions, capped, SESSION_SECONDS } from './auth-options.ts';
import type { IdentityProviderSettings } from './identity-provider.ts';
import { TWO_FACTOR_SCHEMA } from './library-fields.ts';
import { stepOf } from './one-time-code.ts';
import { PROVIDER_ID } from './provider-callback.ts';
import { createProviderSignIn, type Finished } from './provider-sign-in.ts';
import { toWebRequest } from './web-request.ts';

export type SignInOptions = {
  /** 32 bytes each. The first signs cookies and encrypts two-factor secrets; the others are still accepted. */
  readonly keys: readonly [Buffer, ...(readonly Buffer[])];
  /** What an authenticator app shows. */
  readonly issuer: string;
  /** Undefined where no mails are sent. */
  readonly mailReset?: (mail: { readonly email: string; readonly token: string }) => Promise<void>;
  /** Somebody chose a new password by a link. */
  readonly wasReset: (email: string) => Promise<void>;
  readonly twoFactor: 'REQUIRED' | 'OPTIONAL';
  /** Null where people sign in with passwords only. */
  readonly provider: IdentityProviderSettings | null;
};

export type Session = {
  readonly sessionId: string;
  readonly personId: string;
  readonly name: string;
  readonly email: string;
  readonly hasTwoFactor: boolean;
  /** Who the identity provider says it is; null after a sign-in with a password. */
  readonly providerSubject: string | null;
  /** Whether the identity provider asked for more than one factor. */
  readonly isMultiFactor: boolean;
};

export type SignIn = {
  /** Answers a request to one of the paths below `AUTH_PATH`. */
  readonly answer: (request: FastifyRequest) => Promise<Answered>;
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

/** `person`: somebody whom the identity provider has just signed in. `refusal`: why it has not. */
export type Answered = Pick<Finished, 'response'> & Partial<Finished>;

export type ResetOrder = Actor & { readonly personId: string; readonly email: string };

export type NewPerson = { readonly name: string; readonly email: string; readonly password: string };

const START = 'POST /sign-in/social';
const FINISH = `GET /callback/${PROVIDER_ID}`;

/** What we use of the library. Everything else is not there, whatever a newer version of it brings. */
export const AUTH_CALLS: readonly string[] = [
  'POST /sign-in/email',
  START,
  FINISH,
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

const RESET_MS = 60 * 60_000;

export function createSignIn(engine: Engine, options: SignInOptions): SignIn {
  const keys = createConsoleKeys(options.keys);
  const auth = createAuth(engine, options, keys);
  const context = auth.$context;
  const webRequest = (request: FastifyRequest) => toWebRequest(engine, request, keys);
  const { provider: settings, twoFactor: needed } = options;
  const provider =
    settings === null ? null : createProviderSignIn(engine, keys, { settings, twoFactor: needed });
  const signIn: SignIn = {
    answer: async (request) => {
      switch (`${request.method} ${request.url.slice(AUTH_PATH.length).split('?')[0]}`) {
        case START: {
          const { to, confirming } = await readStart(signIn, request);
          const response = await provider?.start(webRequest(request), to, confirming);
          return { response: response ?? NO_PROVIDER() };
        }
        case FINISH:
          return (await provider?.finish(webRequest(request))) ?? { response: NO_PROVIDER() };
        case 'POST /two-factor/verify-totp': {
          const response = await auth.handler(webRequest(request));
          return {
            response: response.ok ? await onceOnly(engine, await context, request, response) : response,
          };
        }
        default:
          return { response: await auth.handler(webRequest(request)) };
      }
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
        providerSubject: session.providerSubject ?? null,
        isMultiFactor: session.isMultiFactor === true,
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
        expiresAt: addMs(await engine.wallClock.timeOf(engine.store.database), RESET_MS),
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
  return signIn;
}

const NO_PROVIDER = () =>
  Response.json({ code: 'NOT_FOUND', message: 'No identity provider' }, { status: 404 });

/** Where the person wants to be, and the session that they confirm. Only a path of ours is followed. */
async function readStart(signIn: SignIn, request: FastifyRequest) {
  const asked = readJson(request);
  const { to, confirm } = isJsonObject(asked) ? asked : {};
  const session = confirm === true ? await signIn.sessionOf(request) : null;
  const { sessionId, providerSubject: subject = null } = session ?? {};
  return {
    to: typeof to === 'string' && /^\/(?![/\\])[\w\-./?=&%]*$/.test(to) ? to : '/',
    confirming: sessionId === undefined || subject === null ? null : { sessionId, subject },
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

function createAuth(engine: Engine, options: SignInOptions, keys: ConsoleKeys) {
  const { issuer, mailReset, wasReset, provider } = options;
  return betterAuth({
    ...authOptions(engine, keys),
    emailAndPassword: {
      enabled: true,
      disableSignUp: true,
      minPasswordLength: PASSWORD_LENGTH.min,
      maxPasswordLength: PASSWORD_LENGTH.max,
      resetPasswordTokenExpiresIn: RESET_MS / 1_000,
      revokeSessionsOnPasswordReset: true,
      sendResetPassword: async ({ user: { id, email }, token }) => {
        const isRefused = provider !== null && (await hasProviderOnly(engine.store.database, id));
        if (!isRefused) await mailReset?.({ email, token });
      },
      onPasswordReset: async ({ user }) => {
        await deleteProofs(engine.store.database, user.id);
        await wasReset(user.email);
      },
    },
    databaseHooks: {
      session: {
        create: {
          before: async (session) => {
            await refusePassword(engine, options, session);
            return { data: capped(session, secondsOf(options, session)) };
          },
        },
      },
    },
    plugins: [twoFactor({ issuer, schema: TWO_FACTOR_SCHEMA })],
  });
}

/** A session of the identity provider is replaced by one as short when something of the account changes. */
function secondsOf({ provider }: SignInOptions, { providerSubject }: NewSession): number {
  return provider === null || typeof providerSubject !== 'string'
    ? SESSION_SECONDS
    : provider.sessionMs / 1_000;
}

type NewSession = { readonly userId: string; readonly providerSubject?: unknown };

/** After the right password only, so that it tells no one who belongs to the platform. */
async function refusePassword(
  { store, wallClock }: Engine,
  { provider }: SignInOptions,
  session: NewSession,
): Promise<void> {
  if (provider?.platform !== 'REQUIRED' || typeof session.providerSubject === 'string') return;
  const now = await wallClock.timeOf(store.database);
  const memberships = await listMemberships(store.database, session.userId, now);
  if (!memberships.some(({ merchantId, role }) => merchantId === null && role !== 'BREAK_GLASS')) return;
  throw new APIError('FORBIDDEN', { code: 'SINGLE_SIGN_ON_NEEDED', message: 'Sign in with single sign-on.' });
}
