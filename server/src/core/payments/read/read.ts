// Reads payments for those who may see them.
import { canonicalIdentifier } from '../../../domain/identifier.ts';
import type { Payment, PaymentKind } from '../../../domain/payments/payment.ts';
import type { Engine } from '../../engine.ts';
import { requireStillHere } from '../../cells/cell-assignments.ts';

/**
 * A payment of this merchant, or null. Another merchant's payment is as unknown as one that does not exist. Throws
 * MerchantInOtherCell rather than call one unknown that has moved away.
 */
export async function findPayment(
  engine: Pick<Engine, 'cellAssignments' | 'store'>,
  query: { readonly merchantId: string; readonly kind: PaymentKind; readonly writtenId: string },
): Promise<Payment | null> {
  const { merchantId, kind, writtenId } = query;
  const key = { merchantId, kind, paymentId: canonicalIdentifier(writtenId) };
  const payment = await engine.store.reader.find(key);
  if (payment === null) await requireStillHere(engine.cellAssignments, merchantId);
  return payment;
}
