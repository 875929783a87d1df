// What the resolution of a case does to the books and to the merchant's wallet, from what the wallet has. The same
// function says it to the person who approves and to the transaction that posts it. Pure.
import type { Amount } from '../money.ts';
import { collectable } from '../ledger/debts.ts';
import { collectReceivable, lesser, type Account, type Leg, type Resolved } from '../ledger/postings.ts';
import { resolutionLegs, type CaseKind, type Resolution } from './cases.ts';

export type ResolutionFacts = {
  readonly of: CaseKind;
  readonly resolution: Resolution;
  /** Its `available` has what the holds that end with the case held. */
  readonly resolved: Resolved;
  /** What the merchant owes beside the wallet, for this case and for others. */
  readonly owed: Amount;
  /** Of what is available: what was held of the manually COMPLETED deposit that the case is about. */
  readonly heldOfDeposit: Amount;
  readonly wallet: Account;
  /** What else claims the wallet's money when the holds of this case have ended. */
  readonly claims: OtherClaims;
};

export type OtherClaims = {
  /** What is held for reversals, which the merchant owes. */
  readonly covered: Amount;
  /** What holds want beyond what they hold. */
  readonly short: Amount;
  /** What holds want that could not be made yet. */
  readonly noted: Amount;
};

export type ResolutionPlan = {
  readonly legs: readonly Leg[];
  /** What the merchant owes otherwise, collected from what the legs credit. */
  readonly collected: readonly Leg[];
  /** What the case takes nothing of stays held for as long as the deposit is. */
  readonly heldAgain: Amount;
  /** The merchant's wallet when all of this is done. */
  readonly after: { readonly available: Amount; readonly owed: Amount };
};

export function planResolution(facts: ResolutionFacts): ResolutionPlan {
  const { of, resolution, resolved, owed, heldOfDeposit, wallet, claims } = facts;
  const legs = resolutionLegs(of, resolution, resolved);
  let after = legs.reduce(withLeg, { available: resolved.available, owed });
  const collected = legs.flatMap(({ credit, amount: credited }) => {
    if (credit.type !== 'WALLET') return [];
    const amount = collectable(credited, after);
    if (amount <= 0n) return [];
    const leg = collectReceivable(credit, amount);
    after = withLeg(after, leg);
    return [leg];
  });
  const taken = sumOf(legs.filter(({ debit }) => debit.type === 'WALLET'));
  const left = heldOfDeposit > taken ? heldOfDeposit - taken : 0n;
  const heldAgain = lesser(left, after.available);
  after = { ...after, available: after.available - heldAgain };
  // What is free then goes to the other claims: debts that no hold covers, and then holds.
  const uncovered = lesser(after.available - claims.noted, after.owed - claims.covered);
  const late = uncovered > 0n ? [collectReceivable(wallet, uncovered)] : [];
  after = late.reduce(withLeg, after);
  const free = after.available - claims.noted;
  const filled = free > 0n ? lesser(free, claims.short) : 0n;
  const available = after.available - filled;
  return { legs, collected: [...collected, ...late], heldAgain, after: { ...after, available } };
}

type Funds = ResolutionPlan['after'];

function withLeg({ available, owed }: Funds, { debit, credit, amount }: Leg): Funds {
  const change = (type: Leg['debit']['type']) =>
    (credit.type === type ? amount : 0n) - (debit.type === type ? amount : 0n);
  return { available: available + change('WALLET'), owed: owed - change('RECEIVABLE') };
}

function sumOf(legs: readonly Leg[]): Amount {
  return legs.reduce((sum, { amount }) => sum + amount, 0n);
}
