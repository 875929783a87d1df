// Posting templates: which accounts a money event moves between. A leg has one debit and one credit account,
// so every posting sums to zero by construction; a property test says so too.
import type { Amount } from '../money.ts';

/** Accounts of the merchant. Only WALLET has a guarded balance; the others are sums of transfers. */
export type MerchantAccount = {
  readonly type: 'WALLET' | 'RECEIVABLE';
  readonly merchantId: string;
  readonly country: string;
  readonly currency: string;
  /** Empty when the wallet is not tied to one provider. */
  readonly provider: string;
};

/** Accounts of the platform, one set in each cell. */
export type PlatformAccount = {
  readonly type: 'FLOAT' | 'FEE' | 'CLEARING' | 'SUSPENSE' | 'ADJUSTMENT' | 'WRITE_OFF' | 'CHARGE';
  readonly country: string;
  readonly currency: string;
  readonly provider: string;
};

export type Account = MerchantAccount | PlatformAccount;

export type Leg = { readonly debit: Account; readonly credit: Account; readonly amount: Amount };

/** The facts of a payment that its postings need. */
export type Posted = {
  readonly merchantId: string;
  readonly country: string;
  readonly currency: string;
  readonly provider: string;
  /** The provider of the merchant's wallet, empty for a wallet shared by all providers of the country. */
  readonly walletProvider: string;
  /** The country of the wallet, where it is not the payment's: a share of a split is paid from its collection's. */
  readonly walletCountry?: string;
  readonly amount: Amount;
  readonly fee: Amount;
};

/** What an operator moved, whosever it is. */
export type Moved = Pick<Posted, 'country' | 'currency' | 'provider' | 'amount'>;

/** IN: to us, as a deposit. OUT: from us, as everything else. */
export type Direction = 'IN' | 'OUT';

/** A completed deposit: the operator's float grew; the merchant gets it less the fee, the platform the fee. */
export function settleDeposit(posted: Posted): readonly Leg[] {
  const float = platform('FLOAT', posted);
  return nonZero([
    { debit: float, credit: wallet(posted), amount: posted.amount - posted.fee },
    { debit: float, credit: platform('FEE', posted), amount: posted.fee },
  ]);
}

/** The operator took the money of a deposit we had called FAILED: it is in our float, and no one's yet. */
export function lateSuccessOfDeposit(posted: Moved): readonly Leg[] {
  return nonZero([
    { debit: platform('FLOAT', posted), credit: platform('SUSPENSE', posted), amount: posted.amount },
  ]);
}

/** The operator took back a deposit that was COMPLETED: the merchant owes it. */
export function reversalOfDeposit(posted: Posted): readonly Leg[] {
  return nonZero([{ debit: receivable(posted), credit: platform('FLOAT', posted), amount: posted.amount }]);
}

/**
 * A payout, refund or remittance: the merchant's wallet pays the principal out of our float, and the fee to the
 * platform. Pending from acceptance, posted or voided together at the end.
 */
export function outgoing(posted: Posted): readonly Leg[] {
  const from = wallet(posted);
  return nonZero([
    { debit: from, credit: platform('FLOAT', posted), amount: posted.amount },
    { debit: from, credit: platform('FEE', posted), amount: posted.fee },
  ]);
}

/** The operator sent the money of a payment we had called FAILED: it left our float, and no one has paid for it. */
export function lateSuccessOfOutgoing(posted: Moved): readonly Leg[] {
  return nonZero([
    { debit: platform('SUSPENSE', posted), credit: platform('FLOAT', posted), amount: posted.amount },
  ]);
}

/** The operator gave back the money of a payment that was COMPLETED: it is in our float, and no one's yet. */
export function reversalOfOutgoing(posted: Posted): readonly Leg[] {
  return nonZero([
    { debit: platform('FLOAT', posted), credit: platform('SUSPENSE', posted), amount: posted.amount },
  ]);
}

/** The operator made a payment that the database has forgotten: our float follows it, and no one's money changes. */
export function unmatched(moved: Moved, direction: Direction): readonly Leg[] {
  return direction === 'IN' ? lateSuccessOfDeposit(moved) : lateSuccessOfOutgoing(moved);
}

/** The payment is known again and books the same money itself, so what stood in its place goes. */
export function releaseUnmatched(moved: Moved, direction: Direction): readonly Leg[] {
  return unmatched(moved, direction).map(({ debit, credit, amount }) => ({
    debit: credit,
    credit: debit,
    amount,
  }));
}

/** Money a merchant brought in by bank, to pay out from. */
export function topUp(posted: Omit<Posted, 'fee'>): readonly Leg[] {
  return nonZero([
    {
      debit: platform('CLEARING', { ...posted, provider: '' }),
      credit: wallet(posted),
      amount: posted.amount,
    },
  ]);
}

/** Money of a merchant paid out to its bank. */
export function settlement(posted: Omit<Posted, 'fee'>): readonly Leg[] {
  return nonZero([
    {
      debit: wallet(posted),
      credit: platform('CLEARING', { ...posted, provider: '' }),
      amount: posted.amount,
    },
  ]);
}

/** Money brought from the bank to an operator, to pay out from. */
export function floatTopUp(moved: Moved): readonly Leg[] {
  const bank = platform('CLEARING', { ...moved, provider: '' });
  return nonZero([{ debit: platform('FLOAT', moved), credit: bank, amount: moved.amount }]);
}

/** Money taken from an operator to the bank. */
export function floatWithdrawal(moved: Moved): readonly Leg[] {
  const bank = platform('CLEARING', { ...moved, provider: '' });
  return nonZero([{ debit: bank, credit: platform('FLOAT', moved), amount: moved.amount }]);
}

/**
 * What an operator charges us; below zero, what it gives back. Not against FEE: that stays the sum of the fees of
 * payments, which is checked against them. Nor WRITE_OFF: a charge is a cost, not a loss.
 */
export function operatorCharge(moved: Moved): readonly Leg[] {
  const [charge, float] = [platform('CHARGE', moved), platform('FLOAT', moved)];
  const { amount } = moved;
  return nonZero([
    amount < 0n
      ? { debit: float, credit: charge, amount: -amount }
      : { debit: charge, credit: float, amount },
  ]);
}

/** A correction manually. Above zero it adds to the wallet, below zero it takes from it. */
export function adjustment(posted: Omit<Posted, 'fee'>): readonly Leg[] {
  const [own, other] = [wallet(posted), platform('ADJUSTMENT', { ...posted, provider: '' })];
  const { amount } = posted;
  return nonZero([
    amount < 0n ? { debit: own, credit: other, amount: -amount } : { debit: other, credit: own, amount },
  ]);
}

/** Where the books keep what a case is about until it is resolved; FLOAT where nothing was posted when it opened. */
export type Outstanding = 'SUSPENSE' | 'RECEIVABLE' | 'FLOAT';

/** What a case is about, and what the merchant's wallet has available and owes at the moment of its resolution. */
export type Resolved = Omit<Posted, 'fee'> & { readonly available: Amount; readonly owed: Amount };

/** Case: the money is the merchant's. No fee: the payment it comes from has not become another. */
export function creditMerchant(resolved: Resolved, from: 'SUSPENSE' | 'FLOAT'): readonly Leg[] {
  return nonZero([{ debit: platform(from, resolved), credit: wallet(resolved), amount: resolved.amount }]);
}

/** Case: the money goes back to its payer, out of our float. What was not posted before arrives here first. */
export function returnToPayer(resolved: Resolved, from: 'SUSPENSE' | 'FLOAT'): readonly Leg[] {
  const [float, suspense] = [platform('FLOAT', resolved), platform('SUSPENSE', resolved)];
  const arrival = { debit: float, credit: suspense, amount: resolved.amount };
  const departure = { debit: suspense, credit: float, amount: resolved.amount };
  return nonZero(from === 'FLOAT' ? [arrival, departure] : [departure]);
}

/** Case: the merchant pays as far as its wallet goes and owes the rest. Never fails: what it records is a fact. */
export function recoverFromMerchant(resolved: Resolved, into: Outstanding): readonly Leg[] {
  const { available } = resolved;
  const amount = into === 'RECEIVABLE' ? stillOwed(resolved) : resolved.amount;
  const paid = lesser(available, amount);
  const paysWallet = { debit: wallet(resolved), credit: outstanding(into, resolved), amount: paid };
  // What stands in the merchant's receivable account already stays there.
  if (into === 'RECEIVABLE') return nonZero([paysWallet]);
  const owes = { debit: receivable(resolved), credit: outstanding(into, resolved), amount: amount - paid };
  return nonZero([paysWallet, owes]);
}

/** Case: no one pays, so the platform does. */
export function writeOff(resolved: Resolved, into: Outstanding): readonly Leg[] {
  const amount = into === 'RECEIVABLE' ? stillOwed(resolved) : resolved.amount;
  return nonZero([{ debit: platform('WRITE_OFF', resolved), credit: outstanding(into, resolved), amount }]);
}

/**
 * Case: the operator took its evidence back, so the opening legs go back too. What was collected for it meanwhile is
 * the merchant's again.
 */
export function reverseEvidence(opening: readonly Leg[], resolved: Resolved): readonly Leg[] {
  const back = opening.map(({ debit, credit, amount }) => ({ debit: credit, credit: debit, amount }));
  const claimed = back
    .filter(({ credit }) => credit.type === 'RECEIVABLE')
    .reduce((sum, { amount }) => sum + amount, 0n);
  const collected = claimed - lesser(claimed, resolved.owed);
  return nonZero([...back, { debit: receivable(resolved), credit: wallet(resolved), amount: collected }]);
}

/** What a merchant owes, paid from a credit to its wallet. */
export function collectReceivable(credited: Account, amount: Amount): Leg {
  return { debit: credited, credit: beside(credited, 'RECEIVABLE'), amount };
}

/** The other of a merchant's two accounts in one place. */
export function beside(account: Account, type: MerchantAccount['type']): MerchantAccount {
  if (!('merchantId' in account)) throw new Error(`${account.type} has no account of a merchant beside it`);
  return { ...account, type };
}

/** Of what a case is about: later credits may have paid for some of it. */
function stillOwed({ amount, owed }: Resolved): Amount {
  return lesser(amount, owed);
}

export function lesser(one: Amount, other: Amount): Amount {
  return one < other ? one : other;
}

function outstanding(type: Outstanding, posted: Omit<Posted, 'fee'>): Account {
  return type === 'RECEIVABLE' ? receivable(posted) : platform(type, posted);
}

function receivable(posted: Omit<Posted, 'fee'>): MerchantAccount {
  return { ...wallet(posted), type: 'RECEIVABLE' };
}

function wallet(posted: Omit<Posted, 'fee'>): MerchantAccount {
  const { merchantId, currency, walletProvider, walletCountry: country = posted.country } = posted;
  return { type: 'WALLET', merchantId, country, currency, provider: walletProvider };
}

function platform(type: PlatformAccount['type'], place: Omit<PlatformAccount, 'type'>): PlatformAccount {
  return { type, country: place.country, currency: place.currency, provider: place.provider };
}

function nonZero(legs: readonly Leg[]): readonly Leg[] {
  return legs.filter((leg) => leg.amount !== 0n);
}
