// Posting templates: the accounts that a money event moves between. A leg has one debit and one credit account, so
// every posting sums to zero by construction; a property test checks it too.
import type { Amount } from '../money.ts';

/** Accounts of the merchant. Only WALLET has a guarded balance; the others are sums of transfers. */
export type MerchantAccount = {
  readonly type: 'WALLET' | 'RECEIVABLE';
  readonly merchantId: string;
  readonly country: string;
  readonly currency: string;
  /** Empty if the wallet is not tied to one provider. */
  readonly provider: string;
};

/** Accounts of the platform, one set in each cell. */
export type PlatformAccount = {
  readonly type:
    | 'FLOAT'
    | 'FEE'
    | 'CLEARING'
    | 'SUSPENSE'
    | 'ADJUSTMENT'
    | 'WRITE_OFF'
    | 'CHARGE'
    | 'BETWEEN_CELLS';
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
  /** The provider of the merchant's wallet; empty for a wallet shared by all providers of the country. */
  readonly walletProvider: string;
  /**
   * The country of the wallet, if it is not the payment's: a split payout is paid from the wallet of its collection.
   */
  readonly walletCountry?: string;
  readonly amount: Amount;
  readonly fee: Amount;
};

/** An amount that an operator moved. */
export type Moved = Pick<Posted, 'country' | 'currency' | 'provider' | 'amount'>;

/** IN: to us, as a deposit. OUT: from us, as everything else. */
export type Direction = 'IN' | 'OUT';

/**
 * A completed deposit: the operator's float grows; the merchant gets the amount minus the fee, the platform gets the
 * fee.
 */
export function settleDeposit(posted: Posted): readonly Leg[] {
  const float = platform('FLOAT', posted);
  return nonZero([
    { debit: float, credit: wallet(posted), amount: posted.amount - posted.fee },
    { debit: float, credit: platform('FEE', posted), amount: posted.fee },
  ]);
}

/** The operator took the money of a FAILED deposit: it is in our float, without an owner yet. */
export function lateSuccessOfDeposit(posted: Moved): readonly Leg[] {
  return nonZero([
    { debit: platform('FLOAT', posted), credit: platform('SUSPENSE', posted), amount: posted.amount },
  ]);
}

/** The operator reversed a COMPLETED deposit: the merchant owes it. */
export function reversalOfDeposit(posted: Posted): readonly Leg[] {
  return nonZero([{ debit: receivable(posted), credit: platform('FLOAT', posted), amount: posted.amount }]);
}

/**
 * A payout, refund or remittance: the wallet pays the principal out of our float, and the fee to the platform. Pending
 * from acceptance; all legs are posted or voided together at the end.
 */
export function outgoing(posted: Posted): readonly Leg[] {
  const from = wallet(posted);
  return nonZero([
    { debit: from, credit: platform('FLOAT', posted), amount: posted.amount },
    { debit: from, credit: platform('FEE', posted), amount: posted.fee },
  ]);
}

/** The operator sent the money of a FAILED payment: it left our float, and no wallet has paid for it. */
export function lateSuccessOfOutgoing(posted: Moved): readonly Leg[] {
  return nonZero([
    { debit: platform('SUSPENSE', posted), credit: platform('FLOAT', posted), amount: posted.amount },
  ]);
}

/** The operator returned the money of a COMPLETED payment: it is in our float, without an owner yet. */
export function reversalOfOutgoing(posted: Posted): readonly Leg[] {
  return nonZero([
    { debit: platform('FLOAT', posted), credit: platform('SUSPENSE', posted), amount: posted.amount },
  ]);
}

/** The operator made a payment that the restored database does not have: only our float follows it. */
export function unmatched(moved: Moved, direction: Direction): readonly Leg[] {
  return direction === 'IN' ? lateSuccessOfDeposit(moved) : lateSuccessOfOutgoing(moved);
}

/** The payment exists again and posts the same money itself, so the substitute is reversed. */
export function releaseUnmatched(moved: Moved, direction: Direction): readonly Leg[] {
  return unmatched(moved, direction).map(({ debit, credit, amount }) => ({
    debit: credit,
    credit: debit,
    amount,
  }));
}

/** Money that a merchant brought in by bank, for payouts. */
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

/** Money brought from the bank to an operator, for payouts. */
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
 * An operator's charge; negative: a credit. Not posted to FEE, which stays the sum of payment fees and is checked
 * against them. Not to WRITE_OFF: a charge is a cost, not a loss.
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

/** A manual correction. Positive adds to the wallet, negative takes from it. */
export function adjustment(posted: Omit<Posted, 'fee'>): readonly Leg[] {
  const [own, other] = [wallet(posted), platform('ADJUSTMENT', { ...posted, provider: '' })];
  const { amount } = posted;
  return nonZero([
    amount < 0n ? { debit: own, credit: other, amount: -amount } : { debit: other, credit: own, amount },
  ]);
}

/** An account of the platform, and what it comes to: credits less debits. */
export type PlatformBalance = { readonly account: PlatformAccount; readonly balance: Amount };

/** The platform's balances leave a cell, whose accounts are then at zero, or arrive in another one. */
export function betweenCells(balances: readonly PlatformBalance[], way: 'LEAVE' | 'ARRIVE'): readonly Leg[] {
  return nonZero(
    balances.map(({ account, balance }) => {
      const between = platform('BETWEEN_CELLS', account);
      const isDebit = way === 'LEAVE' ? balance > 0n : balance < 0n;
      const [debit, credit] = isDebit ? [account, between] : [between, account];
      return { debit, credit, amount: balance < 0n ? -balance : balance };
    }),
  );
}

/** Where the amount of a case is booked until it is resolved; FLOAT if nothing was posted when it opened. */
export type Outstanding = 'SUSPENSE' | 'RECEIVABLE' | 'FLOAT';

/** The amount of a case, and what the merchant's wallet has available when it is resolved. */
export type Resolved = Omit<Posted, 'fee'> & {
  readonly available: Amount;
  /** What later credits have paid already of the debt that the case opened. Nothing where it opened none. */
  readonly collected: Amount;
};

/** Case: the merchant gets the money. No fee: the payment itself has not changed. */
export function creditMerchant(resolved: Resolved, from: 'SUSPENSE' | 'FLOAT'): readonly Leg[] {
  return nonZero([{ debit: platform(from, resolved), credit: wallet(resolved), amount: resolved.amount }]);
}

/** Case: the money goes back to its payer, out of our float. If it was not posted before, it is posted here first. */
export function returnToPayer(resolved: Resolved, from: 'SUSPENSE' | 'FLOAT'): readonly Leg[] {
  const [float, suspense] = [platform('FLOAT', resolved), platform('SUSPENSE', resolved)];
  const arrival = { debit: float, credit: suspense, amount: resolved.amount };
  const departure = { debit: suspense, credit: float, amount: resolved.amount };
  return nonZero(from === 'FLOAT' ? [arrival, departure] : [departure]);
}

/** Case: the merchant pays what the wallet has and owes the rest. Never fails: it records a fact. */
export function recoverFromMerchant(resolved: Resolved, into: Outstanding): readonly Leg[] {
  const { available } = resolved;
  const amount = into === 'RECEIVABLE' ? resolved.amount - resolved.collected : resolved.amount;
  const paid = lesser(available, amount);
  const paysWallet = { debit: wallet(resolved), credit: outstanding(into, resolved), amount: paid };
  // The part that is already in the merchant's receivable account stays there.
  if (into === 'RECEIVABLE') return nonZero([paysWallet]);
  const owes = { debit: receivable(resolved), credit: outstanding(into, resolved), amount: amount - paid };
  return nonZero([paysWallet, owes]);
}

/** Case: the platform pays all of it. What was collected for it meanwhile returns to the merchant. */
export function writeOff(resolved: Resolved, into: Outstanding): readonly Leg[] {
  const loss = {
    debit: platform('WRITE_OFF', resolved),
    credit: outstanding(into, resolved),
    amount: resolved.amount,
  };
  return nonZero(into === 'RECEIVABLE' ? [loss, giveBackCollected(resolved)] : [loss]);
}

/**
 * Case: the operator withdrew its evidence, so the opening legs are reversed. What was collected for it meanwhile
 * returns to the merchant.
 */
export function reverseEvidence(opening: readonly Leg[], resolved: Resolved): readonly Leg[] {
  const back = opening.map(({ debit, credit, amount }) => ({ debit: credit, credit: debit, amount }));
  const isOwed = back.some(({ credit }) => credit.type === 'RECEIVABLE');
  return nonZero(isOwed ? [...back, giveBackCollected(resolved)] : back);
}

/** The debt is forgiven, so nothing should have been collected for it. */
function giveBackCollected(resolved: Resolved): Leg {
  return { debit: receivable(resolved), credit: wallet(resolved), amount: resolved.collected };
}

/** A merchant's debt, paid from a credit to its wallet. */
export function collectReceivable(credited: Account, amount: Amount): Leg {
  return { debit: credited, credit: beside(credited, 'RECEIVABLE'), amount };
}

/** The other of the merchant's two accounts of one wallet. */
export function beside(account: Account, type: MerchantAccount['type']): MerchantAccount {
  if (!('merchantId' in account)) throw new Error(`${account.type} has no account of a merchant beside it`);
  return { ...account, type };
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
