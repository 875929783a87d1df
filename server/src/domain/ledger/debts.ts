// What a merchant owes beside a wallet: one debt for each transfer that debited its RECEIVABLE account. Each knows what
// of it was paid and what was forgiven, so that what is collected for one case is never counted for another. Pure.
import { lesser } from './postings.ts';
import type { Amount } from '../money.ts';

export type Debt = {
  readonly amount: Amount;
  /** Collected from later credits, or recovered by people. What is given back counts no more. */
  readonly paid: Amount;
  /** Written off by the platform, or withdrawn by the operator. */
  readonly forgiven: Amount;
};

export function unpaidOf({ amount, paid, forgiven }: Debt): Amount {
  return amount - paid - forgiven;
}

/**
 * What a credit pays of debts: the oldest first, each in full before the next one. Any other order would let the one
 * who resolves cases choose whose money paid for which. The order decides nothing about the whole: when a debt is
 * forgiven, what was paid of it goes back to the wallet and pays the debts that are left, so that in the end the
 * merchant has paid the debts that stand, in whatever order their cases were resolved. A property test shows it.
 */
export function payOldestFirst<Owed extends Debt>(
  oldestFirst: readonly Owed[],
  credited: Amount,
): readonly { readonly debt: Owed; readonly amount: Amount }[] {
  let left = credited;
  return oldestFirst.flatMap((debt) => {
    const amount = lesser(left, unpaidOf(debt));
    left -= amount;
    return amount > 0n ? [{ debt, amount }] : [];
  });
}

/** What is collected from a credit to a wallet: never more than was credited, is available, and is owed. */
export function collectable(
  credited: Amount,
  { available, owed }: { readonly available: Amount; readonly owed: Amount },
): Amount {
  return lesser(credited, lesser(available, owed));
}
