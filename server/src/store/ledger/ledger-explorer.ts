// The books as a person walks through them: accounts, what moved on one of them, and everything one subject moved.
import type { Amount } from '../../domain/money.ts';
import type { Tx } from '../database.ts';
import type { Subject } from './ledger.ts';
import { amountOfNumeric } from '../columns.ts';

export type AccountName = {
  readonly accountId: string;
  readonly type: string;
  /** Null for accounts of the platform. */
  readonly merchantId: string | null;
  readonly country: string;
  readonly currency: string;
  readonly provider: string;
};

/** A wallet has its balance in a row; what every other account holds is a sum. */
export type ListedAccount = AccountName & {
  readonly wallet: { readonly posted: Amount; readonly held: Amount } | null;
};

type AccountRow = AccountName & { readonly posted: string | null; readonly held: string | null };

const NAMED = `account_id as "accountId", type, a.merchant_id as "merchantId", country, currency, provider`;

/** A merchant's, or those of the platform: some for each provider, never more with more payments. */
export async function listAccounts(tx: Tx, merchantId: string | null): Promise<readonly ListedAccount[]> {
  const owner = merchantId === null ? 'a.merchant_id is null' : 'a.merchant_id = $1';
  const { rows } = await tx.query<AccountRow>(
    `select ${NAMED}, w.posted, w.held from accounts a left join wallets w using (account_id)
     where ${owner} order by currency, country, type, provider`,
    merchantId === null ? [] : [merchantId],
  );
  return rows.map(accountOf);
}

export async function findAccount(tx: Tx, accountId: string): Promise<ListedAccount | null> {
  const { rows } = await tx.query<AccountRow>(
    `select ${NAMED}, w.posted, w.held from accounts a left join wallets w using (account_id)
     where account_id = $1`,
    [accountId],
  );
  return rows[0] === undefined ? null : accountOf(rows[0]);
}

function accountOf({ posted, held, ...account }: AccountRow): ListedAccount {
  const wallet =
    posted === null || held === null
      ? null
      : { posted: amountOfNumeric(posted), held: amountOfNumeric(held) };
  return { ...account, wallet };
}

export type Movement = Subject & {
  readonly legNo: number;
  readonly template: string;
  readonly state: 'PENDING' | 'POSTED' | 'VOIDED';
  readonly debitAccountId: string;
  readonly creditAccountId: string;
  readonly amount: Amount;
  readonly createdAt: Date;
  /** When a hold ended. */
  readonly settledAt: Date | null;
};

type MovementRow = Omit<Movement, 'amount'> & { readonly amount: string };

const MOVED = `merchant_id as "merchantId", subject_kind as kind, subject_id as id, leg_no as "legNo", template, state,
  debit_account_id as "debitAccountId", credit_account_id as "creditAccountId", amount, created_at as "createdAt",
  settled_at as "settledAt"`;

/** A place in the list below. */
export type MovementPlace = Pick<Movement, 'createdAt' | 'id' | 'kind' | 'merchantId' | 'legNo'>;

const FIRST_ID = '00000000-0000-0000-0000-000000000000';

const side = (column: string) => `(select ${MOVED} from transfers
   where ${column} = $1 and created_at <= $2
     and (created_at, subject_id, subject_kind, merchant_id, leg_no) < ($2, $3, $4, $5, $6)
   order by created_at desc, subject_id desc, subject_kind desc, merchant_id desc, leg_no desc limit $7)`;

/** What moved on an account, the newest first, by `transfers_by_debit_account` and `transfers_by_credit_account`. */
export async function listMovements(
  tx: Tx,
  {
    accountId,
    after,
    countMax,
  }: { readonly accountId: string; readonly after: MovementPlace | null; readonly countMax: number },
): Promise<readonly Movement[]> {
  const { rows } = await tx.query<MovementRow>(
    `select * from (${side('debit_account_id')} union all ${side('credit_account_id')}) moved
     order by "createdAt" desc, id desc, kind desc, "merchantId" desc, "legNo" desc limit $7`,
    [
      accountId,
      after?.createdAt ?? 'infinity',
      after?.id ?? FIRST_ID,
      after?.kind ?? '',
      after?.merchantId ?? FIRST_ID,
      after?.legNo ?? 0,
      countMax,
    ],
  );
  return rows.map(movementOf);
}

/** Everything that was moved for a payment, a top-up, a settlement or an adjustment, in order. */
export async function listLegs(tx: Tx, { merchantId, kind, id }: Subject): Promise<readonly Movement[]> {
  const { rows } = await tx.query<MovementRow>(
    `select ${MOVED} from transfers where merchant_id = $1 and subject_kind = $2 and subject_id = $3 order by leg_no`,
    [merchantId, kind, id],
  );
  return rows.map(movementOf);
}

/** The names of accounts, by identifier. */
export async function listAccountNames(
  tx: Tx,
  accountIds: readonly string[],
): Promise<ReadonlyMap<string, AccountName>> {
  const { rows } = await tx.query<AccountName>(`select ${NAMED} from accounts a where account_id = any($1)`, [
    [...new Set(accountIds)],
  ]);
  return new Map(rows.map((account) => [account.accountId, account]));
}

function movementOf(row: MovementRow): Movement {
  return { ...row, amount: amountOfNumeric(row.amount) };
}
