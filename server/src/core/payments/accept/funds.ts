// Who gets the money that is there. Pure: row by row, in the order of arrival.
import type { Amount } from '../../../domain/money.ts';

export type Want<Item> = { readonly item: Item; readonly walletId: string; readonly amount: Amount };

/** Splits wants into those the wallets can pay and those they cannot. A want that is too large lets smaller ones by. */
export function allocate<Item>(
  available: ReadonlyMap<string, Amount>,
  wants: readonly Want<Item>[],
): { readonly paid: readonly Item[]; readonly short: readonly Item[] } {
  const left = new Map(available);
  const paid: Item[] = [];
  const short: Item[] = [];
  for (const { item, walletId, amount } of wants) {
    const rest = (left.get(walletId) ?? 0n) - amount;
    if (rest < 0n) {
      short.push(item);
      continue;
    }
    left.set(walletId, rest);
    paid.push(item);
  }
  return { paid, short };
}
