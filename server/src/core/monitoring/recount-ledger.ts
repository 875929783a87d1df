// Adds transfers up again, day by day, and sets the sums right that are not what the transfers come to. The transfers
// are the books; the sums only save reading them.
import { addMs } from '../../domain/time.ts';
import {
  correctSums,
  findFirstDay,
  readSummedDay,
  sumSpan,
  type DaySum,
  type SumDifference,
} from '../../store/ledger/ledger-recount.ts';
import { findFirstTransferAt } from '../../store/ledger/ledger-rollups.ts';
import type { TimedStore } from '../engine.ts';
import { createSpan, type LedgerSpan, type SpanOptions } from './ledger-span.ts';

export const DAY_MS = 86_400_000;

export type RecountOptions = SpanOptions & {
  /** The first day that is added up again; the first that there is without it. */
  readonly from?: Date | null;
  /** No further day is begun behind as many transfers. */
  readonly transfersMax?: number;
};

export type Recount = {
  /** Accounts that had other sums than their transfers come to, in days that were long over. */
  readonly changedAccountIds: readonly string[];
  /** The day to go on with; null when the last was added up. */
  readonly next: Date | null;
};

/**
 * The latest two days are always added up, and never count as changed: a process that stood still for long may have
 * committed what carries an earlier time. Answers null when it was stopped on the way.
 */
export async function recountLedger(
  engine: TimedStore,
  options: RecountOptions = {},
): Promise<Recount | null> {
  const { transfersMax = Infinity, isStopping = () => false } = options;
  const span = createSpan(options);
  const today = dayOf(await engine.clock.timeOf(engine.store.database));
  const yesterday = addMs(today, -DAY_MS);
  for (const dayAt of [yesterday, today]) {
    if ((await recountDay(engine, dayAt, { span, isStopping })) === null) return null;
  }
  let dayAt = options.from ?? (await findFirst(engine)) ?? yesterday;
  const changed = new Set<string>();
  for (let count = 0; dayAt < yesterday && count < transfersMax; dayAt = addMs(dayAt, DAY_MS)) {
    const recounted = await recountDay(engine, dayAt, { span, isStopping });
    if (recounted === null) return null;
    // A day without a transfer is read as well.
    count += Math.max(recounted.transferCount, EMPTY_DAY_COUNTS);
    for (const { is } of recounted.differences) changed.add(is.accountId);
  }
  return { changedAccountIds: [...changed], next: dayAt < yesterday ? dayAt : null };
}

/** A transfer can be older than every sum, and a sum older than every transfer: either was not made by us. */
async function findFirst({ store: { database } }: TimedStore): Promise<Date | null> {
  const [summed, made] = [await findFirstDay(database), await findFirstTransferAt(database)];
  const days = [summed, made].flatMap((at) => (at === null ? [] : dayOf(at).getTime()));
  return days.length === 0 ? null : new Date(Math.min(...days));
}

/** As long as a day takes in which nothing happened. */
const EMPTY_DAY_COUNTS = 1_000;

type DayOptions = { readonly span: LedgerSpan; readonly isStopping: () => boolean };
type RecountedDay = { readonly differences: readonly SumDifference[]; readonly transferCount: number };

/** A merchant can leave or arrive between two statements. So what differs counts only if it differs twice alike. */
async function recountDay(
  engine: TimedStore,
  dayAt: Date,
  options: DayOptions,
): Promise<RecountedDay | null> {
  const once = await compareDay(engine, dayAt, options);
  if (once === null || once.differences.length === 0) return once;
  const twice = await compareDay(engine, dayAt, options);
  if (twice === null) return null;
  const seen = new Set(once.differences.map(nameOf));
  const differences = twice.differences.filter((difference) => seen.has(nameOf(difference)));
  if (differences.length > 0) await correctSums(engine.store.database, dayAt, differences);
  return { ...twice, differences };
}

async function compareDay(
  { store: { database } }: TimedStore,
  dayAt: Date,
  { span, isStopping }: DayOptions,
): Promise<RecountedDay | null> {
  const { until: summedUntil, sums, apart } = await readSummedDay(database, dayAt);
  const recounted = new Map<string, DaySum>();
  let transferCount = 0;
  let from = dayAt;
  let until = span.endAfter(from, summedUntil ?? dayAt);
  while (until !== null) {
    if (isStopping()) return null;
    const part = await sumSpan(database, { from, until });
    for (const sum of part.sums) recounted.set(keyOf(sum), added(recounted.get(keyOf(sum)), sum));
    span.adapt(part.transferCount);
    transferCount += part.transferCount;
    from = until;
    until = span.endAfter(from, summedUntil ?? dayAt);
  }
  const summed = new Map(sums.map((sum) => [keyOf(sum), sum]));
  const differences = [...new Map([...summed, ...recounted])]
    .filter(([, { merchantId }]) => !apart.includes(merchantId))
    .map(([key, any]) => ({
      was: summed.get(key) ?? nothingOf(any),
      is: recounted.get(key) ?? nothingOf(any),
    }))
    .filter(({ was, is }) => amountsOf(was) !== amountsOf(is));
  return { differences, transferCount };
}

function nothingOf({ accountId, merchantId }: DaySum): DaySum {
  return { accountId, merchantId, credits: 0n, debits: 0n, held: 0n, released: 0n };
}

function added(a: DaySum | undefined, b: DaySum): DaySum {
  if (a === undefined) return b;
  return {
    ...a,
    credits: a.credits + b.credits,
    debits: a.debits + b.debits,
    held: a.held + b.held,
    released: a.released + b.released,
  };
}

function keyOf({ accountId, merchantId }: DaySum): string {
  return `${accountId} ${merchantId}`;
}

function amountsOf({ credits, debits, held, released }: DaySum): string {
  return [credits, debits, held, released].join(' ');
}

/** Of which sum, and by how much. Today's grow meanwhile. */
function nameOf({ was, is }: SumDifference): string {
  const less = [
    is.credits - was.credits,
    is.debits - was.debits,
    is.held - was.held,
    is.released - was.released,
  ];
  return [keyOf(is), ...less].join(' ');
}

export function dayOf(time: Date): Date {
  return new Date(Math.floor(time.getTime() / DAY_MS) * DAY_MS);
}
