// After the faults: open payments may end.
import { setTimeout as sleep } from 'node:timers/promises';
import { factsOf } from '../../server/src/connectors/port.ts';
import type { Engine } from '../../server/src/core/engine.ts';
import { isOutOfReach, type Database } from '../../server/src/store/database.ts';
import { notSeenProvedAt } from '../../server/src/core/schedule.ts';
import type { Scratch } from './scratch.ts';
import { TIMING } from './settings.ts';
import { readOperatorBooks, repeatNotification, type BookedCharge } from './verdict/operator-books.ts';
import { readPayments, type PaymentRow } from './verdict/payment-rows.ts';

export type Rest = {
  readonly patienceMs: number;
  readonly say: (text: string) => void;
  /** Called while something is open. Default: callbacks wait no longer. */
  readonly meanwhile?: () => Promise<void>;
  /** Called when nothing is open: whether that is all. */
  readonly isAll?: () => Promise<boolean>;
};

/** From now on the operators do only what is requested. */
export async function calm(operatorUrls: ReadonlyMap<string, string>): Promise<void> {
  for (const url of operatorUrls.values()) {
    await fetch(`${url}/control/faults`, { method: 'DELETE' });
    await fetch(`${url}/control/release`, { method: 'POST' });
  }
}

/** Waits until nothing is open. Returns whether that happened in time; the verdict finds the rest. */
export async function comeToRest(databases: readonly Database[], rest: Rest): Promise<boolean> {
  const { patienceMs, say, isAll = async () => true } = rest;
  const { meanwhile = async () => void (await Promise.all(databases.map((one) => letTimePass(one)))) } = rest;
  const until = Date.now() + patienceMs;
  let toldAt = Date.now();
  while (Date.now() < until) {
    try {
      const open = await Promise.all(databases.map(countOpen));
      if (open.every(({ payments, callbacks }) => payments + callbacks === 0) && (await isAll())) return true;
      if (Date.now() - toldAt > 5_000) {
        toldAt = Date.now();
        for (const { payments, callbacks } of open)
          say(`still open: ${payments} payments, ${callbacks} callbacks`);
      }
      await meanwhile();
    } catch (error) {
      // On a busy machine a cluster may change its leader once more, which ends connections.
      if (!isOutOfReach(error)) throw error;
    }
    await sleep(250);
  }
  say('not everything came to rest');
  return false;
}

/** What has not ended. */
export async function countOpen(database: Database): Promise<{ payments: number; callbacks: number }> {
  const { rows } = await database.query<{ payments: number; callbacks: number }>(
    `select (select count(*)::int from payments
             where state not in ('COMPLETED', 'FAILED', 'IN_RECONCILIATION')) as payments,
            (select count(*)::int from callbacks where status = 'PENDING') as callbacks`,
  );
  return rows[0] ?? { payments: 0, callbacks: 0 };
}

/** A callback that failed often waits for hours. Here that time passes at once, for callbacks only. */
export async function letTimePass(database: Database, now = new Date()): Promise<void> {
  await database.query(`update callbacks set due_at = $1 where status = 'PENDING' and due_at > $1`, [now]);
  await database.query('update endpoint_queues set paused_until = $1 where paused_until > $1', [now]);
}

/**
 * The operator may have changed a result, or charged very late, and its message was lost: no gateway can know that, nor
 * a payment whose only operator reference was lost with an answer. An operator report would show it; here the operator
 * repeats those messages. Returns how many it repeated.
 */
export async function repeatLostMessages(
  { store, connectors }: Engine,
  {
    scratch,
    operatorUrls,
  }: { readonly scratch: Scratch; readonly operatorUrls: ReadonlyMap<string, string> },
): Promise<number> {
  const payments = await readPayments(store.database);
  const known = new Map(payments.map((payment) => [payment.reference, payment]));
  const unheard = readOperatorBooks(scratch, [...operatorUrls.keys()]).filter((charge) => {
    const payment = known.get(charge.reference);
    if (payment === undefined || payment.evidences.length > 0) return false;
    if (needsReport(payment, connectors)) return false;
    return (
      isUnreported(charge, payment) || (charge.status !== 'PENDING' && hasNoReference(payment, connectors))
    );
  });
  await letHourPass(store.database, unheard);
  let repeated = 0;
  for (const charge of unheard) {
    if (await repeatNotification(operatorUrls.get(charge.operator) ?? '', charge)) repeated += 1;
  }
  return repeated;
}

/** A final payment is asked about at most once an hour, whatever the reason. */
async function letHourPass(database: Database, charges: readonly BookedCharge[]): Promise<void> {
  await database.query('update payment_attempts set hinted_at = null where reference = any($1)', [
    charges.map(({ reference }) => reference),
  ]);
}

function isUnreported(charge: BookedCharge, { state, send_deadline_at: deadline }: PaymentRow): boolean {
  const isLateCharge = deadline !== null && isLate(charge, notSeenProvedAt(deadline, TIMING));
  if (charge.settlements < 2 && !isLateCharge) return false;
  return (
    (charge.status === 'SUCCESSFUL' && state === 'FAILED') ||
    (charge.status === 'FAILED' && state === 'COMPLETED')
  );
}

/** The operator executed the request after "not found" had become proof that it never would. */
function isLate(charge: BookedCharge, provedAt: Date): boolean {
  return new Date(charge.acceptedAt) >= provedAt;
}

/** The operator chose the reference, and sent it only in an answer that was lost: no enquiry is possible. */
export function hasNoReference(payment: PaymentRow, connectors: Engine['connectors']): boolean {
  const connector = connectors.get(payment.connector);
  const isAskedByTheirs =
    connector !== undefined && factsOf(connector, payment.kind).reference.chosenBy === 'THEIRS';
  return payment.state === 'IN_RECONCILIATION' && payment.provider_reference === null && isAskedByTheirs;
}

/** Such a payment with an operator whose messages only trigger enquiries: only the operator's report proves its end. */
export function needsReport(payment: PaymentRow, connectors: Engine['connectors']): boolean {
  const isBelieved = connectors.get(payment.connector)?.notifications?.authenticity === 'SIGNED';
  return !isBelieved && hasNoReference(payment, connectors);
}
