// Ends a payment that one person asked to end and another approves. The approval and the end are one transaction. The
// operator is asked again before: its clear answer counts more than two people's.
import { isFinal } from '../../../domain/payments/lifecycle.ts';
import { lockApproval, openApprovalReason, type Approval } from '../../../store/approvals/approvals.ts';
import { loadDataKeys } from '../../../store/encryption/data-keys.ts';
import type { Tx } from '../../../store/database.ts';
import { advance, type Advanced } from '../process/advance.ts';
import {
  decide,
  DONE,
  findRefusal,
  type ApprovalAct,
  type ApprovalAnswer,
} from '../../approvals/decide-approval.ts';
import { askOperatorAgain } from './end-payment.ts';
import type { Engine } from '../../engine.ts';
import { MerchantElsewhere } from '../../cells/lock-merchant.ts';

/** Takes the transaction back. */
class Refused extends Error {
  readonly answer: ApprovalAnswer;

  constructor(answer: ApprovalAnswer) {
    super(answer.type);
    this.answer = answer;
  }
}

export async function approveEnd(engine: Engine, seen: Approval, act: ApprovalAct): Promise<ApprovalAnswer> {
  const { merchantId, wanted } = seen;
  if (wanted.kind !== 'PAYMENT_END' || merchantId === null) throw new Error('not a request to end a payment');
  const refusal = await findRefusal(engine.store.database, seen, act.decider);
  if (refusal !== null) return refusal;
  const key = { merchantId, kind: wanted.paymentKind, paymentId: wanted.paymentId };
  const state = await askOperatorAgain(engine, key);
  if (state !== null && isFinal(state)) return { type: 'OVERTAKEN' };
  await loadDataKeys(engine.store, [merchantId]);
  const reason = openApprovalReason(engine.store.keyring, seen) ?? '';
  const evidence = `${seen.askedBy.by}, approved by ${act.decider.by}: ${reason}`;
  const end = {
    key,
    event: { type: 'ENDED_BY_HAND', outcome: wanted.outcome },
    evidence,
    byHand: { by: act.decider.by, reason },
  } as const;
  try {
    await advance(engine, [end], (tx, [answer]) => approveWithin(engine, tx, answer, act));
    return DONE;
  } catch (error) {
    if (error instanceof Refused) return error.answer;
    throw error;
  }
}

/** After the payment has moved, within its transaction. */
async function approveWithin(
  engine: Engine,
  tx: Tx,
  answer: Advanced | undefined,
  act: ApprovalAct,
): Promise<void> {
  const approval = await lockApproval(tx, act.approvalId);
  if (approval === null) throw new Refused({ type: 'NOT_FOUND' });
  const refusal = await findRefusal(tx, approval, act.decider);
  if (refusal !== null) throw new Refused(refusal);
  if (answer?.type === 'ELSEWHERE') throw new MerchantElsewhere(approval.merchantId ?? '');
  if (answer?.type !== 'MOVE') throw new Refused({ type: 'OVERTAKEN' });
  await decide(engine, tx, approval, { ...act, type: 'APPROVED' });
}
