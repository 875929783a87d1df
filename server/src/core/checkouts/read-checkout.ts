// A checkout as its merchant and its payer may see it: what it was made for, and every attempt.
import { canonicalIdentifier } from '../../domain/identifier.ts';
import { paymentKeyText, type Payment } from '../../domain/payments/payment.ts';
import {
  findCheckout,
  listAttempts,
  openCheckoutOrder,
  type Checkout,
  type CheckoutOrder,
  type EncryptedCheckout,
} from '../../store/checkouts/checkouts.ts';
import { listPayments } from '../../store/payments/payments.ts';
import { loadDataKeys } from '../../store/encryption/data-keys.ts';
import type { StorePart } from '../engine.ts';

export type CheckoutView = {
  readonly checkout: Checkout;
  readonly order: CheckoutOrder;
  /** In their order. */
  readonly attempts: readonly Payment[];
};

export async function readCheckout(
  engine: StorePart,
  query: { readonly merchantId: string; readonly writtenId: string },
): Promise<CheckoutView | null> {
  const checkoutId = canonicalIdentifier(query.writtenId);
  const checkout = await findCheckout(engine.store.database, { ...query, checkoutId });
  return checkout === null ? null : viewCheckout(engine, checkout);
}

export async function viewCheckout(engine: StorePart, encrypted: EncryptedCheckout): Promise<CheckoutView> {
  const { database, keyring } = engine.store;
  await loadDataKeys(engine.store, [encrypted.merchantId]);
  const keys = await listAttempts(database, [encrypted]);
  const payments = new Map(
    (await listPayments(database, keyring, keys)).map((payment) => [paymentKeyText(payment), payment]),
  );
  const { encryptedOrder: _encryptedOrder, ...checkout } = encrypted;
  return {
    checkout,
    order: openCheckoutOrder(keyring, encrypted),
    attempts: keys.flatMap((key) => payments.get(paymentKeyText(key)) ?? []),
  };
}
