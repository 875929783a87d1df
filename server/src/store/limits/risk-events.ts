// Risk events, one row for each sort and minute. Every process adds to the same row.
import { riskEventName, type CountedRiskEvents, type RiskEventType } from '../../domain/limits/risk-event.ts';
import type { Amount } from '../../domain/money.ts';
import type { PaymentKind } from '../../domain/payments/payment.ts';
import { column, columns } from '../columns.ts';
import type { Tx } from '../database.ts';
import type { Pruning } from '../retention.ts';
import { countChanged, rowInserter } from '../rows.ts';
import { firstTimedUuid } from '../timed-uuid.ts';
import { counterIdOf } from './limit-counters.ts';

const events = columns({
  eventId: 'uuid',
  event: column<RiskEventType>('text'),
  minuteAt: 'timestamptz',
  lastAt: 'timestamptz',
  count: column<number>('bigint', 'event_count'),
  merchantId: 'uuid null',
  tokenId: 'text null',
  provider: 'text null',
  kind: column<PaymentKind | null>('payment_kind null'),
  subject: 'text',
  currency: 'text null',
  amount: column<Amount | null>('numeric null'),
});

export type StoredRiskEvents = CountedRiskEvents & { readonly eventId: string };

const insertEvents = rowInserter<StoredRiskEvents>(
  'risk_events as e',
  events.cells,
  `on conflict (event_id) do update set
     event_count = e.event_count + excluded.event_count, last_at = greatest(e.last_at, excluded.last_at),
     provider = case when e.provider = excluded.provider then e.provider end,
     kind = case when e.kind = excluded.kind then e.kind end,
     amount = coalesce(e.amount + excluded.amount, e.amount, excluded.amount)`,
);

/** Each name once. In the order of identifiers, so that two processes never wait for each other in a ring. */
export async function addRiskEvents(tx: Tx, counted: readonly CountedRiskEvents[]): Promise<void> {
  const rows = counted.map((one) => ({ ...one, eventId: counterIdOf(riskEventName(one), one.minuteAt) }));
  await insertEvents(
    tx,
    rows.toSorted((a, b) => (a.eventId < b.eventId ? -1 : 1)),
  );
}

/** The newest first, of one sort or of all. */
export async function listRiskEvents(
  tx: Tx,
  { event, countMax }: { readonly event: RiskEventType | null; readonly countMax: number },
): Promise<readonly StoredRiskEvents[]> {
  return event === null
    ? events.select(tx, 'from risk_events order by event_id desc limit $1', [countMax])
    : events.select(tx, 'from risk_events where event = $2 order by event_id desc limit $1', [
        countMax,
        event,
      ]);
}

/** Answers how many. */
export async function pruneRiskEvents(tx: Tx, { before, countMax }: Pruning): Promise<number> {
  return countChanged(
    tx,
    `delete from risk_events where event_id in (
       select event_id from risk_events where event_id < $1 order by event_id limit $2
       for update skip locked)`,
    [firstTimedUuid(before), countMax],
  );
}
