// What happens when the browser is back from the identity provider: who it is, whether they may sign in, and the roles
// of their groups. The hooks of the library call it.
import { AsyncLocalStorage } from 'node:async_hooks';
import { getOAuthState } from 'better-auth/api';
import { applyGroups } from '../../../core/merchants/group-roles.ts';
import { removePassword } from '../../../core/merchants/remove-password.ts';
import type { Engine } from '../../../core/engine.ts';
import { hasOtherSubject, isBreakGlass } from '../../../store/merchants/identities.ts';
import { deleteSession, findPerson } from '../../../store/merchants/people.ts';
import { findTwoFactor } from '../../../store/merchants/two-factor.ts';
import { isJsonObject, valueAt } from '../../../wire/json.ts';
import {
  hasAnyRole,
  readClaims,
  readIdentity,
  type Discovered,
  type IdentityProviderSettings,
  type ProviderIdentity,
  type ProviderRefusal,
} from './identity-provider.ts';

export const PROVIDER_ID = 'oidc';

export type ProviderOptions = {
  readonly settings: IdentityProviderSettings;
  readonly twoFactor: 'REQUIRED' | 'OPTIONAL';
};

/** Somebody who is signed in there and proves again that it is them. */
export type Confirming = { readonly sessionId: string; readonly subject: string };

/** What the hooks of one callback know of each other. */
export type Callback = {
  identity: ProviderIdentity | null;
  refusal: ProviderRefusal | null;
  person: { readonly personId: string; readonly email: string } | null;
};

export const currentCallback = new AsyncLocalStorage<Callback>();

export function callbackNow(): Callback {
  const callback = currentCallback.getStore();
  if (callback === undefined) throw new Error('a hook ran outside a callback');
  return callback;
}

/** Null with the refusal recorded. */
export async function identify(
  engine: Engine,
  { settings, twoFactor }: ProviderOptions,
  discovered: Discovered,
  tokens: { readonly idToken?: string | undefined; readonly accessToken?: string | undefined },
): Promise<ProviderIdentity | null> {
  const callback = callbackNow();
  const claims = await readClaims(settings, discovered, tokens);
  const identity =
    claims === null ? 'PROVIDER_ANSWER_INVALID' : readIdentity(settings, claims, engine.wallClock.now());
  if (typeof identity === 'string') callback.refusal = identity;
  else if (twoFactor === 'REQUIRED' && !identity.isMultiFactor) callback.refusal = 'MULTI_FACTOR_NEEDED';
  else callback.identity = identity;
  return callback.identity;
}

/** Why this account is not signed in. A person whose groups have no role any more loses the roles they had. */
export async function findRefusal(
  engine: Engine,
  settings: IdentityProviderSettings,
  action: string,
  personId: string | undefined,
): Promise<ProviderRefusal | null> {
  const { identity } = callbackNow();
  if (identity === null) return 'PROVIDER_ANSWER_INVALID';
  const { database } = engine.store;
  if (!hasAnyRole(settings, identity)) {
    if (action === 'sign-in' && personId !== undefined)
      await applyRoles(engine, settings, personId, identity);
    return 'NO_GROUP';
  }
  const confirming = await readConfirming();
  if (confirming !== null && !isConfirmed(confirming, identity)) return 'NOT_CONFIRMED';
  if (action === 'create-user' || personId === undefined) return null;
  if (await isBreakGlass(database, personId)) return 'ACCOUNT_NOT_LINKED';
  const account = { providerId: PROVIDER_ID, subject: identity.subject };
  const isOther = await hasOtherSubject(database, personId, account);
  if (isOther && action === 'link-account') return 'ACCOUNT_NOT_LINKED';
  const hasTwoFactor = (await findTwoFactor(database, personId)) !== null;
  return hasTwoFactor && !identity.isMultiFactor ? 'MULTI_FACTOR_NEEDED' : null;
}

/** What is kept of the new session, after the person lost their password and got the roles of their groups. */
export async function openedSession(
  engine: Engine,
  settings: IdentityProviderSettings,
  { userId: personId }: { readonly userId: string },
) {
  const callback = callbackNow();
  const { identity } = callback;
  if (identity === null) throw new Error('no identity');
  const { subject, isMultiFactor } = identity;
  const email = await emailOf(engine, personId, identity);
  await removePassword(engine, { personId, email });
  await applyRoles(engine, settings, personId, identity);
  callback.person = { personId, email };
  const confirming = await readConfirming();
  // The session that was confirmed ends: the new one stands in its place.
  if (confirming !== null) await deleteSession(engine.store.database, personId, confirming.sessionId);
  const confirmedAt = confirming === null ? null : await engine.wallClock.timeOf(engine.store.database);
  return { providerSubject: subject, isMultiFactor, confirmedAt };
}

async function applyRoles(
  engine: Engine,
  { roles }: IdentityProviderSettings,
  personId: string,
  identity: ProviderIdentity,
): Promise<void> {
  const by = await emailOf(engine, personId, identity);
  await applyGroups(engine, roles, { personId, by, identity, groups: identity.groups });
}

/** Their address here, which is their name in the audit log. The provider may know another one by now. */
async function emailOf({ store }: Engine, personId: string, { email }: ProviderIdentity): Promise<string> {
  return (await findPerson(store.database, personId))?.email ?? email;
}

type Confirmation = Confirming & { readonly since: number };

/** Written by `bodyOf`, kept in the database meanwhile. */
async function readConfirming(): Promise<Confirmation | null> {
  const confirming = valueAt(await getOAuthState(), 'confirming');
  if (!isJsonObject(confirming)) return null;
  const { sessionId, subject, since } = confirming;
  return { sessionId: String(sessionId), subject: String(subject), since: Number(since) };
}

/** What two clocks may differ by: little, because a proof of before the click is none. */
const CONFIRMING_SKEW_MS = 5_000;

function isConfirmed(
  { subject, since }: Confirmation,
  { subject: found, authenticatedAt }: ProviderIdentity,
): boolean {
  const isFresh = authenticatedAt !== null && authenticatedAt.getTime() >= since - CONFIRMING_SKEW_MS;
  return subject === found && isFresh;
}
