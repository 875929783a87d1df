// Whether a person can decide on a request, and what is recorded when they do.
import { permissionToAsk, PLATFORM_KINDS } from '../../domain/approval.ts';
import { isSamePerson } from '../../domain/reconciliation/cases.ts';
import { permissionsOf } from '../../domain/merchants/roles.ts';
import {
  markApprovalConfirmed,
  markApprovalDecided,
  type Approval,
  type ApprovalDecision,
  type Decider,
  type WhoseApprovals,
} from '../../store/approvals/approvals.ts';
import type { AuditedAct } from '../../store/audit.ts';
import type { Tx } from '../../store/database.ts';
import { listReportMerchants } from '../../store/reconciliation/reports-to-approve.ts';
import { listMemberships } from '../../store/merchants/people.ts';
import { describeWanted } from './request-approval.ts';
import { record } from '../audit.ts';
import type { Engine } from '../engine.ts';
import { isIndependent } from './independence.ts';
import type { ReferenceUse } from '../ledger/money-references.ts';

export type ApprovalAct = {
  readonly decider: Decider;
  readonly approvalId: string;
  /** Where the decider looked for it: everywhere, at a merchant, or at the host where that is null. */
  readonly whose: WhoseApprovals;
};

export type ApprovalAnswer =
  | { readonly type: 'DONE'; readonly invited: Invited | null }
  /** A command asked for it, and the first of two people agreed. */
  | { readonly type: 'CONFIRMED' }
  | { readonly type: 'NOT_FOUND' }
  | { readonly type: 'DECIDED_BEFORE'; readonly decision: ApprovalDecision }
  /** The person who asked cannot decide, and only that person can cancel the request. */
  | { readonly type: 'SAME_PERSON' }
  | { readonly type: 'NOT_THEIRS' }
  /** They onboarded the merchant, or belong to it. */
  | { readonly type: 'NOT_INDEPENDENT' }
  /** The person who asked was removed, or may no longer ask for this. */
  | { readonly type: 'ASKER_GONE' }
  /** It no longer fits what is: a name was taken meanwhile, somebody has left. */
  | { readonly type: 'OVERTAKEN' }
  /** The money was posted another way under the same reference. */
  | ReferenceUse;

/** Somebody may join: the last part of their link, to be handed on. */
export type Invited = {
  readonly token: string;
  readonly email: string;
  readonly merchantId: string | null;
};

export const DONE = { type: 'DONE', invited: null } as const;

/** Why this person cannot agree to it; null where they can. */
export async function findRefusal(
  tx: Tx,
  approval: Approval,
  decider: Decider,
): Promise<ApprovalAnswer | null> {
  const { decision, confirmedBy } = approval;
  if (decision !== null) return { type: 'DECIDED_BEFORE', decision: decision.type };
  if (isAsker(decider, approval)) return { type: 'SAME_PERSON' };
  if (confirmedBy !== null && isSame(decider, confirmedBy)) return { type: 'SAME_PERSON' };
  if (needsConfirmation(approval)) return null;
  if (!(await mayApproveFor(tx, approval, decider))) return { type: 'NOT_INDEPENDENT' };
  return (await mayStillAsk(tx, approval)) ? null : { type: 'ASKER_GONE' };
}

/** A command can be run under any name, so what it asked for needs two people who are signed in. */
export function needsConfirmation({ askedBy, confirmedBy }: Approval): boolean {
  return askedBy.personId === null && confirmedBy === null;
}

/** The name counts too. A command's name is not a person's: it may be anybody's. */
export function isAsker(decider: Decider, { askedBy }: Approval): boolean {
  return askedBy.personId !== null && isSame(decider, askedBy);
}

function isSame(one: Decider, other: Decider): boolean {
  return one.personId === other.personId || isSamePerson(one.by, other.by);
}

async function mayApproveFor(tx: Tx, approval: Approval, { personId, by }: Decider): Promise<boolean> {
  const { merchantId, wanted } = approval;
  if (wanted.kind === 'OPERATOR_REPORT') {
    const merchantIds = await listReportMerchants(tx, wanted.statementId);
    return isIndependent(tx, { by, merchantIds, as: 'PLATFORM' });
  }
  const merchantIds = merchantId === null ? [] : [merchantId];
  const own = personId === null ? [] : await listMemberships(tx, personId);
  const decidesThere = own.some(
    (one) => one.merchantId === merchantId && permissionsOf(one.role).includes('approvals:decide'),
  );
  const isOwn = decidesThere && !PLATFORM_KINDS.includes(wanted.kind);
  return isIndependent(tx, { by, merchantIds, as: isOwn ? 'MERCHANT' : 'PLATFORM' });
}

/** What somebody asked for who has left since is not done in their name: they may hold the token's text. */
async function mayStillAsk(tx: Tx, { merchantId, wanted, askedBy, confirmedBy }: Approval): Promise<boolean> {
  const { personId } = confirmedBy ?? askedBy;
  const memberships = personId === null ? [] : await listMemberships(tx, personId);
  const isPlatform = confirmedBy !== null || PLATFORM_KINDS.includes(wanted.kind);
  const needed = isPlatform ? 'approvals:decide' : permissionToAsk(wanted.kind, merchantId);
  return memberships.some(
    (one) => one.merchantId === (isPlatform ? null : merchantId) && permissionsOf(one.role).includes(needed),
  );
}

const ACTS = {
  APPROVED: 'APPROVAL_GIVEN',
  REFUSED: 'APPROVAL_REFUSED',
  WITHDRAWN: 'APPROVAL_WITHDRAWN',
} as const satisfies Record<ApprovalDecision, AuditedAct>;

export async function decide(
  engine: Engine,
  tx: Tx,
  approval: Approval,
  { decider, type }: Pick<ApprovalAct, 'decider'> & { readonly type: ApprovalDecision },
): Promise<void> {
  await markApprovalDecided(tx, approval.approvalId, { type, by: decider, at: engine.clock.now() });
  await note(engine, tx, approval, { by: decider.by, act: ACTS[type] });
}

export async function confirmRequest(
  engine: Engine,
  tx: Tx,
  approval: Approval,
  decider: Decider,
): Promise<ApprovalAnswer> {
  await markApprovalConfirmed(tx, approval.approvalId, { by: decider, at: engine.clock.now() });
  await note(engine, tx, approval, { by: decider.by, act: 'APPROVAL_CONFIRMED' });
  return { type: 'CONFIRMED' };
}

async function note(
  engine: Engine,
  tx: Tx,
  { approvalId, merchantId, wanted, askedBy }: Approval,
  { by, act }: { readonly by: string; readonly act: AuditedAct },
): Promise<void> {
  const detail = { ...describeWanted(wanted), askedBy: askedBy.by };
  await record(engine, tx, [{ by, act, merchantId, subject: approvalId, detail }]);
}
