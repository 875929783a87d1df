// Merchants that send out far more than they ever did: what a stolen token or a thief at the dashboard looks like.
import { largestPayments } from '../../domain/limits/default-limits.ts';
import { renderAmount } from '../../domain/money.ts';
import { addMs } from '../../domain/time.ts';
import { livesHere } from '../cells/migration-locks.ts';
import type { Tx } from '../database.ts';

const HOUR_MS = 3_600_000;
const BASE_MS = 35 * 24 * HOUR_MS;
/** Fewer payments than this, of less than the amount below, are no spike, whatever was before. */
const PAYMENTS_MIN = 20;
/** As many of the largest payments: a quarter of what a token may send in a day, so that a thief is seen before. */
const LARGEST_PAYMENTS_MIN = 5n;
/** Of the busiest hour before. */
const TIMES = 3;

const OUTGOING = `h.kind in ('PAYOUT', 'REFUND', 'REMITTANCE') and h.state = 'COMPLETED'`;

/** This hour and the last one, against the busiest hour of five weeks; a month's wages are among those. */
const SPIKING = `select distinct m.merchant_id as "merchantId" from merchants m
  cross join lateral (
    select currency, sum(payment_count) as payments, sum(h.amount) as amount
    from payment_hours h left join unnest($3::text[], $4::numeric[]) as minimum (currency, amount) using (currency)
    where h.merchant_id = m.merchant_id and h.hour_at >= $1 and ${OUTGOING}
    group by currency, minimum.amount
    having sum(payment_count) >= ${PAYMENTS_MIN} or sum(h.amount) >= minimum.amount) recent
  cross join lateral (
    select coalesce(max(payments), 0) as payments, coalesce(max(amount), 0) as amount from (
      select sum(payment_count) as payments, sum(amount) as amount from payment_hours h
      where h.merchant_id = m.merchant_id and h.hour_at >= $2 and h.hour_at < $1
        and h.currency = recent.currency and ${OUTGOING}
      group by h.hour_at) hours) usual
  where (recent.payments >= ${PAYMENTS_MIN} and recent.payments > ${TIMES} * usual.payments
      or recent.amount > ${TIMES} * usual.amount)
    and ${livesHere('m')}`;

export async function countPayoutSpikes(tx: Tx, now: Date): Promise<number> {
  const { rows } = await tx.query<{ count: number }>(
    `select count(*)::int as count from (${SPIKING}) spiking`,
    valuesAt(now),
  );
  return rows[0]?.count ?? 0;
}

type Spiking = { readonly merchantId: string };

export async function listPayoutSpikes(tx: Tx, now: Date, countMax: number): Promise<readonly Spiking[]> {
  const { rows } = await tx.query<Spiking>(`${SPIKING} order by 1 limit $5`, [...valuesAt(now), countMax]);
  return rows;
}

function valuesAt(now: Date): readonly unknown[] {
  const recentFrom = new Date((Math.floor(now.getTime() / HOUR_MS) - 1) * HOUR_MS);
  const minimums = [...largestPayments((largest) => largest * LARGEST_PAYMENTS_MIN)];
  const currencies = minimums.map(([currency]) => currency);
  const amounts = minimums.map(([, amount]) => renderAmount(amount));
  return [recentFrom, addMs(recentFrom, -BASE_MS), currencies, amounts];
}
