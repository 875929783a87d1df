// The books: accounts, transfers of one debit and one credit, and the guarded balance of merchant wallets.
import { renderAmount, type Amount } from '../domain/money.ts';
import type { Account, Leg } from '../domain/postings.ts';
import type { Tx } from './database.ts';
import { derivedUuid } from './derived-uuid.ts';
import { amountOfNumeric, rowInserter } from './rows.ts';

/** What a transfer is about: a payment by kind and identifier, or an act such as a top-up. */
export type Subject = { readonly merchantId: string; readonly kind: string; readonly id: string };

export type Posting = {
  readonly subject: Subject;
  readonly template: string;
  /** Where this posting's legs begin: 0 for the first posting of a subject. */
  readonly firstLegNo: number;
  readonly legs: readonly Leg[];
};

type TransferRow = Leg &
  Omit<Posting, 'legs' | 'firstLegNo'> & { readonly legNo: number; readonly createdAt: Date };

const insertTransfers = rowInserter<TransferRow>('transfers', [
  ['merchant_id', 'uuid', (transfer) => transfer.subject.merchantId],
  ['subject_kind', 'text', (transfer) => transfer.subject.kind],
  ['subject_id', 'uuid', (transfer) => transfer.subject.id],
  ['leg_no', 'int', (transfer) => transfer.legNo],
  ['template', 'text', (transfer) => transfer.template],
  ['debit_account_id', 'uuid', (transfer) => accountId(transfer.debit)],
  ['credit_account_id', 'uuid', (transfer) => accountId(transfer.credit)],
  ['amount', 'numeric', (transfer) => renderAmount(transfer.amount)],
  ['state', 'transfer_state', () => 'POSTED'],
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

/** The identifier of an account follows from its name: no look-up, and the same in every cell. */
export function accountId(account: Account): string {
  const { type, country, currency, provider } = account;
  return derivedUuid([type, ownerOf(account) ?? 'house', country, currency, provider].join('/'));
}

/** Makes accounts (and the balance rows of wallets) that are not there yet. */
export async function ensureAccounts(tx: Tx, accounts: readonly Account[]): Promise<void> {
  await insertAccounts(tx, accounts);
  await insertWallets(
    tx,
    accounts.filter((account) => account.type === 'WALLET'),
  );
}

/** Writes postings and moves the wallets they touch, wallets locked by id. A posting made before throws. */
export async function post(tx: Tx, postings: readonly Posting[], now: Date): Promise<void> {
  const transfers = postings.flatMap(({ legs, firstLegNo, ...posting }) =>
    legs.map((leg, index) => ({ ...posting, ...leg, legNo: firstLegNo + index, createdAt: now })),
  );
  await insertTransfers(tx, transfers);
  await moveWallets(tx, walletChanges(transfers));
}

/** How much each touched wallet grows or shrinks. A wallet is a liability: credits make it grow. */
function walletChanges(legs: readonly Leg[]): ReadonlyMap<string, Amount> {
  const changes = new Map<string, Amount>();
  const add = (account: Account, amount: Amount) => {
    if (account.type !== 'WALLET') return;
    const id = accountId(account);
    changes.set(id, (changes.get(id) ?? 0n) + amount);
  };
  for (const leg of legs) {
    add(leg.debit, -leg.amount);
    add(leg.credit, leg.amount);
  }
  return changes;
}

async function moveWallets(tx: Tx, changes: ReadonlyMap<string, Amount>): Promise<void> {
  if (changes.size === 0) return;
  const ids = [...changes.keys()].toSorted();
  if (ids.length > 1) {
    await tx.query('select 1 from wallets where account_id = any($1) order by account_id for update', [ids]);
  }
  const { rowCount } = await tx.query(
    `update wallets w set posted = w.posted + c.change
     from unnest($1::uuid[], $2::numeric[]) as c (account_id, change) where w.account_id = c.account_id`,
    [ids, ids.map((id) => renderAmount(changes.get(id) ?? 0n))],
  );
  if (rowCount !== ids.length) throw new Error(`${rowCount} of ${ids.length} wallets moved`);
}

export type WalletBalance = {
  readonly country: string;
  readonly currency: string;
  readonly provider: string;
  readonly posted: Amount;
  readonly held: Amount;
};

export async function listWallets(tx: Tx, merchantId: string): Promise<readonly WalletBalance[]> {
  const { rows } = await tx.query<{
    country: string;
    currency: string;
    provider: string;
    posted: string;
    held: string;
  }>(
    `select country, currency, provider, posted, held from wallets join accounts using (account_id)
     where wallets.merchant_id = $1 order by country, currency, provider`,
    [merchantId],
  );
  return rows.map((row) => ({
    ...row,
    posted: amountOfNumeric(row.posted),
    held: amountOfNumeric(row.held),
  }));
}

export type TrialBalanceRow = {
  readonly type: string;
  readonly country: string;
  readonly currency: string;
  readonly provider: string;
  /** Credits less debits. */
  readonly balance: Amount;
};

/** The sum of posted transfers of every account of the house and of merchants together, by account type. */
export async function listTrialBalance(tx: Tx): Promise<readonly TrialBalanceRow[]> {
  const { rows } = await tx.query<Omit<TrialBalanceRow, 'balance'> & { balance: string }>(
    `select type, country, currency, provider, sum(change) as balance from (
       select credit_account_id as account_id, amount as change from transfers where state = 'POSTED'
       union all
       select debit_account_id, -amount from transfers where state = 'POSTED') changes
     join accounts using (account_id) group by 1, 2, 3, 4 order by 3, 2, 1, 4`,
  );
  return rows.map((row) => ({ ...row, balance: amountOfNumeric(row.balance) }));
}

/** Wallets whose balance row is not the sum of their transfers. There must be none. */
export async function listUnbalancedWallets(tx: Tx): Promise<readonly string[]> {
  const { rows } = await tx.query<{ account_id: string }>(
    `select w.account_id from wallets w
     where w.posted <> coalesce((select sum(amount) from transfers t where t.credit_account_id = w.account_id and t.state = 'POSTED'), 0)
                     - coalesce((select sum(amount) from transfers t where t.debit_account_id = w.account_id and t.state = 'POSTED'), 0)`,
  );
  return rows.map((row) => row.account_id);
}

function ownerOf(account: Account): string | null {
  return 'merchantId' in account ? account.merchantId : null;
}
