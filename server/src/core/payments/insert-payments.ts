// Writes new payments with everything that belongs to them: first event, search entries.
import type { Tx } from '../../store/database.ts';
import { insertPaymentEvents } from '../../store/payments/payment-events.ts';
import { insertSearchEntries } from '../../store/payments/payment-search.ts';
import { insertPayments, type StoredPayment } from '../../store/payments/payments.ts';
import type { StorePart } from '../engine.ts';
import { searchValuesOf } from './search-terms.ts';

export async function insertNewPayments(
  engine: StorePart,
  tx: Tx,
  payments: readonly StoredPayment[],
  now: Date,
): Promise<void> {
  const { keyring } = engine.store;
  await insertPayments(tx, keyring, payments);
  await insertPaymentEvents(
    tx,
    keyring,
    payments.map((payment) => ({
      key: payment,
      eventNo: 1,
      occurredAt: now,
      event: 'ACCEPTED',
      fromState: null,
      toState: payment.state,
    })),
  );
  await insertSearchEntries(tx, keyring, payments.flatMap(searchValuesOf));
}
