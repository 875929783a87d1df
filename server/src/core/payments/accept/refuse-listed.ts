// Lists of phone numbers, in the transaction that accepts payments. What was accepted before its number was
// blocked is held when it is claimed.
import type { NumberList } from '../../../domain/limits/listed-number.ts';
import type { Tx } from '../../../store/database.ts';
import type { StorePart } from '../../engine.ts';
import { findListed, NUMBER_BLOCKED } from '../../limits/listed-numbers.ts';
import { limited } from '../admit.ts';
import type { InitiationOrder, ResolvedCandidate } from '../payment-request.ts';

export type ScreenedOrders = {
  readonly candidates: readonly ResolvedCandidate[];
  /** On which list the number of an order is. */
  readonly listed: ReadonlyMap<InitiationOrder, NumberList>;
};

export async function refuseListed(
  engine: StorePart,
  tx: Tx,
  candidates: readonly ResolvedCandidate[],
  now: Date,
): Promise<ScreenedOrders> {
  const asked = candidates.flatMap(({ order, becomes }) =>
    'reason' in becomes
      ? []
      : [{ order, merchant: order.merchant, phoneNumber: becomes.details.phoneNumber }],
  );
  const found = await findListed(engine, tx, asked, now);
  const listed = new Map(
    asked.flatMap(({ order }, index) => {
      const list = found[index];
      return list === undefined ? [] : [[order, list] as const];
    }),
  );
  return {
    listed,
    candidates: candidates.map((candidate) => {
      const { order } = candidate;
      if (listed.get(order) !== 'BLOCKED') return candidate;
      return { order, becomes: limited(order.kind, NUMBER_BLOCKED) };
    }),
  };
}
