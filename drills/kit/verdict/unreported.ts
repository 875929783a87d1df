// What an operator did without reporting it: some never report amounts, some have no message for a changed result. Only
// an operator report would show it, so it is not the gateway's fault.
import type { Engine } from '../../../server/src/core/engine.ts';
import { rawOfStored } from '../../../server/src/core/payments/notifications/read-notification.ts';
import {
  findNotification,
  type StoredNotification,
} from '../../../server/src/store/payments/notifications/notifications.ts';
import { listTraffic } from '../../../server/src/store/operators/operator-traffic.ts';
import { repeatNotification, type BookedCharge } from './operator-books.ts';
import { amountOf, isFinal, readPayments, type PaymentRow } from './payment-rows.ts';
import { hasNoReference, needsReport } from '../settle.ts';

export type ReportedBooks = {
  /** The books as far as the operators reported them. */
  readonly charges: readonly BookedCharge[];
  /** Other amounts and other results that were not reported. */
  readonly unreported: { readonly amounts: number; readonly ends: number };
};

type Listening = { readonly engine: Engine; readonly operatorUrls: ReadonlyMap<string, string> };

/** Final payments, and payments that could not be asked about: in all other cases an enquiry would have shown it. */
export async function readReportedBooks(
  listening: Listening,
  books: readonly BookedCharge[],
): Promise<ReportedBooks> {
  const { engine } = listening;
  const payments = await readPayments(engine.store.database);
  const ours = new Map(payments.map((payment) => [payment.reference, payment]));
  const unreported = { amounts: 0, ends: 0 };
  const charges: BookedCharge[] = [];
  for (const charge of books) {
    const payment = ours.get(charge.reference);
    const status = payment === undefined ? charge.status : await reportedStatus(listening, charge, payment);
    const amount = payment === undefined ? charge.amount : await reportedAmount(engine, charge, payment);
    if (status !== charge.status) unreported.ends += 1;
    if (amount !== charge.amount) unreported.amounts += 1;
    charges.push({ ...charge, status, amount });
  }
  return { charges, unreported };
}

async function reportedStatus(
  { engine, operatorUrls }: Listening,
  charge: BookedCharge,
  payment: PaymentRow,
): Promise<BookedCharge['status']> {
  const isChanged = isFinal(payment) && charge.settlements > 1;
  const isLost = charge.status !== 'PENDING' && hasNoReference(payment, engine.connectors);
  if (!isChanged && !isLost) return charge.status;
  if (needsReport(payment, engine.connectors)) return 'PENDING';
  if (await repeatNotification(operatorUrls.get(charge.operator) ?? '', charge)) return charge.status;
  if (isLost) return 'PENDING';
  return charge.status === 'FAILED' ? 'SUCCESSFUL' : 'FAILED';
}

async function reportedAmount(engine: Engine, charge: BookedCharge, payment: PaymentRow): Promise<string> {
  const isOther = isOtherAmount(charge, payment);
  return isOther && !(await isAmountReported(engine, charge)) ? payment.amount : charge.amount;
}

function isOtherAmount(charge: BookedCharge, payment: PaymentRow): boolean {
  return payment.state === 'COMPLETED' && amountOf(payment.amount) !== amountOf(charge.amount);
}

/** Whether any trusted message of the operator contains its amount. */
async function isAmountReported(engine: Engine, { reference, amount }: BookedCharge): Promise<boolean> {
  const { database, keyring } = engine.store;
  const answers = await listTraffic(database, keyring, { reference, countMax: 1_000 });
  const { rows } = await database.query<{ id: string }>(
    `select notification_id as id from operator_notifications where reference = $1 and reading <> 'HINT'`,
    [reference],
  );
  const messages = await Promise.all(rows.map(({ id }) => findNotification(database, keyring, id)));
  const texts = [...answers.map(({ answer }) => answer), ...messages.map(bodyOf)];
  const number = new RegExp(String.raw`(?<![\d.])${amount.replace('.', String.raw`\.`)}(?:\.?0*)(?!\d)`);
  return texts.some((text) => number.test(text));
}

function bodyOf(stored: StoredNotification | null): string {
  return stored === null ? '' : rawOfStored(stored).body.toString();
}
