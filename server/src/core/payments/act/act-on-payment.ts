// What a merchant's people do with a payment by hand. What they ask for is written down before it is tried: there is no
// act without an entry, and the payment itself tells what came of it.
import { randomUUID } from 'node:crypto';
import { failureReason } from '../../../domain/failure.ts';
import { renderAmount, type Amount } from '../../../domain/money.ts';
import { nameOf, type PaymentKey } from '../../../domain/payments/payment.ts';
import type { AuditedAct } from '../../../store/audit.ts';
import { record, type ByHand } from '../../audit.ts';
import { cancel, type ActionAnswer } from './cancel.ts';
import type { Engine } from '../../engine.ts';
import { inMerchant, MerchantElsewhere } from '../../cells/lock-merchant.ts';
import { initiate, type InitiationAnswer } from '../accept/initiate.ts';
import { findPayment } from '../read/read.ts';
import { resend } from './resend.ts';

export type ActOnPayment = PaymentKey & ByHand;

/** Cancels a payment that waits for its provider. */
export async function cancelByHand(engine: Engine, order: ActOnPayment): Promise<ActionAnswer> {
  await writeDown(engine, order, 'CANCELLATION_ASKED', {});
  return cancel(engine, { ...order, writtenId: order.paymentId });
}

/** Announces the end of a payment once more. */
export async function resendByHand(engine: Engine, order: ActOnPayment): Promise<ActionAnswer> {
  await writeDown(engine, order, 'CALLBACK_ASKED_AGAIN', {});
  return resend(engine, { ...order, writtenId: order.paymentId });
}

export type RefundByHand = ByHand & {
  readonly merchantId: string;
  readonly depositId: string;
  /** Chosen by whoever asks, so that pressing twice gives back once. */
  readonly refundId: string;
  /** Null for all that remains. */
  readonly amount: Amount | null;
};

/** Throws MerchantElsewhere where the merchant is not, or no longer, in this cell. */
export async function refundByHand(engine: Engine, order: RefundByHand): Promise<InitiationAnswer> {
  const { by, merchantId, depositId, refundId, amount } = order;
  const merchant = await engine.directory.merchant(merchantId);
  if (merchant === null) throw new MerchantElsewhere(merchantId);
  const key = { by, merchantId, kind: 'DEPOSIT', paymentId: depositId } as const;
  const deposit = await findPayment(engine, { ...key, writtenId: depositId });
  if (deposit === null) {
    return {
      type: 'REJECTED',
      reason: failureReason('NOT_FOUND', { kind: nameOf('DEPOSIT'), id: depositId }),
    };
  }
  const detail = { refundId, amount: amount === null ? 'all' : renderAmount(amount) };
  await writeDown(engine, key, 'REFUND_ASKED', detail);
  const [answer] = await initiate(engine, [
    {
      requestId: randomUUID(),
      merchant,
      // The merchant is told in the words in which it began.
      generation: deposit.generation,
      writtenId: refundId,
      kind: 'REFUND',
      depositId,
      ...(amount === null ? {} : { amount, amountText: renderAmount(amount) }),
      details: {},
    },
  ]);
  if (answer === undefined) return { type: 'UNKNOWN' };
  if (answer.type === 'ELSEWHERE') throw new MerchantElsewhere(merchantId);
  return answer;
}

async function writeDown(
  engine: Engine,
  { by, merchantId, kind, paymentId }: ActOnPayment,
  act: AuditedAct,
  detail: Readonly<Record<string, unknown>>,
): Promise<void> {
  await inMerchant(engine.store.database, merchantId, (tx) =>
    record(engine, tx, [{ by, act, merchantId, subject: paymentId, detail: { kind, ...detail } }]),
  );
}
