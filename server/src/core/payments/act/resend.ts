// Announces a final payment once more.
import { failureReason } from '../../../domain/failure.ts';
import { isFinal } from '../../../domain/payments/lifecycle.ts';
import { nameOf } from '../../../domain/payments/payment.ts';
import { repeatCallback } from '../../../store/callbacks/callback-repeats.ts';
import { keyOfTarget, type ActionAnswer, type ActionTarget } from './cancel.ts';
import type { Engine } from '../../engine.ts';
import { inMerchant } from '../../cells/lock-merchant.ts';
import { findPayment } from '../read/read.ts';
import { answerAttributes } from '../../tracer.ts';

/** Throws MerchantInOtherCell where the merchant is not, or no longer, in this cell. */
export async function resend(engine: Engine, target: ActionTarget): Promise<ActionAnswer> {
  const since = performance.now();
  const answer = await announceAgain(engine, target);
  const attributes = answerAttributes(answer);
  engine.tracer.record({ key: keyOfTarget(target), name: 'resend', since, attributes });
  return answer;
}

async function announceAgain(engine: Engine, target: ActionTarget): Promise<ActionAnswer> {
  const payment = await findPayment(engine, target);
  const names = { kind: nameOf(target.kind), id: target.writtenId };
  if (payment === null) return { type: 'REJECTED', reason: failureReason('NOT_FOUND', names) };
  if (!isFinal(payment.state)) {
    const cause = `is ${payment.state} and has not finished processing`;
    return { type: 'REJECTED', reason: failureReason('INVALID_STATE', { ...names, cause }) };
  }
  const { merchantId, kind, paymentId, paymentNo: subjectId, state } = payment;
  const announced = { merchantId, kind, paymentId, subjectId, announcedState: state };
  const isMade = await inMerchant(engine.store.database, merchantId, async (tx, { note }) => {
    await note([payment]);
    return repeatCallback(tx, { ...announced, createdAt: await engine.clock.timeOf(tx) });
  });
  if (!isMade) {
    const cause = 'cannot be announced: no callback address is configured for it';
    return { type: 'REJECTED', reason: failureReason('INVALID_STATE', { ...names, cause }) };
  }
  engine.wake();
  return { type: 'ACCEPTED' };
}
