// The guarded balance rows of wallets: what is posted and held in each, and what its merchant owes beside it. They
// change with the transfers of store/ledger/ledger.ts, locked by identifier.
import { renderAmount, type Amount } from '../../domain/money.ts';
import { beside, type Account, type Leg } from '../../domain/ledger/postings.ts';
import type { Tx } from '../database.ts';
import { derivedUuid } from '../derived-uuid.ts';
import { amountOfNumeric } from '../columns.ts';
import { queuedValues, queuedWith } from '../events/event-queue.ts';
import { eventsOf, type WalletMovement } from './moved-wallets.ts';

/** The identifier of an account follows from its name: no look-up, and the same in every cell. */
export function accountId(account: Account): string {
  const { type, country, currency, provider } = account;
  return derivedUuid([type, ownerOf(account) ?? 'platform', country, currency, provider].join('/'));
}

export function ownerOf(account: Account): string | null {
  return 'merchantId' in account ? account.merchantId : null;
}

/**
 * What a wallet has available, posted less held, what its merchant owes beside it, and what its holds want beyond what
 * they hold.
 */
export type WalletFunds = { readonly available: Amount; readonly owed: Amount; readonly unheld: Amount };

/** What wallet `w` owes beyond what is held for it. */
export const UNCOVERED = `case when w.owed > 0 then greatest(0, w.owed - (
  select coalesce(sum(h.amount), 0) from wallet_holds h
  where h.merchant_id = w.merchant_id and h.account_id = w.account_id and h.released_at is null
    and h.evidence = 'LATE_FAILURE')) else 0 end`;

/** Whether wallet `w` has less available than must stay in it: what it owes uncovered, and what its holds want. */
export const IS_SHORT_OF_CLAIMS = `w.posted - w.held < w.unheld + ${UNCOVERED}`;

/** `uncovered` is what the wallet owes beyond what is held for it. */
export type FundsAndClaims = WalletFunds & { readonly uncovered: Amount };

export const NO_FUNDS: FundsAndClaims = { available: 0n, owed: 0n, unheld: 0n, uncovered: 0n };

/** How much of what is available must stay in the wallet, whatever leaves it: also what a refund gives back. */
export function mustStay({ unheld, uncovered }: FundsAndClaims): Amount {
  return unheld + uncovered;
}

/** Locks wallets by id. One that is not listed was never made: it has nothing and owes nothing. */
export async function lockFunds(
  tx: Tx,
  wallets: readonly Account[],
): Promise<ReadonlyMap<string, FundsAndClaims>> {
  return selectFunds(tx, wallets, 'for update');
}

/** The same without a lock: a moment later it may be something else. */
export async function readFundsAndClaims(
  tx: Tx,
  wallets: readonly Account[],
): Promise<ReadonlyMap<string, FundsAndClaims>> {
  return selectFunds(tx, wallets, '');
}

async function selectFunds(
  tx: Tx,
  wallets: readonly Account[],
  lock: 'for update' | '',
): Promise<ReadonlyMap<string, FundsAndClaims>> {
  const ids = [...new Set(wallets.map(accountId))].toSorted();
  if (ids.length === 0) return new Map();
  const { rows } = await tx.query<FundsRow>(
    `select account_id, (posted - held)::text as available, owed::text, unheld::text
     from wallets where account_id = any($1) order by account_id ${lock}`,
    [ids],
  );
  const funds = rows.map(fundsOf);
  const uncovered = await listUncovered(
    tx,
    funds.filter(([, { owed }]) => owed > 0n).map(([id]) => id),
  );
  return new Map(funds.map(([id, one]) => [id, { ...one, uncovered: uncovered.get(id) ?? 0n }]));
}

/** What a wallet has and owes, without a lock: a moment later it may be something else. */
export async function readFunds(tx: Tx, wallet: Account): Promise<WalletFunds> {
  const { rows } = await tx.query<FundsRow>(
    `select account_id, (posted - held)::text as available, owed::text, unheld::text
     from wallets where account_id = $1`,
    [accountId(wallet)],
  );
  return rows.map(fundsOf)[0]?.[1] ?? NO_FUNDS;
}

/** Asked with the locks, so that it sees the holds that were made or ended while a lock was waited for. */
async function listUncovered(tx: Tx, owing: readonly string[]): Promise<ReadonlyMap<string, Amount>> {
  if (owing.length === 0) return new Map();
  const { rows } = await tx.query<{ account_id: string; uncovered: string }>(
    `select account_id, (${UNCOVERED})::text as uncovered from wallets w where account_id = any($1)`,
    [owing],
  );
  return new Map(rows.map((row) => [row.account_id, amountOfNumeric(row.uncovered)]));
}

type WalletChange = { readonly posted: Amount; readonly held: Amount; readonly owed?: Amount };

export const NO_CHANGE: WalletChange = { posted: 0n, held: 0n };

/** How much each touched wallet changes. A wallet is a liability: credits make it grow. */
export class WalletChanges {
  readonly byId = new Map<string, WalletChange>();

  addPosted({ debit, credit, amount }: Leg): void {
    if (debit.type === 'WALLET') this.add(accountId(debit), { posted: -amount, held: 0n });
    if (credit.type === 'WALLET') this.add(accountId(credit), { posted: amount, held: 0n });
    this.#addOwed(debit, amount);
    this.#addOwed(credit, -amount);
  }

  addHeld({ debit, amount }: Leg): void {
    if (debit.type === 'WALLET') this.add(accountId(debit), { posted: 0n, held: amount });
  }

  add(walletId: string, change: WalletChange): void {
    const { posted, held, owed = 0n } = this.byId.get(walletId) ?? NO_CHANGE;
    this.byId.set(walletId, {
      posted: posted + change.posted,
      held: held + change.held,
      owed: owed + (change.owed ?? 0n),
    });
  }

  #addOwed(account: Account, owed: Amount): void {
    if (account.type === 'RECEIVABLE') this.add(accountId(beside(account, 'WALLET')), { ...NO_CHANGE, owed });
  }
}

/**
 * Changes wallets, locked by id. PostgreSQL refuses what would leave less than nothing available. `moved` becomes
 * events of the merchants' feeds.
 */
export async function changeWallets(
  tx: Tx,
  changes: ReadonlyMap<string, WalletChange>,
  moved: readonly WalletMovement[],
): Promise<ReadonlyMap<string, WalletFunds>> {
  if (changes.size === 0) return new Map();
  const entries = [...changes].toSorted(([a], [b]) => (a < b ? -1 : 1));
  const ids = entries.map(([id]) => id);
  if (ids.length > 1) {
    await tx.query('select 1 from wallets where account_id = any($1) order by account_id for update', [ids]);
  }
  const { rows } = await tx.query<FundsRow>(
    `${queuedWith('M', 5)}
     update wallets w set posted = w.posted + c.posted, held = w.held + c.held, owed = w.owed + c.owed
     from unnest($1::uuid[], $2::numeric[], $3::numeric[], $4::numeric[]) as c (account_id, posted, held, owed)
     where w.account_id = c.account_id returning w.account_id, (w.posted - w.held)::text as available, w.owed::text,
       w.unheld::text`,
    [
      ids,
      entries.map(([, { posted }]) => renderAmount(posted)),
      entries.map(([, { held }]) => renderAmount(held)),
      entries.map(([, { owed = 0n }]) => renderAmount(owed)),
      ...queuedValues(eventsOf(moved)),
    ],
  );
  if (rows.length !== ids.length) throw new Error(`${rows.length} of ${ids.length} wallets moved`);
  return new Map(rows.map(fundsOf));
}

type FundsRow = { account_id: string; available: string; owed: string; unheld: string };

function fundsOf({ account_id: id, ...row }: FundsRow): readonly [string, WalletFunds] {
  const [available, owed, unheld] = [row.available, row.owed, row.unheld].map(amountOfNumeric);
  return [id, { available: available ?? 0n, owed: owed ?? 0n, unheld: unheld ?? 0n }];
}
