// What our books moved on the float account of an operator, and where that account stood.
import type { Amount } from '../../domain/money.ts';
import type { Movement } from '../../domain/reconciliation/daily-close.ts';
import type { PlatformAccount } from '../../domain/ledger/postings.ts';
import type { PaymentKey } from '../../domain/payments/payment.ts';
import { column, columns, type Row } from '../columns.ts';
import type { Tx } from '../database.ts';
import { countsHere } from '../ledger/ledger-rollups.ts';
import { readBalances } from '../ledger/ledger.ts';
import { accountId } from '../ledger/wallet-funds.ts';
import { listAttemptsByReference, listTransactionOwners } from '../payments/attempts.ts';
import { fetchPages } from './whole-day.ts';

export type FloatAccount = PlatformAccount & { readonly type: 'FLOAT' };

/** A span of time; without an end, until now. */
export type Span = { readonly from: Date; readonly to: Date | null };

const MOVED = `merchant_id, subject_kind, subject_id, leg_no, template, debit_account_id, amount, created_at,
  settled_at`;

/** What left for another cell or came from there: the account at the operator did not move. */
const BETWEEN_CELLS = `subject_kind = 'CELL_END'`;

/**
 * Each account is one step into its index; what was held counts when it was posted, by `transfers_by_settlement`. Its
 * parameters are those of `valuesOf`, from number `first` on.
 */
export function movedIn({ to }: Span, first = 1): string {
  const account = `$${first}`;
  const within = (time: string) =>
    `${time} >= $${first + 1} ${to === null ? '' : `and ${time} < $${first + 2}`}`;
  const made = (side: string) => `
    select ${MOVED} from transfers t where ${side} = ${account} and ${within('created_at')} and state = 'POSTED'
      and not ${BETWEEN_CELLS}
      and settled_at is null and ${countsHere('t')}`;
  return `moved as (
    ${made('debit_account_id')} union all ${made('credit_account_id')} union all
    select ${MOVED} from transfers t where ${within('settled_at')} and settled_at is not null and state = 'POSTED'
      and ${account} in (debit_account_id, credit_account_id) and ${countsHere('t')})`;
}

export function signedSum(first = 1): string {
  return `sum(case when debit_account_id = $${first} then amount else -amount end)`;
}

const SIGNED = signedSum();

/** Kinds of subjects of postings that are payments. */
export const PAYMENT_SUBJECTS = `('DEPOSIT', 'PAYOUT', 'REFUND', 'REMITTANCE')`;

const postings = columns({
  subjectKind: 'text',
  subjectId: 'uuid',
  amount: 'numeric',
  at: 'timestamptz',
  merchantId: 'uuid null',
  kind: column<PaymentKey['kind'] | null>('payment_kind null'),
  paymentId: 'uuid null',
  transactionId: 'text null',
  reference: 'text null',
});

/** The parameters of `movedIn`. */
export function valuesOf(account: FloatAccount, span: Span): unknown[] {
  return [accountId(account), span.from, ...(span.to === null ? [] : [span.to])];
}

/** Postings of the rows of `moved`, each once: the legs of one are added up. Above zero it came to us. */
const POSTINGS = `posted as (
    select subject_kind, subject_id, template, ${SIGNED} as amount, min(coalesce(settled_at, created_at)) as at
    from moved group by subject_kind, subject_id, template)
  select m.subject_kind as "subjectKind", m.subject_id as "subjectId", m.amount, m.at,
    p.merchant_id as "merchantId", p.kind, p.payment_id as "paymentId",
    p.provider_transaction_id as "transactionId", a.reference
  from posted m left join payments p on p.payment_no = m.subject_id
  left join lateral (select reference from payment_attempts a where a.payment_no = p.payment_no
    order by attempt_no desc limit 1) a on true
  where m.amount <> 0 order by m.at, m.subject_id, m.template`;

/** All postings of a span of time, in the order of time. */
export async function* streamMovements(
  tx: Tx,
  account: FloatAccount,
  span: Span,
): AsyncGenerator<readonly Movement[]> {
  const query = `with ${movedIn(span)}, ${POSTINGS}`;
  const values = valuesOf(account, span);
  for await (const rows of fetchPages(tx, postings, { cursor: 'movements', query, values }))
    yield await nameMovements(tx, account.provider, rows);
}

/** The postings of a span of time that are about these payments. */
export async function listMovementsOf(
  tx: Tx,
  account: FloatAccount,
  span: Span & { readonly to: Date },
  payments: readonly PaymentKey[],
): Promise<readonly Movement[]> {
  const rows = await postings.query(
    tx,
    `with moved as (
       select t.* from unnest($4::uuid[], $5::payment_kind[], $6::uuid[]) as key (merchant_id, kind, payment_id)
       join payment_keys k using (merchant_id, kind, payment_id)
       cross join lateral (
         select * from transfers t where t.subject_id = k.payment_no and state = 'POSTED'
           and $1 in (debit_account_id, credit_account_id)
           and coalesce(settled_at, created_at) >= $2 and coalesce(settled_at, created_at) < $3
           and ${countsHere('t')} offset 0) t), ${POSTINGS}`,
    [...valuesOf(account, span), ...keyColumns(payments)],
  );
  return nameMovements(tx, account.provider, rows);
}

/** The postings of a span of time that are not about payments. They are few. */
export async function listOtherMovements(
  tx: Tx,
  account: FloatAccount,
  span: Span,
): Promise<readonly Movement[]> {
  const rows = await postings.query(
    tx,
    `with all_moved as (with ${movedIn(span)} select * from moved), moved as (
       select * from all_moved where subject_kind not in ${PAYMENT_SUBJECTS}), ${POSTINGS}`,
    valuesOf(account, span),
  );
  return nameMovements(tx, account.provider, rows);
}

const digests = columns({ count: 'bigint', net: 'numeric', digest: 'text' });

/** `digest` begins with `count`; `net` is by how much the account grew. */
export type MovementDigest = Row<typeof digests>;

/**
 * Counts and sums the postings of a span of time, and hashes every value of them that the comparison of a day uses. Two
 * equal digests mean that no posting was added, removed or changed in between.
 */
export async function digestMovements(
  tx: Tx,
  account: FloatAccount,
  { from, to }: Span & { readonly to: Date },
): Promise<MovementDigest> {
  const span = { from, to };
  const [row] = await digests.query(
    tx,
    `with ${movedIn(span)}
     select count(*) as count, coalesce(${SIGNED}, 0) as net, concat_ws(' ', count(*), sum(amount), ${SIGNED},
       bit_xor(hash_record_extended(
         row(merchant_id, subject_kind, subject_id, leg_no, template, debit_account_id, amount, created_at, settled_at),
         0))) as digest from moved`,
    valuesOf(account, span),
  );
  return row ?? { count: 0, net: 0n, digest: '' };
}

/** Payments as arrays of their columns, for `unnest`. */
export function keyColumns(payments: readonly PaymentKey[]): unknown[] {
  return [
    payments.map(({ merchantId }) => merchantId),
    payments.map(({ kind }) => kind),
    payments.map(({ paymentId }) => paymentId),
  ];
}

type Posting = Row<typeof postings>;

async function nameMovements(
  tx: Tx,
  provider: string,
  rows: readonly Posting[],
): Promise<readonly Movement[]> {
  const isUnnamed = rows.some(({ paymentId }) => paymentId === null);
  const names = isUnnamed ? await listNames(tx, provider) : new Map<string, string>();
  return rows.map((row) => {
    const { merchantId, kind, paymentId, amount, at, reference, transactionId } = row;
    if (merchantId === null || kind === null || paymentId === null) return namedMovement(row, names);
    return { payment: { merchantId, kind, paymentId }, reference, transactionId, amount, at, float: null };
  });
}

/** What is not about a payment, by the names that people know it by. */
export async function nameOtherMovements(
  tx: Tx,
  provider: string,
  rows: readonly Pick<Posting, 'subjectKind' | 'subjectId' | 'amount' | 'at'>[],
): Promise<readonly Movement[]> {
  if (rows.length === 0) return [];
  const names = await listNames(tx, provider);
  return rows.map((row) => namedMovement(row, names));
}

function namedMovement(
  { subjectKind, subjectId, amount, at }: Pick<Posting, 'subjectKind' | 'subjectId' | 'amount' | 'at'>,
  names: ReadonlyMap<string, string>,
): Movement {
  const name = names.get(subjectId) ?? subjectId;
  const named =
    subjectKind === 'UNMATCHED' || subjectKind === 'LOST_PAYMENT'
      ? { reference: name, transactionId: null, float: null }
      : { reference: null, transactionId: name, float: subjectKind };
  return { payment: null, amount, at, ...named };
}

/** The references of what is not about a payment: float movements, and payments that a restored database has lost. */
async function listNames(tx: Tx, provider: string): Promise<ReadonlyMap<string, string>> {
  const moved = await tx.query<{ id: string; reference: string }>(
    'select transfer_id as id, reference from posted_references where source = $1',
    [provider],
  );
  const lost = await tx.query<{ id: string; reference: string }>(
    'select unmatched_id as id, reference from unmatched_payments where provider = $1 and posted_at is not null',
    [provider],
  );
  const decided = await tx.query<{ id: string; reference: string }>(
    'select decision_id as id, reference from lost_payment_decisions where provider = $1',
    [provider],
  );
  return new Map([...moved.rows, ...lost.rows, ...decided.rows].map(({ id, reference }) => [id, reference]));
}

/**
 * Where the account stood at a time, as far as this cell has it. A float is money of ours: debits make it grow. What
 * was posted from one cell into another counts where it came from, at any time, as long as both are among `cells`,
 * which are added up: whichever of the two was asked first, the sum is the same. When one of the two is gone, it counts
 * where it is, also at times before it came.
 */
export async function findFloatAt(
  tx: Tx,
  account: FloatAccount,
  { at, cells }: { readonly at: Date; readonly cells: readonly string[] },
): Promise<Amount> {
  const id = accountId(account);
  const now = (await readBalances(tx, [id])).get(id) ?? 0n;
  const since = await columns({ amount: 'numeric' }).query(
    tx,
    `with ${movedIn({ from: at, to: null })} select coalesce(${SIGNED}, 0) as amount from moved`,
    [id, at],
  );
  const between = await columns({ amount: 'numeric' }).query(
    tx,
    `select coalesce(${SIGNED}, 0) as amount from cell_endings e
     join transfers t on t.subject_id = e.ending_id and t.subject_kind = 'CELL_END'
     where e.from_cell = any ($2) and e.to_cell = any ($2) and $1 in (t.debit_account_id, t.credit_account_id)`,
    [id, cells],
  );
  return -now - (since[0]?.amount ?? 0n) - (between[0]?.amount ?? 0n);
}

/** Of references and transactions, the payments that this cell knows by them. */
export async function listOwners(
  tx: Tx,
  named: {
    readonly provider: string;
    readonly references: readonly string[];
    readonly transactionIds: readonly string[];
  },
): Promise<{
  readonly byReference: ReadonlyMap<string, PaymentKey>;
  readonly byTransaction: ReadonlyMap<string, PaymentKey>;
}> {
  const { provider, references, transactionIds: providerTransactionIds } = named;
  const attempts = await listAttemptsByReference(tx, references);
  return {
    byReference: new Map(
      attempts.map(({ reference, merchantId, kind, paymentId }) => [
        reference,
        { merchantId, kind, paymentId },
      ]),
    ),
    byTransaction: await listTransactionOwners(tx, { provider, providerTransactionIds }),
  };
}
