// What people do with a request: another person approves it, which does it in the same transaction and exactly once, or
// rejects it; the requester withdraws it.
import {
  isDecidedAt,
  isWithdrawnAt,
  rulesOf,
  type ApprovalDecision,
  type ApprovalKind,
  type WhoseApprovals,
} from '../../domain/approval.ts';
import {
  confirmApproval,
  decideApproval,
  findApproval,
  findPlatformApproval,
  listApprovalsOf,
  type ActingPerson,
  type Approval,
  type Decision,
} from '../../store/approvals/approvals.ts';
import type { AuditedAct } from '../../store/audit.ts';
import { loadDataKeys } from '../../store/encryption/data-keys.ts';
import { inTransaction, type Tx } from '../../store/database.ts';
import { record } from '../audit.ts';
import type { Engine, StorePart, TimedStore } from '../engine.ts';
import { endClaims, giveBackClaims } from '../cells/claim-reference.ts';
import { lockOneMerchant, type LockedMerchants } from '../cells/lock-merchant.ts';
import { executorOf, NotExecuted, type Invited } from './executor.ts';
import { findRefusal, isRequester, needsConfirmation, type ApprovalRefusal } from './refusals.ts';
import { describe } from './request.ts';

export type Deciding = {
  readonly decider: ActingPerson;
  readonly approvalId: string;
  /** Where the decider looked for it. Another merchant's does not exist. */
  readonly whose: WhoseApprovals;
};

/** `hash`: of what the approver was shown. */
type Approving = Deciding & { readonly hash: string };

export type ApprovalAnswer =
  | { readonly type: 'DONE'; readonly invited: Invited | null }
  /** A command requested it, and the first of two people approved. */
  | { readonly type: 'CONFIRMED' }
  | ApprovalRefusal;

export async function approve(engine: Engine, deciding: Approving): Promise<ApprovalAnswer> {
  return withRequest(engine, deciding, async (seen) => {
    refuse(await findRefusal(engine, engine.store.database, seen, deciding));
    return needsConfirmation(seen, deciding.decider)
      ? confirm(engine, seen, deciding)
      : execute(engine, seen, deciding);
  });
}

async function execute(engine: Engine, seen: Approval, deciding: Approving): Promise<ApprovalAnswer> {
  const { decider, hash } = deciding;
  const executor = executorOf(engine, seen);
  const approving = { engine, approval: seen, decider };
  await executor.before?.(approving);
  const mark = async (tx: Tx) => {
    refuse(await findRefusal(engine, tx, await reread(tx, seen), deciding));
    await decide(engine, tx, seen, { status: 'APPROVED', by: decider, hash, note: null });
  };
  const given = { by: decider.by, act: 'APPROVAL_GIVEN' } as const;
  const transact = async () =>
    executor.transact === undefined
      ? inPlace(engine, seen, async (tx, entered) => {
          await executor.lock?.({ ...approving, tx, entered });
          await mark(tx);
          const result = await executor.execute?.({ ...approving, tx });
          await note(engine, tx, seen, given);
          return result ?? null;
        })
      : executor.transact(approving, async (tx) => {
          await mark(tx);
          await note(engine, tx, seen, given);
        });
  const invited = await orGivenBack(engine, seen, transact);
  await executor.after?.(approving);
  return { type: 'DONE', invited: invited ?? null };
}

/**
 * What was claimed for the transaction is given back when the transaction itself refused: then it was rolled back.
 * After any other error it may have been committed.
 */
async function orGivenBack<Result>(
  engine: Engine,
  approval: Approval,
  transact: () => Promise<Result>,
): Promise<Result> {
  try {
    return await transact();
  } catch (error) {
    const isRolledBack = error instanceof NotExecuted || error instanceof Refused;
    if (isRolledBack && executorOf(engine, approval).claims === true)
      await giveBackClaims(engine, approval.approvalId);
    throw error;
  }
}

async function confirm(engine: Engine, seen: Approval, deciding: Approving): Promise<ApprovalAnswer> {
  const { decider, hash } = deciding;
  return inPlace(engine, seen, async (tx) => {
    const at = await engine.clock.timeOf(tx);
    const isPending = await confirmApproval(tx, seen, { by: decider, hash, at });
    if (!isPending) refuse(await findRefusal(engine, tx, await reread(tx, seen), deciding));
    if (!isPending) throw new Refused({ type: 'NOT_AS_SHOWN' });
    await note(engine, tx, seen, { by: decider.by, act: 'APPROVAL_CONFIRMED' });
    return { type: 'CONFIRMED' };
  });
}

export async function reject(
  engine: Engine,
  { reason = null, ...deciding }: Deciding & { readonly reason?: string | null | undefined },
): Promise<ApprovalAnswer> {
  const { decider } = deciding;
  return withRequest(engine, deciding, async (seen) => {
    if (isRequester(decider, seen)) return { type: 'SAME_PERSON' };
    if (rulesOf(seen).rejectionSaysWhy && reason === null) return { type: 'REASON_MISSING' };
    return end(engine, seen, { status: 'REJECTED', by: decider, reason });
  });
}

export async function withdraw(engine: Engine, deciding: Deciding): Promise<ApprovalAnswer> {
  const { decider } = deciding;
  return withRequest(
    engine,
    deciding,
    async (seen) =>
      isRequester(decider, seen)
        ? end(engine, seen, { status: 'WITHDRAWN', by: decider, reason: null })
        : { type: 'NOT_THEIRS' },
    isWithdrawnAt,
  );
}

type Ending = {
  readonly status: Exclude<ApprovalDecision, 'APPROVED'>;
  readonly by: ActingPerson;
  readonly reason: string | null;
};

async function end(engine: Engine, seen: Approval, ending: Ending): Promise<ApprovalAnswer> {
  const executor = executorOf(engine, seen);
  await inPlace(engine, seen, async (tx, entered) => {
    const ended = { engine, approval: seen, decider: ending.by, tx };
    await executor.lock?.({ ...ended, entered });
    await endRequest(engine, tx, seen, ending);
    await executor.end?.({ ...ended, status: ending.status });
  });
  // After the commit nothing can be done under what it has claimed.
  if (executor.claims === true) await endClaims(engine, seen.approvalId);
  return { type: 'DONE', invited: null };
}

/** Ends what is pending about a subject that a person changes another way. */
export async function endPending(
  engine: Engine,
  tx: Tx,
  of: {
    readonly kind: ApprovalKind;
    readonly merchantId: string | null;
    readonly subject: string;
    readonly by: ActingPerson;
  },
): Promise<void> {
  const { kind, merchantId, subject, by } = of;
  const pending =
    merchantId === null
      ? await findPlatformApproval(tx, { kind, subject })
      : (await listApprovalsOf(tx, { kind, merchantIds: [merchantId], subjects: [subject] })).get(subject);
  if (pending?.status !== 'PENDING') return;
  const status = isRequester(by, pending) ? 'WITHDRAWN' : 'REJECTED';
  await endRequest(engine, tx, pending, { status, by, reason: null });
}

/** The same of one request of the platform, by its identifier. */
export async function endPendingRequest(
  engine: Engine,
  tx: Tx,
  { approvalId, by }: { readonly approvalId: string; readonly by: ActingPerson },
): Promise<void> {
  const pending = await findApproval(tx, approvalId);
  if (pending?.status !== 'PENDING') return;
  const status = isRequester(by, pending) ? 'WITHDRAWN' : 'REJECTED';
  await endRequest(engine, tx, pending, { status, by, reason: null });
}

async function endRequest(engine: Engine, tx: Tx, approval: Approval, ending: Ending): Promise<void> {
  const { status, by, reason } = ending;
  const kept = approval.merchantId === null ? null : reason;
  await decide(engine, tx, approval, { status, by, hash: null, note: kept });
  await note(engine, tx, approval, {
    by: by.by,
    act: status === 'REJECTED' ? 'APPROVAL_REJECTED' : 'APPROVAL_WITHDRAWN',
    ...(kept !== null && { reason: kept }),
  });
}

/** Takes the transaction back. */
class Refused extends Error {
  readonly answer: ApprovalRefusal;

  constructor(answer: ApprovalRefusal) {
    super(answer.type);
    this.answer = answer;
  }
}

function refuse(refusal: ApprovalRefusal | null): void {
  if (refusal !== null) throw new Refused(refusal);
}

async function withRequest(
  engine: Engine,
  { approvalId, whose, decider }: Deciding,
  work: (seen: Approval) => Promise<ApprovalAnswer>,
  isThere = isDecidedAt,
): Promise<ApprovalAnswer> {
  const seen = await findApproval(engine.store.database, approvalId);
  if (seen === null || !isThere(seen, whose)) return { type: 'NOT_FOUND' };
  if (seen.status !== 'PENDING') return { type: 'DECIDED_BEFORE', status: seen.status };
  if (seen.merchantId !== null) await loadDataKeys(engine.store, [seen.merchantId]);
  try {
    return await work(seen);
  } catch (error) {
    if (error instanceof Refused) return error.answer;
    if (!(error instanceof NotExecuted)) throw error;
    const { because, message } = error;
    // Whoever withdraws a request of their own is nobody whom others wait for.
    if (!isRequester(decider, seen))
      await executorOf(engine, seen).notExecuted?.({ engine, approval: seen, decider }, because);
    return { type: 'NOT_EXECUTED', because, message };
  }
}

/** In one transaction: inside the merchant, or for the platform. */
async function inPlace<Result>(
  engine: StorePart,
  { merchantId }: Approval,
  work: (tx: Tx, entered: LockedMerchants | null) => Promise<Result>,
): Promise<Result> {
  return inTransaction(engine.store.database, async (tx) =>
    work(tx, merchantId === null ? null : await lockOneMerchant(tx, merchantId)),
  );
}

async function reread(tx: Tx, { approvalId }: Approval): Promise<Approval> {
  const approval = await findApproval(tx, approvalId);
  if (approval === null) throw new Refused({ type: 'NOT_FOUND' });
  return approval;
}

async function decide(
  engine: TimedStore,
  tx: Tx,
  approval: Approval,
  decision: Omit<Decision, 'at'>,
): Promise<void> {
  const { keyring } = engine.store;
  const at = await engine.clock.timeOf(tx);
  if (await decideApproval(tx, keyring, approval, { ...decision, at })) return;
  const { status } = await reread(tx, approval);
  throw new Refused(status === 'PENDING' ? { type: 'NOT_AS_SHOWN' } : { type: 'DECIDED_BEFORE', status });
}

async function note(
  engine: Engine,
  tx: Tx,
  approval: Approval,
  entry: { readonly by: string; readonly act: AuditedAct; readonly reason?: string },
): Promise<void> {
  const { merchantId, approvalId: subject, requestedBy } = approval;
  const detail = { ...describe(engine, approval), requestedBy: requestedBy.by };
  await record(engine, tx, [{ ...entry, merchantId, subject, detail }]);
}
