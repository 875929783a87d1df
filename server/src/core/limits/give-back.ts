// What limits have counted of payments that ended otherwise than they began: a failed payment is given back to the
// windows it was counted in, whatever limits there are by now. One that the operator paid all the same counts again.
import {
  windowEndOf,
  isSameCount,
  addToCounters,
  takeFromCounters,
} from '../../store/limits/limit-counters.ts';
import type { Used } from '../../domain/limits/limit.ts';
import type { Amount } from '../../domain/money.ts';
import type { Tx } from '../../store/database.ts';
import { countersNow, type Countable } from './count-payments.ts';

export type CountedAmount = { readonly amount: Amount; readonly countedIn?: readonly string[] | undefined };

/** What changes in one transaction. Counters are named by payments and by cases of late successes. */
type CountChanges = {
  readonly givenBack: readonly CountedAmount[];
  readonly countedAgain: readonly (CountedAmount & { readonly merchantId: string })[];
};

/**
 * Changes counters in the order of their identifiers, so that two transactions never wait for each other in a ring.
 * Must come before accounts and wallets are locked. A limit may be exceeded by what is counted again: that is a fact.
 */
export async function recount(tx: Tx, { givenBack, countedAgain }: CountChanges): Promise<void> {
  const taken = sumOf(givenBack).map((sum) => ({ ...sum, change: () => takeFromCounters(tx, [sum]) }));
  const added = countedAgain.flatMap(({ merchantId, ...counted }) =>
    sumOf([counted]).map((sum) => ({ ...sum, change: () => addToCounters(tx, [{ ...sum, merchantId }]) })),
  );
  if (added.length === 0) return takeFromCounters(tx, taken);
  const all = [...taken, ...added].toSorted((a, b) => (a.counterId < b.counterId ? -1 : 1));
  for (const { change } of all) await change();
}

/**
 * The counters in which a payment that FAILED counts again when its operator has paid it: those of the limits that had
 * counted it, in their windows of now. Where the window of its acceptance still runs, that is the same one.
 */
export function countersOfLateSuccess(
  countable: Omit<Countable<never>, 'item'>,
  countedIn: readonly string[],
  now: Date,
): readonly string[] {
  const running = countedIn.filter((counterId) => windowEndOf(counterId) > now);
  if (running.length === countedIn.length) return running;
  const current = countersNow(countable, now);
  const renewed = current.filter((counterId) => countedIn.some((before) => isSameCount(before, counterId)));
  return [...new Set([...running, ...renewed])];
}

function sumOf(counted: readonly CountedAmount[]): readonly (Used & { readonly counterId: string })[] {
  const sums = new Map<string, Used>();
  for (const { amount, countedIn = [] } of counted) {
    for (const counterId of countedIn) {
      const sum = sums.get(counterId) ?? { count: 0, amount: 0n };
      sums.set(counterId, { count: sum.count + 1, amount: sum.amount + amount });
    }
  }
  return [...sums].map(([counterId, used]) => ({ counterId, ...used }));
}
