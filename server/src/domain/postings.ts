// Posting templates: which accounts a money event moves between. A leg has one debit and one credit account,
// so every posting sums to zero by construction; a property test says so too.
import type { Amount } from './money.ts';

/** Accounts of the merchant. Only WALLET has a guarded balance; the others are sums of transfers. */
export type MerchantAccount = {
  readonly type: 'WALLET' | 'RECEIVABLE';
  readonly merchantId: string;
  readonly country: string;
  readonly currency: string;
  /** Empty when the wallet is not tied to one provider. */
  readonly provider: string;
};

/** Accounts of the house, one set in each cell. */
export type HouseAccount = {
  readonly type: 'FLOAT' | 'FEE' | 'CLEARING' | 'SUSPENSE';
  readonly country: string;
  readonly currency: string;
  readonly provider: string;
};

export type Account = MerchantAccount | HouseAccount;

export type Leg = { readonly debit: Account; readonly credit: Account; readonly amount: Amount };

/** The facts of a payment that its postings need. */
export type Posted = {
  readonly merchantId: string;
  readonly country: string;
  readonly currency: string;
  readonly provider: string;
  /** The provider of the merchant's wallet, empty for a wallet shared by all providers of the country. */
  readonly walletProvider: string;
  readonly amount: Amount;
  readonly fee: Amount;
};

/** A completed deposit: the operator's float grew; the merchant gets it less the fee, the house the fee. */
export function settleDeposit(posted: Posted): readonly Leg[] {
  const float = house('FLOAT', posted);
  return nonZero([
    { debit: float, credit: wallet(posted), amount: posted.amount - posted.fee },
    { debit: float, credit: house('FEE', posted), amount: posted.fee },
  ]);
}

/** The operator took the money of a deposit we had called FAILED: it is in our float, and nobody's yet. */
export function lateSuccessOfDeposit(posted: Posted): readonly Leg[] {
  return nonZero([
    { debit: house('FLOAT', posted), credit: house('SUSPENSE', posted), amount: posted.amount },
  ]);
}

/** The operator took back a deposit that was COMPLETED: the merchant owes it. */
export function reversalOfDeposit(posted: Posted): readonly Leg[] {
  const receivable = { ...wallet(posted), type: 'RECEIVABLE' as const };
  return nonZero([{ debit: receivable, credit: house('FLOAT', posted), amount: posted.amount }]);
}

/**
 * A payout, refund or remittance: the merchant's wallet pays the principal out of our float, and the fee to the house.
 * Pending from acceptance, posted or voided together at the end.
 */
export function outgoing(posted: Posted): readonly Leg[] {
  const from = wallet(posted);
  return nonZero([
    { debit: from, credit: house('FLOAT', posted), amount: posted.amount },
    { debit: from, credit: house('FEE', posted), amount: posted.fee },
  ]);
}

/** The operator sent the money of a payment we had called FAILED: it left our float, and nobody has paid for it. */
export function lateSuccessOfOutgoing(posted: Posted): readonly Leg[] {
  return nonZero([
    { debit: house('SUSPENSE', posted), credit: house('FLOAT', posted), amount: posted.amount },
  ]);
}

/** The operator gave back the money of a payment that was COMPLETED: it is in our float, and nobody's yet. */
export function reversalOfOutgoing(posted: Posted): readonly Leg[] {
  return nonZero([
    { debit: house('FLOAT', posted), credit: house('SUSPENSE', posted), amount: posted.amount },
  ]);
}

/** Money a merchant brought in by bank, to pay out from. */
export function topUp(posted: Omit<Posted, 'fee'>): readonly Leg[] {
  return nonZero([
    { debit: house('CLEARING', { ...posted, provider: '' }), credit: wallet(posted), amount: posted.amount },
  ]);
}

function wallet(posted: Omit<Posted, 'fee'>): MerchantAccount {
  const { merchantId, country, currency, walletProvider } = posted;
  return { type: 'WALLET', merchantId, country, currency, provider: walletProvider };
}

function house(type: HouseAccount['type'], place: Omit<HouseAccount, 'type'>): HouseAccount {
  return { type, country: place.country, currency: place.currency, provider: place.provider };
}

function nonZero(legs: readonly Leg[]): readonly Leg[] {
  return legs.filter((leg) => leg.amount !== 0n);
}
