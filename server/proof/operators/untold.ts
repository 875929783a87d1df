// What an operator did and told nobody: some never say how much they moved, some have no message for a payment that
// ended otherwise than they said first. Only a statement would show it, and no gateway can be blamed for it.
import type { Engine } from '../../src/core/engine.ts';
import { findNotification } from '../../src/store/notifications.ts';
import { listTraffic } from '../../src/store/operator-traffic.ts';
import type { BookedCharge } from '../chaos/operator-books.ts';
import { amountOf, isFinal, readPayments } from '../chaos/payment-rows.ts';

export type ToldBooks = {
  /** The books as far as the operators told them. */
  readonly charges: readonly BookedCharge[];
  /** Other amounts, and other ends, that were told to nobody. */
  readonly untold: { readonly amounts: number; readonly ends: number };
};

/** Only what we took for final is looked at: whatever else became of it, somebody has noticed. */
export async function readToldBooks(engine: Engine, books: readonly BookedCharge[]): Promise<ToldBooks> {
  const payments = (await readPayments(engine.store.database)).filter(isFinal);
  const ours = new Map(payments.map((payment) => [payment.reference, payment]));
  const untold = { amounts: 0, ends: 0 };
  const charges: BookedCharge[] = [];
  for (const charge of books) {
    const payment = ours.get(charge.reference);
    if (payment === undefined) charges.push(charge);
    else if (charge.settlements > 1 && !(await wasHeardAfterwards(engine, charge))) {
      charges.push({ ...charge, status: charge.status === 'FAILED' ? 'SUCCESSFUL' : 'FAILED' });
      untold.ends += 1;
    } else if (isOtherAmount(charge, payment) && !(await isAmountTold(engine, charge))) {
      charges.push({ ...charge, amount: payment.amount });
      untold.amounts += 1;
    } else charges.push(charge);
  }
  return { charges, untold };
}

function isOtherAmount(charge: BookedCharge, payment: { readonly state: string; readonly amount: string }) {
  return payment.state === 'COMPLETED' && amountOf(payment.amount) !== amountOf(charge.amount);
}

/** Whether the operator said anything about the charge since it ended for the last time. */
async function wasHeardAfterwards(engine: Engine, { reference, settledAt }: BookedCharge): Promise<boolean> {
  const { rows } = await engine.store.database.query(
    `select 1 from operator_notifications where reference = $1 and received_at >= $2
     union all
     select 1 from operator_traffic where reference = $1 and at >= $2 and http_status is not null`,
    [reference, settledAt],
  );
  return rows.length > 0;
}

/** Whether the operator's amount stands anywhere in what it said about the charge. */
async function isAmountTold(engine: Engine, { reference, amount }: BookedCharge): Promise<boolean> {
  const { database, keyring } = engine.store;
  const answers = await listTraffic(database, keyring, { reference, countMax: 1_000 });
  const { rows } = await database.query<{ id: string }>(
    'select notification_id as id from operator_notifications where reference = $1',
    [reference],
  );
  const messages = await Promise.all(rows.map(({ id }) => findNotification(database, keyring, id)));
  const texts = [...answers.map(({ answer }) => answer), ...messages.map((one) => bodyOf(one?.message))];
  const number = new RegExp(String.raw`(?<![\d.])${amount.replace('.', String.raw`\.`)}(?:\.?0*)(?!\d)`);
  return texts.some((text) => number.test(text));
}

function bodyOf(message: string | undefined): string {
  const { body } = JSON.parse(message ?? '{"body":""}') as { readonly body: string };
  return Buffer.from(body, 'base64').toString();
}
