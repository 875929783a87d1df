// Whether a person can decide on a request.
import { isSameName, rulesOf, type ApprovalDecision } from '../../domain/approval.ts';
import { permissionsOf, type Permission } from '../../domain/merchants/roles.ts';
import type { ActingPerson, Approval } from '../../store/approvals/approvals.ts';
import type { Tx } from '../../store/database.ts';
import { isBreakGlass, isSamePerson } from '../../store/merchants/identities.ts';
import { listMemberships } from '../../store/merchants/people.ts';
import type { Engine } from '../engine.ts';
import { executorOf, type Obstacle } from './executor.ts';
import { isIndependent } from './independence.ts';

export type ApprovalRefusal =
  | { readonly type: 'NOT_FOUND' }
  | { readonly type: 'DECIDED_BEFORE'; readonly status: ApprovalDecision }
  /** What the approver was shown is not what is pending. */
  | { readonly type: 'NOT_AS_SHOWN' }
  /** The requester cannot decide, and only the requester can withdraw. */
  | { readonly type: 'SAME_PERSON' }
  | { readonly type: 'NOT_THEIRS' }
  /** They onboarded the merchant, or belong to it. */
  | { readonly type: 'NOT_INDEPENDENT' }
  /** The account for the time when the identity provider is out of reach takes no part in two-person rules. */
  | { readonly type: 'BREAK_GLASS' }
  /** The requester was removed, or may no longer request this. */
  | { readonly type: 'REQUESTER_GONE' }
  | { readonly type: 'REASON_MISSING' }
  /** The effect is not possible now. It is still pending. */
  | { readonly type: 'NOT_EXECUTED'; readonly because: Obstacle; readonly message: string };

/** Why this person cannot approve it; null where they can. Throws NotExecuted where its executor refuses them. */
export async function findRefusal(
  engine: Engine,
  tx: Tx,
  approval: Approval,
  { decider, hash }: { readonly decider: ActingPerson; readonly hash: string },
): Promise<ApprovalRefusal | null> {
  const { status, confirmedBy } = approval;
  if (status !== 'PENDING') return { type: 'DECIDED_BEFORE', status };
  if (await isAnyOf(tx, decider, approval.requestedBy, confirmedBy)) return { type: 'SAME_PERSON' };
  if (await isExcluded(tx, decider)) return { type: 'BREAK_GLASS' };
  if (hash !== approval.shownHash) return { type: 'NOT_AS_SHOWN' };
  await executorOf(engine, approval).mayApprove?.({ engine, tx, approval, decider });
  if (needsConfirmation(approval, decider)) return null;
  if (!(await isIndependentOf(engine, tx, approval, decider))) return { type: 'NOT_INDEPENDENT' };
  return (await mayStillRequest(engine, tx, approval)) ? null : { type: 'REQUESTER_GONE' };
}

/** A command can be run under any name, so its request needs two people who are signed in. */
export function needsConfirmation({ requestedBy, confirmedBy }: Approval, decider: ActingPerson): boolean {
  return requestedBy.personId === null && confirmedBy === null && decider.personId !== null;
}

/** The name counts too. A command's name is not a person's: it may be anybody's; but two commands have only names. */
export function isRequester(decider: ActingPerson, { requestedBy }: Pick<Approval, 'requestedBy'>): boolean {
  return (requestedBy.personId !== null || decider.personId === null) && isSame(decider, requestedBy);
}

function isSame(one: ActingPerson, other: ActingPerson): boolean {
  return (one.personId !== null && one.personId === other.personId) || isSameName(one.by, other.by);
}

/** Whether it is the requester or the first approver, or another account of theirs. */
async function isAnyOf(
  tx: Tx,
  decider: ActingPerson,
  requestedBy: ActingPerson,
  confirmedBy: ActingPerson | null,
): Promise<boolean> {
  if (isRequester(decider, { requestedBy })) return true;
  if (confirmedBy !== null && isSame(decider, confirmedBy)) return true;
  for (const other of [requestedBy, confirmedBy]) {
    if (decider.personId === null || other === null || other.personId === null) continue;
    const { personId, by } = other;
    if (await isSamePerson(tx, decider.personId, { personId, by })) return true;
  }
  return false;
}

async function isExcluded(tx: Tx, { personId }: ActingPerson): Promise<boolean> {
  return personId !== null && isBreakGlass(tx, personId);
}

async function isIndependentOf(
  engine: Engine,
  tx: Tx,
  approval: Approval,
  decider: ActingPerson,
): Promise<boolean> {
  const { merchantId } = approval;
  const { decidedAt, decide } = rulesOf(approval);
  const own = merchantId === null ? [] : [merchantId];
  const merchantIds = (await executorOf(engine, approval).concerns?.(tx, approval)) ?? own;
  const permission = { personId: decider.personId, merchantId, permission: decide };
  const isOwn = decidedAt === 'MERCHANT' && (await isPermitted(engine, tx, permission));
  return isIndependent(tx, { decider, merchantIds, as: isOwn ? 'MERCHANT' : 'PLATFORM' });
}

/** Nothing is done in the name of a requester who has left since: they may hold the token's text. */
async function mayStillRequest(engine: Engine, tx: Tx, approval: Approval): Promise<boolean> {
  const { merchantId, requestedBy, confirmedBy } = approval;
  const { decidedAt, requester, merchantRequester } = rulesOf(approval);
  if (confirmedBy !== null) {
    const { personId } = confirmedBy;
    return isPermitted(engine, tx, { personId, merchantId: null, permission: 'approvals:decide' });
  }
  if (requester === null || requestedBy.personId === null) return true;
  const { personId } = requestedBy;
  const at = decidedAt === 'PLATFORM' ? null : merchantId;
  if (await isPermitted(engine, tx, { personId, merchantId: at, permission: requester })) return true;
  if (merchantRequester === undefined) return false;
  return isPermitted(engine, tx, { personId, merchantId, permission: merchantRequester });
}

async function isPermitted(
  { wallClock }: Pick<Engine, 'wallClock'>,
  tx: Tx,
  { personId, merchantId, permission }: AskedPermission,
): Promise<boolean> {
  if (personId === null) return false;
  const memberships = await listMemberships(tx, personId, await wallClock.timeOf(tx));
  return memberships.some(
    (one) => one.merchantId === merchantId && permissionsOf(one.role).includes(permission),
  );
}

type AskedPermission = {
  readonly personId: string | null;
  readonly merchantId: string | null;
  readonly permission: Permission;
};

/** For the person who tried. */
export function refusalText(refusal: ApprovalRefusal): string {
  switch (refusal.type) {
    case 'NOT_FOUND':
      return 'There is no such request.';
    case 'DECIDED_BEFORE':
      return `It was decided before: ${refusal.status}.`;
    case 'NOT_AS_SHOWN':
      return 'This is not what you were shown. Look at it again.';
    case 'SAME_PERSON':
      return 'You requested this yourself. Another person must decide.';
    case 'BREAK_GLASS':
      return 'The break-glass account neither requests nor approves.';
    case 'NOT_THEIRS':
      return 'Another person requested this. Only they can withdraw it; reject it instead.';
    case 'NOT_INDEPENDENT':
      return 'You onboarded this merchant, or belong to it. Another person must approve.';
    case 'REQUESTER_GONE':
      return 'The requester may no longer request this. Reject it.';
    case 'REASON_MISSING':
      return 'reason: say why it is rejected.';
    case 'NOT_EXECUTED':
      return refusal.message;
  }
}
