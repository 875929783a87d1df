// Reads payments for those who may see them.
import { canonicalIdentifier } from '../domain/identifier.ts';
import type { Payment, PaymentKind } from '../domain/payment.ts';
import type { Engine } from './engine.ts';

/** A payment of this merchant, or null. Another merchant's payment is as unknown as one that does not exist. */
export async function findPayment(
  engine: Engine,
  query: { readonly merchantId: string; readonly kind: PaymentKind; readonly writtenId: string },
): Promise<Payment | null> {
  const { merchantId, kind, writtenId } = query;
  return engine.store.reader.find({ merchantId, kind, paymentId: canonicalIdentifier(writtenId) });
}
