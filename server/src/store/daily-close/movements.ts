// What our books moved on the float account of an operator, and where that account stood.
import type { Amount } from '../../domain/money.ts';
import type { Movement } from '../../domain/reconciliation/daily-close.ts';
import type { PlatformAccount } from '../../domain/ledger/postings.ts';
import type { PaymentKey } from '../../domain/payments/payment.ts';
import { column, columns } from '../columns.ts';
import type { Tx } from '../database.ts';
import { countsHere } from '../ledger/ledger-rollups.ts';
import { readBalances } from '../ledger/ledger.ts';
import { accountId } from '../ledger/wallet-funds.ts';
import { listAttemptsByReference, listTransactionOwners } from '../payments/attempts.ts';

export type FloatAccount = PlatformAccount & { readonly type: 'FLOAT' };

/** A span of time; without an end, until now. */
export type Span = { readonly from: Date; readonly to: Date | null };

const MOVED = `merchant_id, subject_kind, subject_id, template, debit_account_id, amount, created_at, settled_at`;

/** What left for another cell or came from there: the account at the operator did not move. */
const BETWEEN_CELLS = `subject_kind = 'CELL_END'`;

/** Each account is one step into its index; what was held counts when it was posted, by `transfers_by_settlement`. */
function movedIn({ to }: Span): string {
  const within = (time: string) => `${time} >= $2 ${to === null ? '' : `and ${time} < $3`}`;
  const made = (side: string) => `
    select ${MOVED} from transfers t where ${side} = $1 and ${within('created_at')} and state = 'POSTED'
      and not ${BETWEEN_CELLS}
      and settled_at is null and ${countsHere('t')}`;
  return `moved as (
    ${made('debit_account_id')} union all ${made('credit_account_id')} union all
    select ${MOVED} from transfers t where ${within('settled_at')} and settled_at is not null and state = 'POSTED'
      and $1 in (debit_account_id, credit_account_id) and ${countsHere('t')})`;
}

const SIGNED = 'sum(case when debit_account_id = $1 then amount else -amount end)';

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

/** Postings, each once: the legs of one are added up. Above zero it came to us. */
export async function listMovements(tx: Tx, account: FloatAccount, span: Span): Promise<readonly Movement[]> {
  const values = [accountId(account), span.from, ...(span.to === null ? [] : [span.to])];
  const rows = await postings.query(
    tx,
    `with ${movedIn(span)}, posted as (
       select subject_kind, subject_id, ${SIGNED} as amount, min(coalesce(settled_at, created_at)) as at
       from moved group by subject_kind, subject_id, template)
     select m.subject_kind as "subjectKind", m.subject_id as "subjectId", m.amount, m.at,
       p.merchant_id as "merchantId", p.kind, p.payment_id as "paymentId",
       p.provider_transaction_id as "transactionId", a.reference
     from posted m left join payments p on p.payment_no = m.subject_id
     left join lateral (select reference from payment_attempts a where a.payment_no = p.payment_no
       order by attempt_no desc limit 1) a on true
     where m.amount <> 0`,
    values,
  );
  const strange = rows.some(({ paymentId }) => paymentId === null);
  const names = strange ? await listNames(tx, account.provider) : new Map<string, string>();
  return rows.map((row) => {
    const { merchantId, kind, paymentId, amount, at, reference } = row;
    if (merchantId !== null && kind !== null && paymentId !== null) {
      const payment = { merchantId, kind, paymentId };
      return { payment, reference, transactionId: row.transactionId, amount, at, float: null };
    }
    const name = names.get(row.subjectId) ?? row.subjectId;
    const isUnmatched = row.subjectKind === 'UNMATCHED';
    const named = isUnmatched
      ? { reference: name, transactionId: null, float: null }
      : { reference: null, transactionId: name, float: row.subjectKind };
    return { payment: null, amount, at, ...named };
  });
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
  return new Map([...moved.rows, ...lost.rows].map(({ id, reference }) => [id, reference]));
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
