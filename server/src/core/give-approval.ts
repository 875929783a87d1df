// What a second person does with what another asked for: agrees, which does it in the same transaction and exactly
// once, or refuses. Whoever asked can only take it back.
import { isSamePerson } from '../domain/cases.ts';
import { permissionToAsk } from '../domain/approval.ts';
import { permissionsOf } from '../domain/roles.ts';
import type { AuditedAct } from '../store/audit.ts';
import {
  findApproval,
  listDecidedApprovals,
  listOpenApprovals,
  lockApproval,
  markApprovalDecided,
  type Approval,
  type ApprovalDecision,
  type Decider,
  type WhoseApprovals,
} from '../store/approvals.ts';
import type { Tx } from '../store/database.ts';
import { listMemberships } from '../store/people.ts';
import { keepToken } from './administer.ts';
import { keepPublicKey, setSignatures } from './administer-keys.ts';
import { describeWanted } from './ask-approval.ts';
import { record } from './audit.ts';
import type { Engine } from './engine.ts';
import { inTeam, keepInvitation, setRole } from './team.ts';

export type ApprovalAct = {
  readonly decider: Decider;
  readonly approvalId: string;
  /** Where the decider looked for it: everywhere, at a merchant, or at the host where that is null. */
  readonly whose: WhoseApprovals;
};

export type ApprovalAnswer =
  | { readonly type: 'DONE'; readonly invited: Invited | null }
  | { readonly type: 'NOT_FOUND' }
  | { readonly type: 'DECIDED_BEFORE'; readonly decision: ApprovalDecision }
  /** Whoever asked cannot decide, and nobody else can take it back. */
  | { readonly type: 'SAME_PERSON' }
  | { readonly type: 'NOT_THEIRS' }
  /** Whoever asked was removed, or may no longer ask for this. */
  | { readonly type: 'ASKER_GONE' }
  /** It no longer fits what is: a name was taken meanwhile, somebody has left. */
  | { readonly type: 'OVERTAKEN' };

/** Somebody may join: the last part of their link, to be handed on. */
export type Invited = {
  readonly token: string;
  readonly email: string;
  readonly merchantId: string | null;
};

export async function giveApproval(engine: Engine, act: ApprovalAct): Promise<ApprovalAnswer> {
  return withApproval(engine, act, async (tx, approval) => {
    if (isAsker(act.decider, approval)) return { type: 'SAME_PERSON' };
    if (!(await mayStillAsk(tx, approval))) return { type: 'ASKER_GONE' };
    const done = await carryOut(engine, tx, approval, act.decider.by);
    if (done.type === 'DONE') await decide(engine, tx, approval, { ...act, type: 'APPROVED' });
    return done;
  });
}

export async function refuseApproval(engine: Engine, act: ApprovalAct): Promise<ApprovalAnswer> {
  return withApproval(engine, act, async (tx, approval) => {
    if (isAsker(act.decider, approval)) return { type: 'SAME_PERSON' };
    await decide(engine, tx, approval, { ...act, type: 'REFUSED' });
    return DONE;
  });
}

export async function withdrawApproval(engine: Engine, act: ApprovalAct): Promise<ApprovalAnswer> {
  return withApproval(engine, act, async (tx, approval) => {
    if (!isAsker(act.decider, approval)) return { type: 'NOT_THEIRS' };
    await decide(engine, tx, approval, { ...act, type: 'WITHDRAWN' });
    return DONE;
  });
}

/** So many are shown; more wait only where something is wrong. */
const SHOWN_MAX = 200;

export async function readApprovals(
  engine: Engine,
  { whose, isOpen }: { readonly whose: WhoseApprovals; readonly isOpen: boolean },
): Promise<readonly Approval[]> {
  const list = isOpen ? listOpenApprovals : listDecidedApprovals;
  return list(engine.store.database, { whose, countMax: SHOWN_MAX });
}

const DONE = { type: 'DONE', invited: null } as const;

/** The name counts too: whoever comes by a command is known by nothing else. */
function isAsker({ personId, by }: Decider, { askedBy }: Approval): boolean {
  return personId === askedBy.personId || isSamePerson(by, askedBy.by);
}

/** What somebody asked for who has left since is not done in their name: they may hold the token's text. */
async function mayStillAsk(tx: Tx, { merchantId, wanted, askedBy }: Approval): Promise<boolean> {
  const memberships = await listMemberships(tx, askedBy.personId);
  const needed = permissionToAsk(wanted.kind, merchantId);
  return memberships.some((one) => one.merchantId === merchantId && permissionsOf(one.role).includes(needed));
}

/** Does what was asked for, as it was asked for. */
async function carryOut(
  engine: Engine,
  tx: Tx,
  { merchantId, wanted, askedBy }: Approval,
  by: string,
): Promise<ApprovalAnswer> {
  if (wanted.kind === 'INVITATION') {
    const { email, role } = wanted;
    const token = await keepInvitation(engine, tx, { by, merchantId, email, role, invitedBy: askedBy.by });
    return { type: 'DONE', invited: { token, email, merchantId } };
  }
  if (wanted.kind === 'ROLE') {
    const { personId, role } = wanted;
    const answer = await setRole(engine, tx, { by, merchantId, personId, role });
    return answer === 'DONE' ? DONE : { type: 'OVERTAKEN' };
  }
  if (merchantId === null) throw new Error(`${wanted.kind} is asked for at a merchant`);
  switch (wanted.kind) {
    case 'TOKEN': {
      const expiresAt = wanted.expiresAt === null ? null : new Date(wanted.expiresAt);
      const secretHash = Buffer.from(wanted.secretHash, 'hex');
      await keepToken(engine, tx, { ...wanted, by, merchantId, expiresAt, secretHash });
      return DONE;
    }
    case 'PUBLIC_KEY':
      return (await keepPublicKey(engine, tx, { ...wanted, by, merchantId })) ? DONE : { type: 'OVERTAKEN' };
    case 'UNSIGNED_REQUESTS':
      await setSignatures(engine, tx, { by, merchantId, isRequired: false });
      return DONE;
  }
}

const ACTS = {
  APPROVED: 'APPROVAL_GIVEN',
  REFUSED: 'APPROVAL_REFUSED',
  WITHDRAWN: 'APPROVAL_WITHDRAWN',
} as const satisfies Record<ApprovalDecision, AuditedAct>;

async function decide(
  engine: Engine,
  tx: Tx,
  { approvalId, merchantId, wanted, askedBy }: Approval,
  { decider, type }: Pick<ApprovalAct, 'decider'> & { readonly type: ApprovalDecision },
): Promise<void> {
  await markApprovalDecided(tx, approvalId, { type, by: decider, at: engine.clock.now() });
  const detail = { ...describeWanted(wanted), askedBy: askedBy.by };
  await record(engine, tx, [{ by: decider.by, act: ACTS[type], merchantId, subject: approvalId, detail }]);
}

/** Runs `work` with the approval locked, and only while it waits. Another merchant's does not exist. */
async function withApproval(
  engine: Engine,
  { approvalId, whose }: ApprovalAct,
  work: (tx: Tx, approval: Approval) => Promise<ApprovalAnswer>,
): Promise<ApprovalAnswer> {
  const seen = await findApproval(engine.store.database, approvalId);
  if (seen === null || (whose !== 'ALL' && whose.merchantId !== seen.merchantId)) {
    return { type: 'NOT_FOUND' };
  }
  return inTeam(engine, seen.merchantId, async (tx) => {
    const approval = await lockApproval(tx, approvalId);
    if (approval === null) return { type: 'NOT_FOUND' };
    if (approval.decision !== null) return { type: 'DECIDED_BEFORE', decision: approval.decision.type };
    return work(tx, approval);
  });
}
