// What a merchant's people do with a payment manually. What they ask for is recorded before it is tried: there is
// no act without an entry, and the payment itself tells what came of it.
import { failureReason } from '../../../domain/failure.ts';
import { renderAmount, type Amount } from '../../../domain/money.ts';
import { nameOf, type PaymentKey } from '../../../domain/payments/payment.ts';
import type { AuditedAct } from '../../../store/audit.ts';
import { drawPaymentNo } from '../../../store/timed-uuid.ts';
import { record, type Actor } from '../../audit.ts';
import { cancel, type ActionAnswer } from './cancel.ts';
import type { Engine, TimedStore } from '../../engine.ts';
import { inMerchant, MerchantInOtherCell } from '../../cells/lock-merchant.ts';
import { initiate, type InitiationAnswer } from '../accept/initiate.ts';
import { findPayment } from '../read/read.ts';
import { resend } from './resend.ts';

export type ActOnPayment = PaymentKey & Actor;

/** Cancels a payment that waits for its provider. */
export async function cancelManually(engine: Engine, order: ActOnPayment): Promise<ActionAnswer> {
  await writeDown(engine, order, 'CANCELLATION_ASKED', {});
  return cancel(engine, { ...order, writtenId: order.paymentId });
}

/** Announces the end of a payment once more. */
export async function resendManually(engine: Engine, order: ActOnPayment): Promise<ActionAnswer> {
  await writeDown(engine, order, 'CALLBACK_ASKED_AGAIN', {});
  return resend(engine, { ...order, writtenId: order.paymentId });
}

export type ManualRefund = Actor & {
  readonly merchantId: string;
  readonly depositId: string;
  /** Chosen by anyone who asks, so that pressing twice gives back once. */
  readonly refundId: string;
  /** Null for all that remains. */
  readonly amount: Amount | null;
};

/** Throws MerchantInOtherCell where the merchant is not, or no longer, in this cell. */
export async function refundManually(engine: Engine, order: ManualRefund): Promise<InitiationAnswer> {
  const { by, merchantId, depositId, refundId, amount } = order;
  const merchant = await engine.directory.merchant(merchantId);
  if (merchant === null) throw new MerchantInOtherCell(merchantId);
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
      paymentNo: drawPaymentNo(),
      merchant,
      // The merchant is told in the words in which it began.
      apiVersion: deposit.apiVersion,
      writtenId: refundId,
      kind: 'REFUND',
      depositId,
      ...(amount === null ? {} : { amount, amountText: renderAmount(amount) }),
      details: {},
    },
  ]);
  if (answer === undefined) return { type: 'UNKNOWN' };
  if (answer.type === 'OTHER_CELL') throw new MerchantInOtherCell(merchantId);
  return answer;
}

async function writeDown(
  engine: TimedStore,
  { by, merchantId, kind, paymentId }: ActOnPayment,
  act: AuditedAct,
  detail: Readonly<Record<string, unknown>>,
): Promise<void> {
  await inMerchant(engine.store.database, merchantId, (tx) =>
    record(engine, tx, [{ by, act, merchantId, subject: paymentId, detail: { kind, ...detail } }]),
  );
}
