// Counts the payments of each merchant by the hour in which they ended, for overviews. Behind the payments' backs: no
// payment waits for it, and none knows of it.
//
// What is exact: an hour, once it was settled, which is ten minutes after its end. Until then what ended in the last
// seconds is missing, and what was committed long after the time it carries; settling counts such an hour again. A
// round is one transaction with the place it comes to, so a crash leaves nothing half counted, and of several workers
// one counts at a time. Days are added up when the last of their hours is settled, and never change after that.
import {
  addHours,
  buildDays,
  deleteHours,
  listEndsBehind,
  listMerchantsToCount,
  takeCountingTurn,
  writeProgress,
  type CountProgress,
  type CountSpan,
  type MerchantToCount,
} from '../../../store/payments/payment-hours.ts';
import { COMMITS_WITHIN_MS, inTransaction, type Tx } from '../../../store/database.ts';
import type { Engine } from '../../engine.ts';
import { addMs } from '../../../domain/time.ts';

/** Nearly every payment is committed by then; those that are not are counted when their hour is settled. */
export const COUNT_AFTER_MS = 2_000;

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** Of one merchant at a time, when it has much to catch up with: 0.1 s of work, and whole hours in any case. */
const SETTLED_AT_ONCE_MAX = 20_000;
/** So that a round with much to catch up with ends within seconds; the others' turn is in the next one. */
const SETTLING_MERCHANTS_MAX = 50;

export type CountOptions = { readonly settledAtOnceMax?: number };

/** What counting needs of an engine. */
export type Counter = Pick<Engine, 'clock'> & { readonly store: Pick<Engine['store'], 'database'> };

/** Answers MORE when there is more to catch up with. */
export async function countHours(
  engine: Counter,
  { settledAtOnceMax = SETTLED_AT_ONCE_MAX }: CountOptions = {},
): Promise<'MORE' | 'IDLE'> {
  return inTransaction(engine.store.database, async (tx) => {
    if (!(await takeCountingTurn(tx))) return 'IDLE';
    const now = await engine.clock.timeOf(tx);
    const limits = {
      countUntil: addMs(now, -COUNT_AFTER_MS),
      settleUntil: hourOf(addMs(now, -COMMITS_WITHIN_MS)),
    };
    const waiting = (await listMerchantsToCount(tx, limits)).map((one) => progressOf(one, limits.countUntil));
    const isBehind = ({ settledUntil }: CountProgress) => settledUntil < limits.settleUntil;
    const settled = await settle(tx, waiting.filter(isBehind).slice(0, SETTLING_MERCHANTS_MAX), {
      until: limits.settleUntil,
      atOnceMax: settledAtOnceMax,
    });
    const progress = waiting.map((one) => ({ ...one, ...settled.get(one.merchantId) }));
    await count(tx, progress, limits);
    return progress.some(isBehind) ? 'MORE' : 'IDLE';
  });
}

type Waiting = CountProgress & { readonly hasUncounted: boolean };

/** One that was never counted begins with the hour in which a payment may still be committed before its first one. */
function progressOf({ merchantId, progress, firstUncountedAt }: MerchantToCount, now: Date): Waiting {
  const hasUncounted = firstUncountedAt !== null;
  const begin = hourOf(addMs(firstUncountedAt ?? now, -COMMITS_WITHIN_MS));
  return { ...(progress ?? { merchantId, countedUntil: begin, settledUntil: begin }), hasUncounted };
}

/** Counts whole hours again, as many as fit into this round. Answers how far each merchant came. */
async function settle(
  tx: Tx,
  merchants: readonly CountProgress[],
  { until, atOnceMax }: { readonly until: Date; readonly atOnceMax: number },
): Promise<ReadonlyMap<string, CountProgress>> {
  if (merchants.length === 0) return new Map();
  const wanted = merchants.map(({ merchantId, settledUntil }) => ({ merchantId, from: settledUntil, until }));
  const ends = await listEndsBehind(tx, wanted, atOnceMax);
  const spans = wanted.map((span) => ({ ...span, until: endOf(span, ends.get(span.merchantId)) }));
  await deleteHours(tx, spans);
  await addHours(tx, spans);
  await buildDays(tx, spans.flatMap(wholeDays));
  const progress = merchants.map(({ merchantId, countedUntil, ...one }, index) => {
    const settledUntil = spans[index]?.until ?? one.settledUntil;
    return { merchantId, settledUntil, countedUntil: latest(countedUntil, settledUntil) };
  });
  await writeProgress(tx, progress);
  return new Map(progress.map((one) => [one.merchantId, one]));
}

/** The days that are settled with a span, and were not before it. */
function wholeDays({ merchantId, from, until }: CountSpan): readonly CountSpan[] {
  const days = { merchantId, from: dayOf(from), until: dayOf(until) };
  return days.from < days.until ? [days] : [];
}

/** Before the hour of the payment that no longer fits; an hour that is larger than that by itself is taken whole. */
function endOf({ from, until }: CountSpan, behind: Date | undefined): Date {
  return behind === undefined ? until : latest(hourOf(behind), addMs(from, HOUR_MS));
}

/**
 * Adds what ended since the last round. Anyone who has hours to catch up with does that first, and a merchant in which
 * nothing happens stays where it is: it would otherwise be settled every hour permanently.
 */
async function count(
  tx: Tx,
  merchants: readonly Waiting[],
  { countUntil, settleUntil }: { readonly countUntil: Date; readonly settleUntil: Date },
): Promise<void> {
  const near = addMs(settleUntil, -HOUR_MS);
  const counted = merchants.filter(
    ({ hasUncounted, countedUntil }) => hasUncounted && countedUntil >= near && countedUntil < countUntil,
  );
  await addHours(
    tx,
    counted.map(({ merchantId, countedUntil }) => ({ merchantId, from: countedUntil, until: countUntil })),
  );
  await writeProgress(
    tx,
    counted.map((one) => ({ ...one, countedUntil: countUntil })),
  );
}

function hourOf(time: Date): Date {
  return floorOf(time, HOUR_MS);
}

function dayOf(time: Date): Date {
  return floorOf(time, DAY_MS);
}

function floorOf(time: Date, stepMs: number): Date {
  return new Date(Math.floor(time.getTime() / stepMs) * stepMs);
}

function latest(a: Date, b: Date): Date {
  return a > b ? a : b;
}
