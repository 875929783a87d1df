// A merchant's people request that money of a wallet is paid to the registered bank account. What is requested leaves
// what is available in the same transaction, as a pending transfer.
import { decimalsOf, fitsDecimals } from '../../domain/ledger/decimals.ts';
import { settlement, type MerchantAccount } from '../../domain/ledger/postings.ts';
import { renderAmount, type Amount } from '../../domain/money.ts';
import type { StatementWallet } from '../../domain/wallet-statement.ts';
import type { Tx } from '../../store/database.ts';
import { book, ensureAccounts, type Posting, type Subject } from '../../store/ledger/ledger.ts';
import { lockFunds, NO_FUNDS } from '../../store/ledger/wallet-funds.ts';
import { findCurrentAccount } from '../../store/settlements/bank-accounts.ts';
import {
  findRequestedSettlement,
  insertSettlement,
  type Settlement,
} from '../../store/settlements/settlements.ts';
import { timedUuid } from '../../store/timed-uuid.ts';
import { record, type Actor } from '../audit.ts';
import { inMerchant } from '../cells/lock-merchant.ts';
import type { Engine } from '../engine.ts';
import { accountsToMake, isWalletPlace } from '../ledger/administer-wallets.ts';
import { listSettlementStops } from '../ledger/settlement-stops.ts';

export type SettlementOrder = Actor &
  StatementWallet & {
    /** Chosen by the client: repeated after a lost answer, it is the same request. Never a key of the ledger. */
    readonly requestId: string;
    readonly merchantId: string;
    readonly amount: Amount;
  };

export type SettlementRefusal =
  | { readonly type: 'IDENTIFIER_TAKEN' }
  /** No payment of this merchant could ever use such a wallet. */
  | { readonly type: 'NO_SUCH_WALLET' }
  | { readonly type: 'SUSPENDED' | 'FROZEN' }
  /** After a restore a wallet may show too much. */
  | { readonly type: 'RECOVERING' }
  | { readonly type: 'NO_BANK_ACCOUNT' }
  /** The bank account was registered or changed lately. */
  | { readonly type: 'COOLING_OFF'; readonly usableFrom: Date }
  /** It has fractions that the wallet's money does not have, and is not all that the wallet has available. */
  | { readonly type: 'TOO_MANY_DECIMALS' }
  | { readonly type: 'WALLET_OWES' }
  | { readonly type: 'SHORT'; readonly available: Amount };

type SettlementAnswer = { readonly type: 'REQUESTED'; readonly settlementId: string } | SettlementRefusal;

/** Refuses without leaving anything in the database: no account is made for a wallet that nobody has. */
export async function requestSettlement(engine: Engine, order: SettlementOrder): Promise<SettlementAnswer> {
  const { merchantId, provider } = order;
  const merchant = await engine.directory.merchant(merchantId);
  if (merchant === null || !isWalletPlace(merchant, { ...order, walletProvider: provider })) {
    return { type: 'NO_SUCH_WALLET' };
  }
  try {
    return await inMerchant(engine.store.database, merchantId, async (tx) => {
      const answer = await reserve(engine, tx, order);
      if (answer.type !== 'REQUESTED') throw new Refused(answer);
      return answer;
    });
  } catch (error) {
    if (error instanceof Refused) return error.refusal;
    throw error;
  }
}

/** Takes the transaction back. */
class Refused extends Error {
  readonly refusal: SettlementRefusal;

  constructor(refusal: SettlementRefusal) {
    super(refusal.type);
    this.refusal = refusal;
  }
}

async function reserve(engine: Engine, tx: Tx, order: SettlementOrder): Promise<SettlementAnswer> {
  const { by, requestId, merchantId, country, currency, provider, amount } = order;
  const wallet: MerchantAccount = { type: 'WALLET', merchantId, country, currency, provider };
  const legs = settlement({ ...order, walletProvider: provider });
  const requestedAt = await engine.clock.timeOf(tx);
  await ensureAccounts(tx, accountsToMake(legs));
  await lockFunds(tx, [wallet]);
  const before = await findRequestedSettlement(tx, order);
  if (before !== null) return answerRepetition(before, order);
  const checked = await check(tx, order, requestedAt);
  if ('refusal' in checked) return checked.refusal;
  const { bankAccountId } = checked;
  const settlementId = timedUuid(requestedAt);
  const place = { merchantId, country, currency, provider };
  const isNew = await insertSettlement(tx, {
    settlementId,
    requestId,
    ...place,
    bankAccountId,
    amount,
    requestedBy: by,
    requestedAt,
  });
  // The same request was made of another wallet in the same moment.
  if (!isNew) return { type: 'IDENTIFIER_TAKEN' };
  const subject = subjectOf({ merchantId, settlementId });
  const held: Posting = { subject, template: 'SETTLEMENT', firstLegNo: 0, legs };
  await book(tx, { held: [held] }, requestedAt);
  const detail = { ...noteOf(order), bankAccountId };
  await record(engine, tx, [{ by, act: 'SETTLEMENT_REQUESTED', merchantId, subject: settlementId, detail }]);
  return { type: 'REQUESTED', settlementId };
}

function answerRepetition(before: Settlement, order: SettlementOrder) {
  const { settlementId } = before;
  return isSame(before, order)
    ? ({ type: 'REQUESTED', settlementId } as const)
    : ({ type: 'IDENTIFIER_TAKEN' } as const);
}

/** The wallet must be locked. */
async function check(
  tx: Tx,
  order: SettlementOrder,
  now: Date,
): Promise<{ readonly bankAccountId: string } | { readonly refusal: SettlementRefusal }> {
  const { amount } = order;
  const leaving = { ...order, unreserved: amount };
  const { stops = [], funds = NO_FUNDS } = (await listSettlementStops(tx, [leaving], now)).get(leaving) ?? {};
  const type = stops.find((stop) => stop !== 'WALLET_OWES');
  if (type !== undefined) return { refusal: { type } };
  const account = await findCurrentAccount(tx, order);
  if (account === null || account.usableFrom === null) return { refusal: { type: 'NO_BANK_ACCOUNT' } };
  const { bankAccountId, usableFrom } = account;
  if (usableFrom > now) return { refusal: { type: 'COOLING_OFF', usableFrom } };
  const { available } = funds;
  if (available < amount) return { refusal: { type: 'SHORT', available } };
  // A split payment or a correction can leave a smaller fraction, which can leave with everything else.
  const isWhole = fitsDecimals(amount, decimalsOf(order)) || amount === available;
  if (!isWhole) return { refusal: { type: 'TOO_MANY_DECIMALS' } };
  if (stops.includes('WALLET_OWES')) return { refusal: { type: 'WALLET_OWES' } };
  return { bankAccountId };
}

/** Of its transfer. */
export function subjectOf({
  merchantId,
  settlementId,
}: Pick<Settlement, 'merchantId' | 'settlementId'>): Subject {
  return { merchantId, kind: 'SETTLEMENT', id: settlementId };
}

/** For the audit log. */
export function noteOf({
  country,
  currency,
  provider,
  amount,
}: StatementWallet & { readonly amount: Amount }) {
  const wallet = [country, currency, provider].filter((part) => part !== '').join(' ');
  return { wallet, amount: renderAmount(amount) };
}

const NAMES = ['merchantId', 'country', 'currency', 'provider', 'amount'] as const;

function isSame(settled: Settlement, order: SettlementOrder): boolean {
  return NAMES.every((name) => settled[name] === order[name]);
}
