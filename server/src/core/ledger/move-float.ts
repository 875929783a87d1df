// Money between bank and operators, and what operators charge: posted once for each reference of the operator, and in
// production only after a second approver approved it. What a person enters is a request of its own; what a report says
// is approved with the report.
import { randomUUID } from 'node:crypto';
import type { ApprovalRequests } from '../../domain/approval.ts';
import { floatMovementLegs, type FloatMovement } from '../../domain/ledger/float-movement.ts';
import type { Referenced } from '../../domain/ledger/money-reference.ts';
import { parseSigned, renderAmount } from '../../domain/money.ts';
import { inTransaction, type Tx } from '../../store/database.ts';
import { derivedUuid } from '../../store/derived-uuid.ts';
import { ensureAccounts, post } from '../../store/ledger/ledger.ts';
import { PLATFORM } from '../../store/encryption/encryption.ts';
import type { Executor } from '../approvals/executor.ts';
import { isNeeded, requestApproval, type Ordered } from '../approvals/request.ts';
import { record } from '../audit.ts';
import { endClaims, giveBackClaims } from '../cells/claim-reference.ts';
import type { Engine, TimedStore } from '../engine.ts';
import { markFloatPostedBack } from '../../store/reconciliation/voided-effects.ts';
import { inTimedTransaction } from '../timed-transaction.ts';
import {
  claimForApproval,
  claimUse,
  findUse,
  findUseElsewhere,
  findUses,
  lockPosting,
  notExecuted,
  usePosted,
  type ReferenceRefusal,
} from './money-references.ts';

type Posted = { readonly type: 'DONE' } | ReferenceRefusal;
export type FloatAnswer = Posted | { readonly type: 'REQUESTED' };

/** A movement, and the line of the report that says so. */
export type ReportedMovement = { readonly movement: FloatMovement; readonly lineHash: Buffer };

/** Requests a movement that a person enters, or posts it where nobody has to approve. */
export async function orderFloat(
  engine: Engine,
  order: Ordered & { readonly movement: FloatMovement },
): Promise<FloatAnswer> {
  const { actor, movement } = order;
  const referenced = referencedBy(movement);
  if (!isNeeded(order)) return postClaimed(engine, { movement, by: actor.by, transferId: randomUUID() });
  const elsewhere = await findUseElsewhere(engine, referenced);
  if (elsewhere !== null) return elsewhere;
  return inTransaction(engine.store.database, async (tx) => {
    const use = await findUse(tx, referenced);
    if (use?.type === 'REFERENCE_REQUESTED') return { type: 'REQUESTED' };
    if (use !== null) return use;
    const { type, provider, country, currency, amount, reference } = movement;
    const request = { type, provider, country, currency, amount: renderAmount(amount), reference };
    const wanted = { actor, merchantId: null, kind: 'FLOAT', subject: provider, request } as const;
    await requestApproval(engine, tx, wanted);
    return { type: 'REQUESTED' };
  });
}

/** What was posted or requested before under the references of movements of one provider: only those that are used. */
export async function findMovementUses(
  engine: Engine,
  movements: readonly FloatMovement[],
): Promise<ReadonlyMap<FloatMovement, ReferenceRefusal>> {
  const wanted = new Map(movements.map((movement) => [referencedBy(movement), movement]));
  const uses = await findUses(engine, [...wanted.keys()]);
  return new Map(
    [...uses].flatMap(([referenced, use]) => {
      const movement = wanted.get(referenced);
      return movement === undefined ? [] : [[movement, use] as const];
    }),
  );
}

/** Posts a movement that a report says, and that people have approved with the report where they must. */
export async function postReported(
  engine: Engine,
  { movement, lineHash, by }: ReportedMovement & { readonly by: string },
): Promise<Posted> {
  // The same line claims and posts under the same name when it is tried again.
  const transferId = derivedUuid(['movement', movement.provider, lineHash.toString('hex')].join('/'));
  return postClaimed(engine, { movement, lineHash, by, transferId });
}

async function postClaimed(engine: Engine, posting: FloatPosting): Promise<Posted> {
  const refusal = await claimUse(engine, referencedBy(posting.movement), posting.transferId);
  if (refusal !== null) return refusal;
  const posted = await inTransaction(engine.store.database, (tx) => postFloat(engine, tx, posting));
  if (posted.type !== 'DONE') await giveBackClaims(engine, posting.transferId);
  return posted;
}

export const floatExecutor: Executor<'FLOAT'> = {
  claims: true,
  show: (request) => request,
  before: async ({ engine, approval: { approvalId, request } }) =>
    claimForApproval(engine, referencedBy(movementOf(request)), approvalId),
  execute: async ({ engine, tx, approval: { approvalId, request }, decider }) => {
    const posting = { movement: movementOf(request), by: decider.by, transferId: approvalId };
    const posted = await postFloat(engine, tx, posting);
    if (posted.type !== 'DONE') throw notExecuted(posted);
  },
};

function movementOf(request: ApprovalRequests['FLOAT']): FloatMovement {
  return { ...request, amount: parseSigned(request.amount) };
}

type FloatPosting = {
  readonly movement: FloatMovement;
  readonly by: string;
  readonly transferId: string;
  /** Of a report; left out for a movement that a person entered. */
  readonly lineHash?: Buffer;
};

async function postFloat(engine: TimedStore, tx: Tx, posting: FloatPosting): Promise<Posted> {
  const { movement, lineHash, by, transferId } = posting;
  const legs = floatMovementLegs(movement);
  await lockPosting(tx, referencedBy(movement));
  await ensureAccounts(
    tx,
    legs.flatMap(({ debit, credit }) => [debit, credit]),
  );
  const now = await engine.clock.timeOf(tx);
  const use = await usePosted(tx, {
    ...referencedBy(movement),
    transferId,
    postedAt: now,
    ...(lineHash !== undefined && { lineHash }),
  });
  if (use !== null) return use;
  const { type, provider, currency, amount, reference } = movement;
  const subject = { merchantId: PLATFORM, kind: type, id: transferId };
  await post(tx, [{ subject, template: type, firstLegNo: 0, legs }], now);
  const detail = { type, currency, amount: renderAmount(amount), reference, transferId };
  await record(engine, tx, [{ by, act: 'FLOAT_MOVED', merchantId: null, subject: provider, detail }]);
  return { type: 'DONE' };
}

/**
 * Posts back a movement that only voided files say, and frees its reference in all cells. Where that was done before,
 * nothing happens but that a claim is given back which a crash has left.
 */
export async function postBackFloat(
  engine: Engine,
  { posted, by }: { readonly posted: FloatMovement & { readonly transferId: string }; readonly by: string },
): Promise<void> {
  const { transferId, ...movement } = posted;
  const { type, provider, currency, amount, reference } = movement;
  await inTimedTransaction(engine, async (tx, now) => {
    if (!(await markFloatPostedBack(tx, transferId, now))) return;
    const legs = floatMovementLegs(movement).map((leg) => ({ ...leg, debit: leg.credit, credit: leg.debit }));
    const subject = { merchantId: PLATFORM, kind: type, id: transferId };
    await post(tx, [{ subject, template: 'FLOAT_POSTED_BACK', firstLegNo: 10, legs }], now);
    const detail = { type, currency, amount: renderAmount(-amount), reference, transferId };
    await record(engine, tx, [{ by, act: 'FLOAT_MOVED', merchantId: null, subject: provider, detail }]);
  });
  await endClaims(engine, transferId);
}

function referencedBy(movement: FloatMovement): Referenced {
  const { type, provider, country, currency, amount, reference } = movement;
  return { source: provider, reference, merchantId: PLATFORM, type, country, currency, provider, amount };
}
