// Cancels a payment that waits for its provider. It stays cancellable until its submit claims it: exactly one wins,
// and the cancellation is committed before it is answered.
import { failureReason, type FailureReason } from '../../../domain/failure.ts';
import { canonicalIdentifier } from '../../../domain/identifier.ts';
import { nameOf, type PaymentKey, type PaymentKind } from '../../../domain/payments/payment.ts';
import { advance } from '../process/advance.ts';
import type { Engine } from '../../engine.ts';
import { MerchantInOtherCell } from '../../cells/lock-merchant.ts';
import { answerAttributes } from '../../tracer.ts';

export type ActionAnswer =
  | { readonly type: 'ACCEPTED' }
  | { readonly type: 'REJECTED'; readonly reason: FailureReason };

export type ActionTarget = {
  readonly merchantId: string;
  readonly kind: PaymentKind;
  /** As the merchant wrote it. */
  readonly writtenId: string;
};

/** Throws MerchantInOtherCell where the merchant is not, or no longer, in this cell. */
export async function cancel(engine: Engine, target: ActionTarget): Promise<ActionAnswer> {
  const since = performance.now();
  const key = keyOfTarget(target);
  const answer = await decide(engine, key, target);
  engine.tracer.record({ key, name: 'cancel', since, attributes: answerAttributes(answer) });
  return answer;
}

export function keyOfTarget({ merchantId, kind, writtenId }: ActionTarget): PaymentKey {
  return { merchantId, kind, paymentId: canonicalIdentifier(writtenId) };
}

async function decide(
  engine: Engine,
  key: PaymentKey,
  { kind, writtenId: id }: ActionTarget,
): Promise<ActionAnswer> {
  const [advanced] = await advance(engine, [{ key, event: { type: 'CANCELLED' } }]);
  if (advanced?.type === 'OTHER_CELL') throw new MerchantInOtherCell(key.merchantId);
  if (advanced === undefined || advanced.type === 'NOT_FOUND') {
    return { type: 'REJECTED', reason: failureReason('NOT_FOUND', { kind: nameOf(kind), id }) };
  }
  if (advanced.type === 'MOVE') return { type: 'ACCEPTED' };
  const { state } = advanced.payment;
  // Before the time that a restore has lost is cleared up.
  const mayBeSent = 'may have been sent already; wait until its operator has been asked';
  const cause = state === 'ENQUEUED' ? mayBeSent : `is ${state}; only an ENQUEUED one can be cancelled`;
  return { type: 'REJECTED', reason: failureReason('INVALID_STATE', { kind: nameOf(kind), id, cause }) };
}
