// A split payment's collection counts as a deposit and its parts as payouts, all when it is accepted: later nothing
// could be refused any more.
import type { Tx } from '../../../store/database.ts';
import type { StorePart } from '../../engine.ts';
import { openGate } from '../../limits/count-payments.ts';
import { countableOf } from '../../limits/countable.ts';
import { findListed, NUMBER_BLOCKED } from '../../limits/listed-numbers.ts';
import { limited, type Refused } from '../admit.ts';
import { tokenOf } from '../payment-request.ts';
import { limitsOf } from './count-orders.ts';
import type { Admissions, SplitOrder } from './initiate-split.ts';

type Counters = { readonly countedIn?: readonly string[] };

export type CountedSplit = { readonly collection: Counters; readonly parts: readonly Counters[] };

export async function countSplit(
  { store }: StorePart,
  tx: Tx,
  split: { readonly order: SplitOrder; readonly plan: Admissions; readonly now: Date },
): Promise<CountedSplit | Refused> {
  const { merchant } = split.order;
  const items = paymentsOf(split);
  const numbers = items.map(({ details }) => ({ merchant, phoneNumber: details.phoneNumber }));
  const listed = await findListed({ store }, tx, numbers, split.now);
  if (listed.includes('BLOCKED')) return limited('SPLIT_PAYMENT', NUMBER_BLOCKED);
  const countables = items.map((item, index) => ({
    item,
    ...countableOf(store.keyring, item, limitsOf(merchant, listed[index])),
  }));
  const gate = await openGate(tx, countables, split.now);
  for (const item of items) {
    const refusal = gate.refusal(item);
    if (refusal !== null) {
      await gate.settle(new Set());
      return limited('SPLIT_PAYMENT', refusal.message, refusal.limit);
    }
    gate.take(item);
  }
  const [collection = {}, ...parts] = items.map((item): Counters => {
    const countedIn = gate.countersOf(item);
    return countedIn === undefined ? {} : { countedIn };
  });
  return { collection, parts };
}

/** The collection, then the payouts in their order. */
function paymentsOf({ order, plan }: { readonly order: SplitOrder; readonly plan: Admissions }) {
  const { merchant, parts, currency } = order;
  const whose = { merchantId: merchant.merchantId, currency, ...tokenOf(order) };
  return [
    { ...whose, ...paid(order), kind: 'DEPOSIT' as const, country: plan.collection.country },
    ...parts.map((part, index) => ({
      ...whose,
      ...paid(part),
      kind: 'PAYOUT' as const,
      country: plan.payouts[index]?.country ?? plan.collection.country,
    })),
  ];
}

function paid({ amount, provider, details }: Pick<SplitOrder, 'amount' | 'provider' | 'details'>) {
  return { amount, provider, details };
}
