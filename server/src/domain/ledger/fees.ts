// The fee of an operation for a merchant: a percentage and a fixed part; default: nothing.
import { shareOf, type Amount } from '../money.ts';
import { decimalsOf, type MoneyPlace } from './decimals.ts';

export type Fee = { readonly basisPoints: number; readonly fixed: Amount };

export const NO_FEE: Fee = { basisPoints: 0, fixed: 0n };

/** The fee for an amount, rounded half-even to the smallest unit of the wallet that pays it. */
export function quoteFee(
  fee: Fee,
  { amount, wallet }: { readonly amount: Amount; readonly wallet: MoneyPlace },
): Amount {
  const share = shareOf(amount, { basisPoints: BigInt(fee.basisPoints), decimals: decimalsOf(wallet) });
  return share + fee.fixed;
}
