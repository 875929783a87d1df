// Who gets the money that is there. Pure: row by row, in the order of arrival.
import type { Amount } from '../../../domain/money.ts';

export type Want<Item> = {
  readonly item: Item;
  readonly walletId: string;
  readonly amount: Amount;
  /** How much the wallet must still have after it. */
  readonly leaving?: Amount;
};

/** Limits beside the wallets: what one of the two does not let through takes nothing from the other. */
export type Limits<Item> = {
  readonly isFull: (item: Item) => boolean;
  readonly take: (item: Item) => void;
};

const NO_LIMITS: Limits<unknown> = { isFull: () => false, take: () => undefined };

/**
 * Splits wants into those the wallets can pay and those they cannot, but for those that a limit does not let through. A
 * want that is too large lets smaller ones by.
 */
export function allocate<Item>(
  available: ReadonlyMap<string, Amount>,
  wants: readonly Want<Item>[],
  limits: Limits<Item> = NO_LIMITS,
): { readonly paid: readonly Item[]; readonly short: readonly Item[] } {
  const left = new Map(available);
  const paid: Item[] = [];
  const short: Item[] = [];
  for (const { item, walletId, amount, leaving = 0n } of wants) {
    if (limits.isFull(item)) continue;
    const rest = (left.get(walletId) ?? 0n) - amount;
    if (rest < leaving) {
      short.push(item);
      continue;
    }
    left.set(walletId, rest);
    limits.take(item);
    paid.push(item);
  }
  return { paid, short };
}
