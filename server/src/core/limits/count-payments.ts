// Counts payments against limits, in the transaction that accepts them. Everything that a batch may come to is added
// to the counters first, with one statement that also locks them; what is not accepted is taken out again before the
// commit. So a batch changes each counter once, or twice where it refuses something, and other processes never see what
// was not accepted.
import {
  countedSubject,
  describeLimit,
  fits,
  limitName,
  windowEnd,
  type CountedPayment,
  type Limit,
  type LimitKey,
  type Used,
} from '../../domain/limits/limit.ts';
import {
  addToCounters,
  counterIdOf,
  takeFromCounters,
  type CounterChange,
} from '../../store/limits/limit-counters.ts';
import type { Tx } from '../../store/database.ts';

/** A payment that may be accepted, and the limits of its merchant. */
export type Countable<Item> = {
  readonly item: Item;
  readonly merchantId: string;
  readonly limits: readonly Limit[];
  readonly payment: CountedPayment;
};

/** A limit that has no space: its name, and what is said of it. */
export type LimitRefusal = { readonly limit: string; readonly message: string };

export type LimitGate<Item> = {
  /** The limit that has no space for it; null where it fits, or no limit counts it. */
  readonly refusal: (item: Item) => LimitRefusal | null;
  /** From now on it counts for those behind it. */
  readonly take: (item: Item) => void;
  /** Its counters; undefined where no limit counts it. */
  readonly countersOf: (item: Item) => readonly string[] | undefined;
  /** Those that were taken and are not among these. */
  readonly listDropped: (accepted: ReadonlySet<Item>) => readonly Item[];
  /** Takes out of the counters what was not accepted. Must come before the commit. */
  readonly settle: (accepted: ReadonlySet<Item>) => Promise<void>;
};

/** Where no merchant has limits nothing is asked of the database. */
export async function openGate<Item>(
  tx: Tx,
  candidates: readonly Countable<Item>[],
  now: Date,
): Promise<LimitGate<Item>> {
  const countables = candidates.filter(({ limits }) => limits.length > 0);
  const counted = new Map(countables.map((one) => [one.item, countOf(one, now)]));
  const used = new Map(await addAll(tx, countables, counted));
  const taken = new Set<Item>();
  const amountOf = new Map(countables.map(({ item, payment }) => [item, payment.amount]));
  return {
    refusal: (item) => {
      const full = counted
        .get(item)
        ?.find(({ counterId, limit }) => !fits(limit, usedOf(used, counterId), amountOf.get(item) ?? 0n));
      if (full === undefined) return null;
      const message = refusalText(full.limit, windowEnd(full.limit.period, now));
      return { limit: limitName(full.limit), message };
    },
    take: (item) => {
      taken.add(item);
      for (const counterId of idsOf(counted.get(item))) {
        const { count, amount } = usedOf(used, counterId);
        used.set(counterId, { count: count + 1, amount: amount + (amountOf.get(item) ?? 0n) });
      }
    },
    countersOf: (item) => {
      const ids = idsOf(counted.get(item));
      return ids.length === 0 ? undefined : ids;
    },
    listDropped: (accepted) => [...taken].filter((item) => !accepted.has(item)),
    settle: async (accepted) => {
      const unused = countables.filter(({ item }) => !accepted.has(item));
      await takeFromCounters(tx, sumOf(unused, counted));
    },
  };
}

/** A limit, and the counter that a payment has of it. Limits of platform and merchant can share one. */
type CountedBy = { readonly counterId: string; readonly limit: Limit };

function countOf(
  { merchantId, limits, payment }: Omit<Countable<never>, 'item'>,
  now: Date,
): readonly CountedBy[] {
  return limits.flatMap((limit) => {
    const subject = countedSubject(limit, payment);
    if (subject === null) return [];
    return [{ limit, counterId: counterOf(merchantId, limit, { subject, now }) }];
  });
}

/** The counters in which the payment counts if it is accepted now. */
export function countersNow(countable: Omit<Countable<never>, 'item'>, now: Date): readonly string[] {
  return idsOf(countOf(countable, now));
}

/** The counter of what a limit counts under this subject, in the window of now. */
export function counterOf(
  merchantId: string,
  { kind, scope, period, currency }: LimitKey,
  { subject, now }: { readonly subject: string; readonly now: Date },
): string {
  const name = [merchantId, kind, scope, subject, period, currency].join('/');
  return counterIdOf(name, windowEnd(period, now));
}

async function addAll<Item>(
  tx: Tx,
  countables: readonly Countable<Item>[],
  counted: ReadonlyMap<Item, readonly CountedBy[]>,
): Promise<ReadonlyMap<string, Used>> {
  const sums = sumOf(countables, counted);
  return sums.length === 0 ? new Map() : addToCounters(tx, sums);
}

function sumOf<Item>(
  countables: readonly Countable<Item>[],
  counted: ReadonlyMap<Item, readonly CountedBy[]>,
): readonly CounterChange[] {
  const sums = new Map<string, CounterChange>();
  for (const { item, merchantId, payment } of countables) {
    for (const counterId of idsOf(counted.get(item))) {
      const { count = 0, amount = 0n } = sums.get(counterId) ?? {};
      sums.set(counterId, { counterId, merchantId, count: count + 1, amount: amount + payment.amount });
    }
  }
  return [...sums.values()];
}

function idsOf(counted: readonly CountedBy[] = []): readonly string[] {
  return [...new Set(counted.map(({ counterId }) => counterId))];
}

const NOTHING: Used = { count: 0, amount: 0n };

function usedOf(used: ReadonlyMap<string, Used>, counterId: string): Used {
  return used.get(counterId) ?? NOTHING;
}

function refusalText(limit: Limit, until: Date): string {
  const setter = limit.setBy === 'PLATFORM' ? 'platform' : 'merchant';
  const ends = until.toISOString().replace('.000Z', 'Z');
  return `This payment would exceed the ${setter}'s limit of ${describeLimit(limit)}. It starts again at ${ends}.`;
}
