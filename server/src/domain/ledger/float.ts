// Compares the money that an operator holds for us with our books. Pure.
import type { Amount } from '../money.ts';

/** How much payments in flight can add to a float and take from it. */
export type InFlight = { readonly in: Amount; readonly out: Amount };

export type Float = {
  readonly provider: string;
  readonly currency: string;
  /** The operator's figure; null if it does not report one. */
  readonly operator: Amount | null;
  /** The figure of our books. */
  readonly books: Amount | null;
  /** Null if there are too many to add up. */
  readonly inFlight: InFlight | null;
};

/** The operator's figure minus ours. */
export function differenceOf({ operator, books }: Float): Amount | null {
  return operator === null || books === null ? null : operator - books;
}

/** The part of the difference that payments in flight cannot explain. */
export function unexplainedOf(float: Float): Amount | null {
  const difference = differenceOf(float);
  if (difference === null || float.inFlight === null) return null;
  const { in: added, out: taken } = float.inFlight;
  if (difference > added) return difference - added;
  return difference < -taken ? difference + taken : 0n;
}
