// Gives back to limits what failed payments counted, in the transaction that fails them: to the windows they were
// counted in, whatever limits there are by now.
import type { Amount } from '../../domain/money.ts';
import type { Used } from '../../domain/limits/limit.ts';
import { takeFromCounters } from '../../store/limits/limit-counters.ts';
import type { Tx } from '../../store/database.ts';

export type CountedAmount = { readonly amount: Amount; readonly countedIn?: readonly string[] | undefined };

/** Before accounts and wallets are locked. */
export async function giveBack(tx: Tx, failed: readonly CountedAmount[]): Promise<void> {
  const sums = new Map<string, Used>();
  for (const { amount, countedIn = [] } of failed) {
    for (const counterId of countedIn) {
      const sum = sums.get(counterId) ?? { count: 0, amount: 0n };
      sums.set(counterId, { count: sum.count + 1, amount: sum.amount + amount });
    }
  }
  await takeFromCounters(
    tx,
    [...sums].map(([counterId, used]) => ({ counterId, ...used })),
  );
}
