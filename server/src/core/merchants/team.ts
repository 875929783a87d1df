// Who belongs to a merchant or to the host: invited by a link, with a role, and removed again. There is always somebody
// left who can invite. Every act is recorded in its own transaction.
import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { isHostRole, type Role } from '../../domain/merchants/roles.ts';
import type { AuditedAct } from '../../store/audit.ts';
import { inTransaction, type Tx } from '../../store/database.ts';
import {
  endInvitation,
  insertInvitation,
  listOpenInvitations,
  lockInvitation,
  type Invitation,
} from '../../store/merchants/invitations.ts';
import {
  deleteMembership,
  deleteSessions,
  listMembers,
  lockMembers,
  setMembership,
  type Member,
} from '../../store/merchants/people.ts';
import { record, type Actor } from '../audit.ts';
import type { Engine, StorePart, TimedStore } from '../engine.ts';
import { lockOneMerchant } from '../cells/lock-merchant.ts';
import { addMs } from '../../domain/time.ts';

/** Long enough for a weekend and a holiday; a link that was forgotten must not work permanently. */
const INVITATION_MS = 4 * 24 * 60 * 60_000;

/** Of a merchant, or of the host where that is null. */
type OfTeam = { readonly merchantId: string | null };

export type InvitationOrder = Actor & OfTeam & { readonly email: string; readonly role: Role };

/** Answers the last part of the link. It is shown once and cannot be read again. */
export async function invite(engine: Engine, order: InvitationOrder): Promise<string> {
  return inTeam(engine, order.merchantId, (tx) => keepInvitation(engine, tx, order));
}

/** The same, inside the team. `invitedBy` is who asked for it, where another agreed. */
export async function keepInvitation(
  engine: Engine,
  tx: Tx,
  order: InvitationOrder & { readonly invitedBy?: string },
): Promise<string> {
  const { by, merchantId, role, invitedBy = by } = order;
  requireRoleOf(merchantId, role);
  const token = randomBytes(32).toString('base64url');
  const now = await engine.wallClock.timeOf(tx);
  const email = order.email.toLowerCase();
  await insertInvitation(tx, {
    invitationId: randomUUID(),
    tokenHash: hashOf(token),
    email,
    merchantId,
    role,
    invitedBy,
    createdAt: now,
    expiresAt: addMs(now, INVITATION_MS),
  });
  await note(engine, tx, { by, act: 'PERSON_INVITED', merchantId, subject: email, detail: { role } });
  return token;
}

export async function readInvitation(engine: Engine, token: string): Promise<Invitation | null> {
  return inTransaction(engine.store.database, async (tx) =>
    lockInvitation(tx, hashOf(token), await engine.wallClock.timeOf(tx)),
  );
}

/** The person must have the address the invitation was made for. Answers null where the link no longer counts. */
export async function acceptInvitation(
  engine: Engine,
  { token, personId, email }: { readonly token: string; readonly personId: string; readonly email: string },
): Promise<Invitation | null> {
  return inTransaction(engine.store.database, async (tx) => {
    const now = await engine.wallClock.timeOf(tx);
    const invitation = await lockInvitation(tx, hashOf(token), now);
    if (invitation === null || invitation.email !== email) return null;
    const { merchantId, role } = invitation;
    if (merchantId !== null) await lockOneMerchant(tx, merchantId);
    if (isSecondBreakGlass(await lockMembers(tx, merchantId, now), { personId, role })) return null;
    await setMembership(tx, { personId, merchantId, role, now });
    await endInvitation(tx, { ...invitation, now });
    await note(engine, tx, { by: email, act: 'PERSON_JOINED', merchantId, subject: email, detail: { role } });
    return invitation;
  });
}

/** Answers whether it was still open. */
export async function withdrawInvitation(
  engine: Engine,
  { by, merchantId, invitationId }: Actor & OfTeam & { readonly invitationId: string },
): Promise<boolean> {
  return inTeam(engine, merchantId, async (tx) => {
    const now = await engine.wallClock.timeOf(tx);
    const isEnded = await endInvitation(tx, { invitationId, merchantId, now });
    const act = 'INVITATION_WITHDRAWN';
    if (isEnded) await note(engine, tx, { by, act, merchantId, subject: invitationId, detail: {} });
    return isEnded;
  });
}

/** LAST_ONE: no one would be left who can invite others. SECOND_BREAK_GLASS: another account is the one. */
export type TeamAnswer = 'DONE' | 'NOT_FOUND' | 'LAST_ONE' | 'SECOND_BREAK_GLASS';

type MemberOrder = Actor & OfTeam & { readonly personId: string };

type RoleOrder = MemberOrder & { readonly role: Role };

/** Call it inside the team. */
export async function setRole(engine: Engine, tx: Tx, order: RoleOrder): Promise<TeamAnswer> {
  const { by, merchantId, personId, role } = order;
  requireRoleOf(merchantId, role);
  const now = await engine.wallClock.timeOf(tx);
  const members = await lockMembers(tx, merchantId, now);
  const member = members.find((one) => one.personId === personId);
  if (member === undefined) return 'NOT_FOUND';
  if (!isHead(role) && isLastHead(members, member)) return 'LAST_ONE';
  if (isSecondBreakGlass(members, order)) return 'SECOND_BREAK_GLASS';
  await setMembership(tx, { personId, merchantId, role, now });
  await note(engine, tx, { by, act: 'ROLE_SET', merchantId, subject: member.email, detail: { role } });
  return 'DONE';
}

function requireRoleOf(merchantId: string | null, role: Role): void {
  if (isHostRole(role) !== (merchantId === null)) throw new Error(`${role} is no role of this team`);
}

/** Their sessions end with it: anyone who belongs elsewhere too signs in again. */
export async function removeMember(engine: Engine, order: MemberOrder): Promise<TeamAnswer> {
  const { by, merchantId, personId } = order;
  return inTeam(engine, merchantId, async (tx) => {
    const members = await lockMembers(tx, merchantId, await engine.wallClock.timeOf(tx));
    const member = members.find((one) => one.personId === personId);
    if (member === undefined) return 'NOT_FOUND';
    if (isLastHead(members, member)) return 'LAST_ONE';
    await deleteMembership(tx, personId, merchantId);
    await deleteSessions(tx, personId);
    await note(engine, tx, { by, act: 'MEMBER_REMOVED', merchantId, subject: member.email, detail: {} });
    return 'DONE';
  });
}

export type Team = { readonly members: readonly Member[]; readonly invitations: readonly Invitation[] };

export async function readTeam(engine: Engine, merchantId: string | null): Promise<Team> {
  const { database } = engine.store;
  const now = await engine.wallClock.timeOf(database);
  return {
    members: await listMembers(database, merchantId, now),
    invitations: await listOpenInvitations(database, merchantId, now),
  };
}

/** Whether two people administer the platform or are invited to, not counting an invitation to this address. */
export async function hasFirstAdministrators(engine: Engine, email: string): Promise<boolean> {
  const { invitations } = await readTeam(engine, null);
  // Also those whose role has ended until they sign in at the identity provider again: they can approve then.
  const members = await listMembers(engine.store.database, null, new Date(0));
  const invited = invitations.filter((one) => one.role === 'OPERATOR_ADMIN' && one.email !== email);
  const addresses = [...members.filter(({ role }) => role === 'OPERATOR_ADMIN'), ...invited];
  return new Set(addresses.map((one) => one.email.toLowerCase())).size >= 2;
}

/** Anyone who may invite. */
function isHead(role: Role): boolean {
  return role === 'OWNER' || role === 'OPERATOR_ADMIN';
}

function isLastHead(members: readonly Member[], member: Member): boolean {
  return isHead(member.role) && members.filter(({ role }) => isHead(role)).length === 1;
}

/** There is one: it signs in without the identity provider. */
function isSecondBreakGlass(
  members: readonly Member[],
  { personId, role }: Pick<RoleOrder, 'personId' | 'role'>,
): boolean {
  return role === 'BREAK_GLASS' && members.some((one) => one.role === role && one.personId !== personId);
}

/** Runs `work` in one transaction: inside the merchant, or for the host. */
export async function inTeam<Result>(
  engine: StorePart,
  merchantId: string | null,
  work: (tx: Tx) => Promise<Result>,
): Promise<Result> {
  return inTransaction(engine.store.database, async (tx) => {
    if (merchantId !== null) await lockOneMerchant(tx, merchantId);
    return work(tx);
  });
}

type TeamAct = Actor &
  OfTeam & { readonly act: AuditedAct; readonly subject: string; readonly detail: Record<string, unknown> };

async function note(engine: TimedStore, tx: Tx, act: TeamAct): Promise<void> {
  await record(engine, tx, [act]);
}

function hashOf(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}
