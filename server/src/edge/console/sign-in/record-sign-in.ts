// What people should know about their account: recorded in the audit log, and mailed to them where mails are sent.
import { createHash, randomBytes } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { record } from '../../../core/audit.ts';
import type { AccountNotice } from '../../../callbacks/people-mail.ts';
import type { Engine } from '../../../core/engine.ts';
import { addMs } from '../../../domain/time.ts';
import { wasRecordedSince } from '../../../store/audit.ts';
import { isBreakGlass } from '../../../store/merchants/identities.ts';
import { findPersonByEmail } from '../../../store/merchants/people.ts';
import { deleteProofs } from '../../../store/merchants/two-factor.ts';
import { seeDevice } from '../../../store/merchants/people-devices.ts';
import { isJsonObject, valueAt } from '../../../wire/json.ts';
import { COOKIE_PREFIX } from '../console-keys.ts';
import type { ConsoleParts } from '../route.ts';
import type { Session } from './sign-in.ts';

export type AuthCall = {
  readonly path: string;
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
  /** Who was signed in before the call. */
  readonly session: Session | null;
  /** The address of the person who still had to give two-factor authentication. */
  readonly halfSignedIn: string | null;
  readonly isGood: boolean;
  /** What the library answered, and what it was asked. */
  readonly answer: unknown;
  readonly asked: unknown;
};

type Parts = Pick<ConsoleParts, 'engine' | 'mailNotice'>;

export async function noteAuthCall(parts: Parts, call: AuthCall): Promise<void> {
  const { path, session, isGood } = call;
  if (path === '/change-password' && isGood && session !== null) {
    await deleteProofs(parts.engine.store.database, session.personId);
    return note(parts, session.email, 'PASSWORD_CHANGED');
  }
  if (path === '/two-factor/verify-totp' && isGood && session?.hasTwoFactor === false) {
    return note(parts, session.email, 'TWO_FACTOR_ADDED');
  }
  if (!/^\/(sign-in|two-factor\/verify)/.test(path) || session !== null) return;
  if (!isGood) return noteFailure(parts, call);
  const person = signedInBy(call);
  if (person !== null) await noteSignedIn(parts, { ...call, ...person });
}

export async function note(
  { engine, mailNotice }: Parts,
  email: string,
  act: AccountNotice,
  { isMailed = true }: { readonly isMailed?: boolean } = {},
): Promise<void> {
  await record(engine, engine.store.database, [
    { by: email, act, merchantId: null, subject: email, detail: {} },
  ]);
  // No one waits for a mail, and none that fails undoes what was done.
  if (isMailed) void mailNotice?.({ email, notice: act }).catch(() => undefined);
}

/** Somebody is signed in. */
export async function noteSignedIn(
  parts: Parts,
  { request, reply, personId, email }: Pick<AuthCall, 'request' | 'reply'> & SignedIn,
): Promise<void> {
  const { engine } = parts;
  const { database } = engine.store;
  const isAlarming = await isBreakGlass(database, personId);
  const act = isAlarming ? 'BREAK_GLASS_SIGNED_IN' : 'SIGNED_IN';
  await record(engine, database, [{ by: email, act, merchantId: null, subject: email, detail: {} }]);
  if (isAlarming) request.log.warn('the break-glass account signed in');
  const deviceHash = createHash('sha256')
    .update(deviceOf(engine, request, reply))
    .digest();
  const seenAt = await engine.wallClock.timeOf(database);
  const { isNew, isFirst } = await seeDevice(database, { personId, deviceHash, seenAt });
  if (isNew) await note(parts, email, 'NEW_DEVICE', { isMailed: !isFirst });
}

type SignedIn = { readonly personId: string; readonly email: string };

/** With two-factor authentication still to come, the library names no one yet. */
function signedInBy({ answer }: AuthCall): SignedIn | null {
  const [email, personId] = [valueAt(answer, 'user', 'email'), valueAt(answer, 'user', 'id')];
  return typeof email === 'string' && typeof personId === 'string' ? { email, personId } : null;
}

const FAILURES_MAILED_EVERY_MS = 3_600_000;

/** Each is recorded; a mail is sent for the first of an hour, so that a stranger cannot fill somebody's mailbox. */
async function noteFailure(parts: Parts, { asked, path, halfSignedIn }: AuthCall): Promise<void> {
  parts.engine.riskLog.note({ event: 'SIGN_IN_REFUSED' });
  const { database } = parts.engine.store;
  const named = isJsonObject(asked) ? asked['email'] : undefined;
  const written = path.startsWith('/two-factor') ? halfSignedIn : named;
  if (typeof written !== 'string') return;
  const email = written.toLowerCase();
  if ((await findPersonByEmail(database, email)) === null) return;
  const now = await parts.engine.clock.timeOf(database);
  const since = addMs(now, -FAILURES_MAILED_EVERY_MS);
  const isMailed = !(await wasRecordedSince(database, { act: 'SIGN_IN_FAILED', actor: email, since }));
  await note(parts, email, 'SIGN_IN_FAILED', { isMailed });
}

const DEVICE_COOKIE = `${COOKIE_PREFIX}.device`;
const YEAR_SECONDS = 365 * 24 * 3_600;

function deviceOf({ publicUrl }: Engine, request: FastifyRequest, reply: FastifyReply): string {
  const cookies = (request.headers.cookie ?? '').split('; ');
  const known = cookies
    .find((cookie) => cookie.startsWith(`${DEVICE_COOKIE}=`))
    ?.slice(DEVICE_COOKIE.length + 1);
  if (known !== undefined) return known;
  const device = randomBytes(24).toString('base64url');
  const secure = publicUrl?.startsWith('https:') === true ? '; Secure' : '';
  const attributes = `Max-Age=${YEAR_SECONDS}; Path=/console; HttpOnly; SameSite=Lax${secure}`;
  reply.header('set-cookie', `${DEVICE_COOKIE}=${device}; ${attributes}`);
  return device;
}
