// The books as a person walks through them: accounts, what moved on one of them, and everything one subject moved.
import type { Amount } from '../../domain/money.ts';
import type { Tx } from '../database.ts';
import type { Subject } from './ledger.ts';
import { column, columns, type Row } from '../columns.ts';

const names = columns({
  accountId: 'uuid',
  type: 'text',
  /** Null for accounts of the platform. */
  merchantId: column<string | null>('uuid null', 'a.merchant_id'),
  country: 'text',
  currency: 'text',
  provider: 'text',
});
const accounts = columns({ ...names.defs, posted: 'numeric null', held: 'numeric null' });

export type AccountName = Row<typeof names>;

/** A wallet has its balance in a row; what every other account holds is a sum. */
export type ListedAccount = AccountName & {
  readonly wallet: { readonly posted: Amount; readonly held: Amount } | null;
};

const FROM = 'from accounts a left join wallets w using (account_id)';

/** A merchant's, or those of the platform: some for each provider, never more with more payments. */
export async function listAccounts(tx: Tx, merchantId: string | null): Promise<readonly ListedAccount[]> {
  const owner = merchantId === null ? 'a.merchant_id is null' : 'a.merchant_id = $1';
  const tail = `${FROM} where ${owner} order by currency, country, type, provider`;
  const rows = await accounts.select(tx, tail, merchantId === null ? [] : [merchantId]);
  return rows.map(accountOf);
}

export async function findAccount(tx: Tx, accountId: string): Promise<ListedAccount | null> {
  const found = await accounts.find(tx, `${FROM} where account_id = $1`, [accountId]);
  return found === null ? null : accountOf(found);
}

function accountOf({ posted, held, ...account }: Row<typeof accounts>): ListedAccount {
  return { ...account, wallet: posted === null || held === null ? null : { posted, held } };
}

const movements = columns({
  merchantId: 'uuid',
  kind: column<string>('text', 'subject_kind'),
  /** Of a payment its number. */
  subjectId: 'uuid',
  /** As people know it: of a payment its identifier. */
  id: column<string>('uuid', 'coalesce(p.payment_id, subject_id)'),
  legNo: 'int',
  template: 'text',
  state: column<'PENDING' | 'POSTED' | 'VOIDED'>('text'),
  debitAccountId: 'uuid',
  creditAccountId: 'uuid',
  amount: 'numeric',
  createdAt: 'timestamptz',
  /** When a hold ended. */
  settledAt: 'timestamptz null',
});

export type Movement = Row<typeof movements>;

/** A cursor in the list below. */
export type MovementCursor = Pick<Movement, 'createdAt' | 'subjectId' | 'kind' | 'merchantId' | 'legNo'>;

const FIRST_ID = '00000000-0000-0000-0000-000000000000';

const side = (account: string) => `(select * from transfers
   where ${account} = $1 and created_at <= $2
     and (created_at, subject_id, subject_kind, merchant_id, leg_no) < ($2, $3, $4, $5, $6)
   order by created_at desc, subject_id desc, subject_kind desc, merchant_id desc, leg_no desc limit $7)`;

/** What moved on an account, the newest first, by `transfers_by_debit_account` and `transfers_by_credit_account`. */
export async function listMovements(
  tx: Tx,
  {
    accountId,
    after,
    countMax,
  }: { readonly accountId: string; readonly after: MovementCursor | null; readonly countMax: number },
): Promise<readonly Movement[]> {
  return movements.query(
    tx,
    `select ${movements.namesIn('t')} from (
       ${side('debit_account_id')} union all ${side('credit_account_id')}) t
     left join payments p on p.payment_no = t.subject_id
     order by t.created_at desc, t.subject_id desc, t.subject_kind desc, t.merchant_id desc, t.leg_no desc limit $7`,
    [
      accountId,
      after?.createdAt ?? 'infinity',
      after?.subjectId ?? FIRST_ID,
      after?.kind ?? '',
      after?.merchantId ?? FIRST_ID,
      after?.legNo ?? 0,
      countMax,
    ],
  );
}

/** Everything that was moved for a payment, a top-up, a settlement or an adjustment, in order. */
export async function listLegs(tx: Tx, { merchantId, kind, id }: Subject): Promise<readonly Movement[]> {
  return movements.query(
    tx,
    `select ${movements.namesIn('t')} from transfers t left join payments p on p.payment_no = t.subject_id
     where t.merchant_id = $1 and t.subject_kind = $2 and t.subject_id = coalesce((
       select payment_no from payment_keys where merchant_id = $1 and payment_id = $3 and kind = (
         select one from unnest(enum_range(null::payment_kind)) as one where one::text = $2)), $3)
     order by t.leg_no`,
    [merchantId, kind, id],
  );
}

/** The names of accounts, by identifier. */
export async function listAccountNames(
  tx: Tx,
  accountIds: readonly string[],
): Promise<ReadonlyMap<string, AccountName>> {
  const ids = [...new Set(accountIds)];
  const rows = await names.select(tx, 'from accounts a where account_id = any($1)', [ids]);
  return new Map(rows.map((account) => [account.accountId, account]));
}
