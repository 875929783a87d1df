// What an operator holds for us against what our books say it does. Pure.
import type { Amount } from '../money.ts';

/** What payments that operators may have made already can add to a float and take from it. */
export type InFlight = { readonly in: Amount; readonly out: Amount };

export type Float = {
  readonly provider: string;
  readonly currency: string;
  /** As the operator tells it; null where it does not. */
  readonly operator: Amount | null;
  /** As our books have it. */
  readonly books: Amount | null;
  /** Null where there is too much to add up. */
  readonly inFlight: InFlight | null;
};

/** The operator's figure less ours. */
export function differenceOf({ operator, books }: Float): Amount | null {
  return operator === null || books === null ? null : operator - books;
}

/** What of the difference payments in flight cannot explain, whichever of them the operator has made. */
export function unexplainedOf(float: Float): Amount | null {
  const difference = differenceOf(float);
  if (difference === null || float.inFlight === null) return null;
  const { in: added, out: taken } = float.inFlight;
  if (difference > added) return difference - added;
  return difference < -taken ? difference + taken : 0n;
}
