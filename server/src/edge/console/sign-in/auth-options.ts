// What the authentication library is told wherever it is used: its tables, cookies and limits.
import type { Engine } from '../../../core/engine.ts';
import { COOKIE_PREFIX, type ConsoleKeys } from '../console-keys.ts';
import {
  PASSWORD_FIELDS,
  PERSON_FIELDS,
  RATE_FIELDS,
  SESSION_FIELDS,
  SESSION_FIELDS_OF_OURS,
  STAMPS,
} from './library-fields.ts';

export const AUTH_PATH = '/console/auth';

/** A working day. */
export const SESSION_SECONDS = 12 * 60 * 60;

/** For each address: an office shares one. Against guesses from many addresses stands two-factor authentication. */
const GUESSES = { window: 60, max: 20 };

/** Set by us from the connection and the host's own proxies, so that no header of a client can say who it is. */
export const ADDRESS_HEADER = 'x-malipo-client-address';

export function authOptions(engine: Engine, keys: ConsoleKeys, sessionSeconds = SESSION_SECONDS) {
  return {
    database: engine.store.database,
    secrets: [...keys.secrets],
    // For what was encrypted before values named their key.
    secret: keys.oldest,
    basePath: AUTH_PATH,
    ...(engine.publicUrl === null ? {} : { baseURL: new URL(engine.publicUrl).origin }),
    trustedOrigins: (request?: Request) => (request === undefined ? [] : [new URL(request.url).origin]),
    telemetry: { enabled: false },
    // Its messages repeat what people typed; what goes wrong reaches our log as an answer of 500.
    logger: { disabled: true },
    session: {
      modelName: 'people_sessions',
      fields: SESSION_FIELDS,
      additionalFields: SESSION_FIELDS_OF_OURS,
      expiresIn: sessionSeconds,
      // It ends twelve hours after signing in, and is not prolonged by using it.
      disableSessionRefresh: true,
      // Were that not so, every use would prolong it: no default of the library hides a mistake here.
      updateAge: 0,
      // A session that is revoked must end at once.
      cookieCache: { enabled: false },
    },
    // Hashed: a link in a copy of the database would let its reader choose somebody's password.
    verification: { modelName: 'people_proofs', fields: STAMPS, storeIdentifier: 'hashed' as const },
    account: { modelName: 'people_passwords', fields: PASSWORD_FIELDS },
    user: { modelName: 'people', fields: PERSON_FIELDS },
    rateLimit: {
      enabled: true,
      storage: 'database' as const,
      modelName: 'sign_in_rates',
      fields: RATE_FIELDS,
      customRules: {
        '/sign-in/*': GUESSES,
        '/callback/*': GUESSES,
        '/two-factor/*': GUESSES,
        '/reset-password': GUESSES,
      },
    },
    advanced: {
      cookiePrefix: COOKIE_PREFIX,
      useSecureCookies: engine.publicUrl?.startsWith('https:') ?? false,
      ipAddress: { ipAddressHeaders: [ADDRESS_HEADER] },
      // Left to itself the library does not look at origins in tests, which shall try what production does.
      disableOriginCheck: false,
      // A mail takes time. Anyone who asks for one must not learn by waiting whether somebody has that address.
      backgroundTasks: { handler: (task: Promise<unknown>) => void task.catch(() => undefined) },
    },
  };
}

/** The library gives a client that asks not to be remembered a whole day. */
export function capped<Session extends { readonly createdAt: Date; readonly expiresAt: Date }>(
  session: Session,
  seconds = SESSION_SECONDS,
): Session {
  const endsAt = session.createdAt.getTime() + seconds * 1_000;
  return { ...session, expiresAt: new Date(Math.min(session.expiresAt.getTime(), endsAt)) };
}
