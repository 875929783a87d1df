// Money between bank and operators, and what operators charge: posted once for each reference of the operator, and in
// production only after a second approver approved it.
import { randomUUID } from 'node:crypto';
import type { ApprovalRequests } from '../../domain/approval.ts';
import { floatMovementLegs, type FloatMovement } from '../../domain/ledger/float-movement.ts';
import type { Referenced } from '../../domain/ledger/money-reference.ts';
import { parseSigned, renderAmount } from '../../domain/money.ts';
import { inTransaction, type Tx } from '../../store/database.ts';
import { ensureAccounts, post } from '../../store/ledger/ledger.ts';
import { PLATFORM } from '../../store/encryption/encryption.ts';
import { refuseColumnsSetter } from '../approvals/columns-setter.ts';
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
  findUsesElsewhere,
  lockPosting,
  notExecuted,
  usePosted,
  type ReferenceRefusal,
} from './money-references.ts';

type Posted = { readonly type: 'DONE' } | ReferenceRefusal;
export type FloatAnswer = Posted | { readonly type: 'REQUESTED' };

type FloatOrder = Ordered & {
  readonly mappingBy?: readonly string[] | undefined;
  /** The report that says so; left out for a movement that a person enters. */
  readonly reportId?: string | undefined;
};

/** A movement, and the line of the report that says so; without one it was entered by a person. */
export type OrderedMovement = { readonly movement: FloatMovement; readonly lineHash?: Buffer | undefined };

export async function orderFloat(
  engine: Engine,
  order: FloatOrder & { readonly movement: FloatMovement },
): Promise<FloatAnswer> {
  const [answer] = await orderFloats(engine, order, [order]);
  if (answer === undefined) throw new Error('a movement that is ordered has an answer');
  return answer;
}

/** The same for movements of one provider: other cells are asked about all of them at once. Answers in their order. */
export async function orderFloats(
  engine: Engine,
  order: FloatOrder,
  movements: readonly OrderedMovement[],
): Promise<readonly FloatAnswer[]> {
  const wanted = movements.map((one) => ({ ...one, referenced: referencedBy(one.movement) }));
  const elsewhere = isNeeded(order)
    ? await findUsesElsewhere(
        engine,
        wanted.map(({ referenced }) => referenced),
      )
    : new Map<Referenced, ReferenceRefusal>();
  const answers: FloatAnswer[] = [];
  for (const one of wanted) {
    const refusal = elsewhere.get(one.referenced) ?? null;
    answers.push(refusal ?? (await orderHere(engine, order, one)));
  }
  return answers;
}

async function orderHere(
  engine: Engine,
  order: FloatOrder,
  { movement, lineHash, referenced }: OrderedMovement & { readonly referenced: Referenced },
): Promise<FloatAnswer> {
  const { actor, mappingBy, reportId } = order;
  const posting = { movement, lineHash, by: actor.by, transferId: randomUUID() };
  const refusal = isNeeded(order) ? null : await claimUse(engine, referenced, posting.transferId);
  if (refusal !== null) return refusal;
  if (!isNeeded(order)) {
    const posted = await inTransaction(engine.store.database, (tx) => postFloat(engine, tx, posting));
    if (posted.type !== 'DONE') await giveBackClaims(engine, posting.transferId);
    return posted;
  }
  return inTransaction(engine.store.database, async (tx) => {
    const use = await findUse(tx, referenced);
    if (use?.type === 'REFERENCE_REQUESTED') return { type: 'REQUESTED' };
    if (use !== null) return use;
    const { type, provider, country, currency, amount, reference } = movement;
    const place = { provider, country, currency };
    const columns = {
      ...(mappingBy !== undefined && { mappingBy }),
      ...(reportId !== undefined && { reportId }),
      ...(lineHash !== undefined && { lineHash: lineHash.toString('hex') }),
    };
    const request = { type, ...place, amount: renderAmount(amount), reference, ...columns };
    const wanted = { actor, merchantId: null, kind: 'FLOAT', subject: provider, request } as const;
    await requestApproval(engine, tx, wanted);
    return { type: 'REQUESTED' };
  });
}

export const floatExecutor: Executor<'FLOAT'> = {
  claims: true,
  show: (request) => {
    const { reportId: _report, lineHash: _line, mappingBy, ...shown } = request;
    return { ...shown, ...(mappingBy !== undefined && { mappingBy: mappingBy.join(', ') }) };
  },
  before: async ({ engine, approval: { approvalId, request } }) =>
    claimForApproval(engine, referencedBy(movementOf(request)), approvalId),
  execute: async ({ engine, tx, approval: { approvalId, request }, decider }) => {
    await refuseColumnsSetter(tx, decider, request);
    const movement = movementOf(request);
    const lineHash = request.lineHash === undefined ? undefined : Buffer.from(request.lineHash, 'hex');
    const posting = { movement, lineHash, by: decider.by, transferId: approvalId };
    const posted = await postFloat(engine, tx, posting);
    if (posted.type !== 'DONE') throw notExecuted(posted);
  },
};

function movementOf(request: ApprovalRequests['FLOAT']): FloatMovement {
  return { ...request, amount: parseSigned(request.amount) };
}

async function postFloat(
  engine: TimedStore,
  tx: Tx,
  posting: OrderedMovement & { readonly by: string; readonly transferId: string },
): Promise<Posted> {
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
