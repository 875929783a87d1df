// A payment with everything that is known about it, for a person who has to find out its outcome.
import type { PaymentKey } from '../../../domain/payments/payment.ts';
import { listLatestAttempts, type Attempt } from '../../../store/payments/attempts.ts';
import {
  listCasesOf,
  openStatement,
  type StoredCase,
} from '../../../store/reconciliation/case-resolutions.ts';
import { listLinesOfPayment, type ShownLine } from '../../../store/reconciliation/operator-reports.ts';
import { listPaymentEvents, type EventRecord } from '../../../store/payments/payment-events.ts';
import { listPayments, type StoredPayment } from '../../../store/payments/payments.ts';
import { record, type Actor } from '../../audit.ts';
import type { TimedStore } from '../../engine.ts';

export type PaymentFile = {
  readonly payment: StoredPayment;
  readonly attempt: Attempt | null;
  readonly events: readonly EventRecord[];
  readonly reportLines: readonly ShownLine[];
  readonly cases: readonly (StoredCase & { readonly statement: string | null })[];
};

/** What operators said names people: anyone who reads it is recorded. */
export async function readPaymentFile(
  engine: TimedStore,
  { by, ...key }: Actor & PaymentKey,
): Promise<PaymentFile | null> {
  const { database, keyring } = engine.store;
  const [payment] = await listPayments(database, keyring, [key]);
  if (payment === undefined) return null;
  const { merchantId, kind, paymentId } = key;
  await record(engine, database, [
    { by, act: 'PAYMENT_READ', merchantId, subject: paymentId, detail: { kind } },
  ]);
  const [attempt = null] = await listLatestAttempts(database, [key]);
  const cases = await listCasesOf(database, key);
  return {
    payment,
    attempt,
    events: await listPaymentEvents(database, keyring, key),
    reportLines: await listLinesOfPayment(database, keyring, key),
    cases: cases.map((found) => ({ ...found, statement: openStatement(keyring, found) })),
  };
}
