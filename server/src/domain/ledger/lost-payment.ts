// Whose the money of a payment is that a restore lost and whose merchant does not send it again: the closed list that
// two people choose from, and its postings. Pure. docs/operating/recovery.md says when each is right.
import type { Direction, Leg, MerchantAccount, Moved, PlatformAccount } from './postings.ts';

/**
 * MERCHANT: what came in is credited to a merchant's wallet, and what went out is charged to it. PLATFORM: it keeps
 * what came in, and bears what went out. OTHER_CELL: another cell has the payment in its books, so that nothing is left
 * here.
 */
export const LOST_PAYMENT_BEARERS = ['MERCHANT', 'PLATFORM', 'OTHER_CELL'] as const;
export type LostPaymentBearer = (typeof LOST_PAYMENT_BEARERS)[number];

/** A payment that was decided, as its operator moved it. */
export type DecidedPayment = Moved & {
  readonly direction: Direction;
  readonly bearer: LostPaymentBearer;
  readonly bearerMerchantId: string | null;
  /** Empty for a wallet shared by all providers of the country. */
  readonly walletProvider: string;
};

/**
 * What the decision posts, beside the release of the payment's money from SUSPENSE for MERCHANT and OTHER_CELL. The
 * merchant's legs are all the merchant's own, as a payment's are, so that they move with it to another cell. What is
 * charged becomes a debt, which always posts, and is collected at once as far as the wallet has it.
 */
export function decidedLegs(decided: DecidedPayment): readonly Leg[] {
  switch (decided.bearer) {
    case 'MERCHANT':
      return [legBetween(decided, platform('FLOAT', decided), merchantAccount(decided, decided.direction))];
    case 'PLATFORM':
      return [legBetween(decided, platform('SUSPENSE', decided), platform('WRITE_OFF', decided))];
    case 'OTHER_CELL':
      return [];
  }
}

/**
 * What takes the decision back when the payment itself is booked, which moves the float once more. Where the merchant
 * that was named is not the payment's, the platform bears the difference on ADJUSTMENT until people correct the wallet
 * of the merchant that was named: it may live in another cell by now, and a fact must post all the same.
 */
export function postedBackLegs(
  decided: DecidedPayment,
  { isOwner }: { readonly isOwner: boolean },
): readonly Leg[] {
  const float = platform('FLOAT', decided);
  switch (decided.bearer) {
    case 'MERCHANT': {
      const opposite = decided.direction === 'IN' ? 'OUT' : 'IN';
      const bearer = isOwner
        ? merchantAccount(decided, opposite)
        : platform('ADJUSTMENT', { ...decided, provider: '' });
      return [legBetween(decided, bearer, float)];
    }
    case 'PLATFORM':
      return [legBetween(decided, platform('WRITE_OFF', decided), float)];
    case 'OTHER_CELL':
      return [];
  }
}

/** From `debit` to `credit` for what came in, and the other way for what went out. */
function legBetween({ amount, direction }: DecidedPayment, debit: Leg['debit'], credit: Leg['credit']): Leg {
  return direction === 'IN' ? { debit, credit, amount } : { debit: credit, credit: debit, amount };
}

/** IN credits the wallet. OUT opens a debt, which posts whatever the wallet has. */
function merchantAccount(decided: DecidedPayment, direction: Direction): MerchantAccount {
  const { bearerMerchantId: merchantId, country, currency, walletProvider } = decided;
  if (merchantId === null) throw new Error('a decision for a merchant names it');
  const type = direction === 'IN' ? 'WALLET' : 'RECEIVABLE';
  return { type, merchantId, country, currency, provider: walletProvider };
}

function platform(
  type: PlatformAccount['type'],
  { country, currency, provider }: Pick<Moved, 'country' | 'currency' | 'provider'>,
): PlatformAccount {
  return { type, country, currency, provider };
}
