// Payments read one by one: those that are asked for while a statement runs are the next statement.
import { paymentKeyText, type PaymentKey } from '../../domain/payments/payment.ts';
import { createBatcher } from '../batch.ts';
import type { Database } from '../database.ts';
import { loadDataKeys } from '../encryption/data-keys.ts';
import { listPayments, type StoredPayment } from './payments.ts';
import type { Keyring } from '../encryption/encryption.ts';

export type PaymentReader = {
  /** The payment as it is after the moment of asking, or null. */
  readonly find: (key: PaymentKey) => Promise<StoredPayment | null>;
};

export function createPaymentReader(database: Database, keyring: Keyring): PaymentReader {
  const find = createBatcher(async (keys: readonly PaymentKey[]) => {
    await loadDataKeys(
      { database, keyring },
      keys.map(({ merchantId }) => merchantId),
    );
    const payments = await listPayments(database, keyring, keys);
    const byName = new Map(payments.map((payment) => [paymentKeyText(payment), payment]));
    return keys.map((key) => byName.get(paymentKeyText(key)) ?? null);
  });
  return { find };
}
