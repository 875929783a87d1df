// The books: accounts, transfers of one debit and one credit, and the guarded balance of merchant wallets.
import { renderAmount, type Amount } from '../../domain/money.ts';
import { beside, collectReceivable, lesser, type Account, type Leg } from '../../domain/ledger/postings.ts';
import type { Tx } from '../database.ts';
import { balancesOf, countsHere } from './ledger-rollups.ts';
import { collectionsOf, creditsOf, type Credit } from './receivables.ts';
import { amountOfNumeric, column, columns, type Row } from '../columns.ts';
import { rowInserter } from '../rows.ts';
import { movementsOf, type WalletMovement } from './moved-wallets.ts';
import { changeDebts, type DebtName } from './wallet-debts.ts';
import { fillHolds, findClaims, legNoOfPart, refreshUnheld, UNHELD, type HoldPart } from './wallet-holds.ts';
import {
  accountId,
  changeWallets,
  NO_CHANGE,
  ownerOf,
  WalletChanges,
  type WalletFunds,
} from './wallet-funds.ts';

/**
 * What a transfer is about: a payment by kind and number, or an action such as a top-up by its identifier. The
 * identifier is always ours, never one that a client, a merchant or an operator chose: two things under one identifier
 * and kind exclude each other.
 */
export type Subject = { readonly merchantId: string; readonly kind: string; readonly id: string };

export type Posting = {
  readonly subject: Subject;
  readonly template: string;
  /** Where this posting's legs begin: 0 for the first posting of a subject. */
  readonly firstLegNo: number;
  readonly legs: readonly Leg[];
  /** What it credits is needed for something else first, so nothing that the merchant owes is collected from it. */
  readonly isKeptWhole?: boolean;
  /** The debts that it opens are collected at once, as far as the wallet has what they come to. */
  readonly isCollectedAtOnce?: boolean;
  /** The debt that it pays, forgives or gives back; left out where it opens one, or pays the oldest. */
  readonly debt?: DebtName;
};

type TransferState = 'PENDING' | 'POSTED' | 'VOIDED';

type TransferRow = Leg &
  Omit<Posting, 'legs' | 'firstLegNo' | 'isKeptWhole' | 'isCollectedAtOnce'> & {
    readonly legNo: number;
    readonly state: TransferState;
    readonly createdAt: Date;
  };

const insertTransfers = rowInserter<TransferRow>('transfers', [
  ['merchant_id', 'uuid', (transfer) => transfer.subject.merchantId],
  ['subject_kind', 'text', (transfer) => transfer.subject.kind],
  ['subject_id', 'uuid', (transfer) => transfer.subject.id],
  ['leg_no', 'int', (transfer) => transfer.legNo],
  ['template', 'text', (transfer) => transfer.template],
  ['debit_account_id', 'uuid', (transfer) => accountId(transfer.debit)],
  ['credit_account_id', 'uuid', (transfer) => accountId(transfer.credit)],
  ['amount', 'numeric', (transfer) => renderAmount(transfer.amount)],
  ['state', 'transfer_state', (transfer) => transfer.state],
  ['created_at', 'timestamptz', (transfer) => transfer.createdAt],
]);

const insertAccounts = rowInserter<Account>(
  'accounts',
  [
    ['account_id', 'uuid', accountId],
    ['type', 'text', (account) => account.type],
    ['merchant_id', 'uuid', ownerOf],
    ['country', 'text', (account) => account.country],
    ['currency', 'text', (account) => account.currency],
    ['provider', 'text', (account) => account.provider],
  ],
  'on conflict do nothing',
);

const insertWallets = rowInserter<Account>(
  'wallets',
  [
    ['account_id', 'uuid', accountId],
    ['merchant_id', 'uuid', ownerOf],
  ],
  'on conflict do nothing',
);

/** Makes accounts (and the balance rows of wallets) that are not there yet, in the order of their identifiers. */
export async function ensureAccounts(tx: Tx, accounts: readonly Account[]): Promise<void> {
  const sorted = inOrderOfId(
    accounts.flatMap((one) => (one.type === 'RECEIVABLE' ? [one, beside(one, 'WALLET')] : [one])),
  );
  await insertAccounts(tx, sorted);
  await insertWallets(
    tx,
    sorted.filter((account) => account.type === 'WALLET'),
  );
}

/** What one transaction does to the books. */
export type Booking = {
  /** New transfers that are facts. A posting made before throws. */
  readonly posted?: readonly Posting[];
  /** New transfers that are pending; what they take from wallets is held. The funds have been seen to be there. */
  readonly held?: readonly Posting[];
  /** Subjects whose pending transfers end: posted, or voided and the funds free again. */
  readonly ended?: readonly { readonly subject: Subject; readonly state: 'POSTED' | 'VOIDED' }[];
  /** What is left of a credit of this transaction that was kept whole: what the merchant owes is collected from it. */
  readonly credits?: readonly Credit[];
  /**
   * Wallets whose free money this transaction needs for something else first. A later booking of it names them in
   * `freed` or `credits`; until then no debt and no hold takes it. The same is so of what is kept whole.
   */
  readonly kept?: ReadonlySet<string>;
  /** Wallets that were kept, and whose free money nothing else needs now. */
  readonly freed?: readonly Freed[];
};

/** A wallet in which money became free, and what freed it. */
export type Freed = { readonly walletId: string; readonly subject: Subject };

/**
 * Writes all transfers first; then every wallet they touch changes at once, locked by id. Transactions that touch the
 * same wallets in whatever order therefore never wait for each other in a ring. What becomes free in a wallet by
 * credits and by what ends goes to its claims: debts first, then holds that are short. Answers what it collected for
 * debts, which it has written too.
 */
export async function book(tx: Tx, booking: Booking, now: Date): Promise<readonly Posting[]> {
  const posted = transfersOf(booking.posted ?? [], 'POSTED', now);
  const held = transfersOf(booking.held ?? [], 'PENDING', now);
  await insertTransfers(tx, [...posted, ...held]);
  const changes = new WalletChanges();
  for (const leg of posted) changes.addPosted(leg);
  for (const leg of held) changes.addHeld(leg);
  const moved: WalletMovement[] = [...movementsOf(posted)];
  const voided: Freed[] = [];
  for (const state of ['POSTED', 'VOIDED'] as const) {
    const ended = (booking.ended ?? []).filter((one) => one.state === state).map(({ subject }) => subject);
    const legs = await endPending(tx, ended, state, now);
    for (const { walletId, amount } of legs) {
      changes.add(walletId, { posted: state === 'POSTED' ? -amount : 0n, held: -amount });
    }
    if (state === 'POSTED') moved.push(...legs);
    else voided.push(...legs);
  }
  const credits = [...(booking.posted ?? []).flatMap(creditsOf), ...(booking.credits ?? [])];
  const freed = [...credits, ...(booking.freed ?? []), ...voided];
  for (const { walletId } of freed) changes.add(walletId, NO_CHANGE);
  const wallets = await changeWallets(tx, changes.byId, moved);
  await changeDebts(tx, posted, now);
  const collected = collectionsOf(credits, wallets);
  if (collected.length > 0) await book(tx, { posted: collected }, now);
  const kept = keptBy(booking);
  const free = freed.filter(({ walletId }) => !kept.has(walletId) && isClaimed(wallets.get(walletId)));
  return free.length === 0 ? collected : [...collected, ...(await serveClaims(tx, free, now))];
}

function keptBy({ posted = [], kept = new Set() }: Booking): ReadonlySet<string> {
  const whole = posted.filter(({ isKeptWhole = false }) => isKeptWhole).flatMap(({ legs }) => legs);
  if (whole.length === 0) return kept;
  return new Set([
    ...kept,
    ...whole.flatMap(({ credit }) => (credit.type === 'WALLET' ? accountId(credit) : [])),
  ]);
}

/** Whether the wallet has money that something claims. In all others nothing more is read. */
function isClaimed(funds: WalletFunds | undefined): boolean {
  return funds !== undefined && funds.available > 0n && (funds.owed > 0n || funds.unheld > 0n);
}

/**
 * What is free in these wallets goes to what claims it, in this order: what the merchant owes and no hold covers, the
 * oldest debt first; then holds that are short, the oldest first. A debt is a fact, and what a hold is for may never
 * be. What holds want that could not be made yet stays.
 */
async function serveClaims(tx: Tx, freed: readonly Freed[], now: Date): Promise<readonly Posting[]> {
  const subjects = new Map(freed.toReversed().map(({ walletId, subject }) => [walletId, subject]));
  const collected: Posting[] = [];
  const parts: Posting[] = [];
  const filled: string[] = [];
  for (const walletId of [...subjects.keys()].toSorted()) {
    const [subject, claims] = [subjects.get(walletId), await findClaims(tx, walletId)];
    if (subject === undefined || claims === null) continue;
    const { merchantId, country, currency, provider, available, owed, covered, short, noted } = claims;
    const wallet = { type: 'WALLET', merchantId, country, currency, provider } as const;
    let free = available - noted;
    const amount = lesser(free, owed - covered);
    if (amount > 0n) {
      const firstLegNo = await nextCollectionLegNo(tx, subject);
      collected.push({ subject, template: 'COLLECT', firstLegNo, legs: [collectReceivable(wallet, amount)] });
      free -= amount;
    }
    if (free <= 0n || short === 0n) continue;
    parts.push(...(await fillHolds(tx, walletId, free)).map((part) => postingOfPart(wallet, part)));
    filled.push(walletId);
  }
  if (collected.length + parts.length > 0) await book(tx, { posted: collected, held: parts }, now);
  await refreshUnheld(tx, filled);
  return collected;
}

/** What is held further for a claim. */
function postingOfPart(wallet: Account, { holdId, merchantId, parts, more }: HoldPart): Posting {
  const subject = { merchantId, kind: 'HOLD', id: holdId };
  const legs = [{ debit: wallet, credit: beside(wallet, 'RECEIVABLE'), amount: more }];
  return { subject, template: 'HOLD', firstLegNo: legNoOfPart(parts), legs };
}

/**
 * A subject can free money more than once: each collection from it is a posting of its own, with ten numbers for its
 * legs, behind what its credits pay and before further cases.
 */
async function nextCollectionLegNo(tx: Tx, { kind, id }: Subject): Promise<number> {
  const { rows } = await tx.query<{ next: number }>(
    `select coalesce(max(leg_no / 10) * 10 + 10, $3)::int as next from transfers
     where subject_id = $1 and subject_kind = $2 and leg_no >= $3 and leg_no < 1000`,
    [id, kind, FREED_LEG_NO],
  );
  return rows[0]?.next ?? FREED_LEG_NO;
}

const FREED_LEG_NO = 700;

/** Writes postings that are facts. Answers what was collected from what they credit. */
export async function post(tx: Tx, postings: readonly Posting[], now: Date): Promise<readonly Posting[]> {
  return book(tx, { posted: postings }, now);
}

/** Answers what was pending in each wallet that was to pay. */
async function endPending(
  tx: Tx,
  subjects: readonly Subject[],
  state: 'POSTED' | 'VOIDED',
  now: Date,
): Promise<readonly (WalletMovement & Freed & { readonly amount: Amount })[]> {
  if (subjects.length === 0) return [];
  const { rows } = await tx.query<EndedRow>(
    `update transfers t set state = $3, settled_at = $4
     from unnest($1::uuid[], $2::text[]) as s (id, kind)
     where t.subject_id = s.id and t.subject_kind = s.kind and t.state = 'PENDING'
     returning t.debit_account_id, t.amount::text, t.subject_id as subject, t.subject_kind as kind, t.merchant_id,
       t.leg_no`,
    [subjects.map(({ id }) => id), subjects.map(({ kind }) => kind), state, now],
  );
  // A pending transfer that is not there was ended before, or never made: then the books and the payment disagree.
  if (new Set(rows.map(({ subject, kind }) => `${kind} ${subject}`)).size !== subjects.length)
    throw new Error('a pending transfer is missing');
  return rows.map((row) => ({
    walletId: row.debit_account_id,
    amount: amountOfNumeric(row.amount),
    merchantId: row.merchant_id,
    subjectId: row.subject,
    subject: { merchantId: row.merchant_id, kind: row.kind, id: row.subject },
    legNo: row.leg_no,
  }));
}

type EndedRow = {
  debit_account_id: string;
  amount: string;
  subject: string;
  kind: string;
  merchant_id: string;
  leg_no: number;
};

function transfersOf(postings: readonly Posting[], state: TransferState, now: Date): readonly TransferRow[] {
  return postings.flatMap(({ legs, firstLegNo, ...posting }) =>
    legs.map((leg, index) => ({ ...posting, ...leg, legNo: firstLegNo + index, state, createdAt: now })),
  );
}

const wallets = columns({
  country: 'text',
  currency: 'text',
  provider: 'text',
  posted: 'numeric',
  held: 'numeric',
});

export type WalletBalance = Row<typeof wallets>;

export async function listWallets(tx: Tx, merchantId: string): Promise<readonly WalletBalance[]> {
  return wallets.select(
    tx,
    `from wallets join accounts using (account_id)
     where wallets.merchant_id = $1 order by country, currency, provider`,
    [merchantId],
  );
}

const trialBalance = columns({
  type: 'text',
  country: 'text',
  currency: 'text',
  provider: 'text',
  /** Credits less debits. */
  balance: column<Amount>('numeric', 'sum(credits - debits)'),
});

export type TrialBalanceRow = Row<typeof trialBalance>;

/** The sum of posted transfers of every account of the platform and of merchants together, by account type. */
export async function listTrialBalance(tx: Tx): Promise<readonly TrialBalanceRow[]> {
  return trialBalance.query(
    tx,
    `with ${balancesOf('ALL')}
     select ${trialBalance.names} from balances join accounts using (account_id)
     where credits <> 0 or debits <> 0 group by 1, 2, 3, 4 order by 3, 2, 1, 4`,
  );
}

/** What accounts come to: credits less debits. */
export async function readBalances(
  tx: Tx,
  accountIds: readonly string[],
): Promise<ReadonlyMap<string, Amount>> {
  const { rows } = await tx.query<{ account_id: string; balance: string }>(
    `with ${balancesOf('THESE')}
     select account_id, credits - debits as balance from balances where account_id = any ($1)`,
    [accountIds],
  );
  return new Map(rows.map((row) => [row.account_id, amountOfNumeric(row.balance)]));
}

/**
 * Wallets whose row is not the sum of their transfers, posted, pending and owed, or of debts, or of what holds want.
 * There must be none.
 */
export async function listUnbalancedWallets(tx: Tx): Promise<readonly string[]> {
  const { rows } = await tx.query<{ account_id: string }>(
    `with ${balancesOf('ALL')}
     select w.account_id from wallets w join accounts a using (account_id)
     left join balances b on b.account_id = w.account_id
     left join accounts r on r.type = 'RECEIVABLE' and (r.merchant_id, r.country, r.currency, r.provider)
       = (a.merchant_id, a.country, a.currency, a.provider)
     left join balances o on o.account_id = r.account_id
     where ${countsHere('w')} and (w.posted <> coalesce(b.credits - b.debits, 0)
       or w.held <> coalesce(b.held - b.released, 0) or w.owed <> coalesce(o.debits - o.credits, 0)
       or w.unheld <> ${UNHELD}
       or w.owed <> (select coalesce(sum(amount - paid - forgiven), 0) from wallet_debts d
         where d.account_id = w.account_id and paid + forgiven < amount))`,
  );
  return rows.map((row) => row.account_id);
}

/** Each account once. Two transactions that make the same accounts in one order never wait for each other. */
function inOrderOfId(accounts: readonly Account[]): readonly Account[] {
  const byId = new Map(accounts.map((account) => [accountId(account), account]));
  return [...byId.keys()].toSorted().flatMap((id) => byId.get(id) ?? []);
}
