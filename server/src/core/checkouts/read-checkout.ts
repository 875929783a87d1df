// A checkout as its merchant and its payer may see it: what it was made for, and every attempt.
import { canonicalIdentifier } from '../../domain/identifier.ts';
import { lockOrder, type Payment } from '../../domain/payments/payment.ts';
import {
  findCheckout,
  listAttempts,
  openCheckoutOrder,
  type Checkout,
  type CheckoutOrder,
  type SealedCheckout,
} from '../../store/checkouts/checkouts.ts';
import { listPayments } from '../../store/payments/payments.ts';
import { loadDataKeys } from '../../store/encryption/data-keys.ts';
import type { Engine } from '../engine.ts';

export type CheckoutView = {
  readonly checkout: Checkout;
  readonly order: CheckoutOrder;
  /** In their order. */
  readonly attempts: readonly Payment[];
};

export async function readCheckout(
  engine: Engine,
  query: { readonly merchantId: string; readonly writtenId: string },
): Promise<CheckoutView | null> {
  const checkoutId = canonicalIdentifier(query.writtenId);
  const checkout = await findCheckout(engine.store.database, { ...query, checkoutId });
  return checkout === null ? null : viewCheckout(engine, checkout);
}

export async function viewCheckout(engine: Engine, sealed: SealedCheckout): Promise<CheckoutView> {
  const { database, keyring } = engine.store;
  await loadDataKeys(engine.store, [sealed.merchantId]);
  const keys = await listAttempts(database, [sealed]);
  const payments = new Map(
    (await listPayments(database, keyring, keys)).map((payment) => [lockOrder(payment), payment]),
  );
  const { sealedOrder: _sealedOrder, ...checkout } = sealed;
  return {
    checkout,
    order: openCheckoutOrder(keyring, sealed),
    attempts: keys.flatMap((key) => payments.get(lockOrder(key)) ?? []),
  };
}
