// Whose the money of lost payments is that their merchants do not send again, as two people decided. Every cell has
// each decision: wherever the payment's merchant lives, the payment is not sent. Nothing here names a person.
import type { DecidedPayment, LostPaymentBearer } from '../../domain/ledger/lost-payment.ts';
import type { PaymentKey } from '../../domain/payments/payment.ts';
import { column, columns, type Row } from '../columns.ts';
import type { Tx } from '../database.ts';
import { isAmong, isChanged, oneRowInserter, rowInserter, valuesOf } from '../rows.ts';
import { names, type UnmatchedName } from './unmatched-payments.ts';

const decided = columns({
  decisionId: 'uuid',
  ...names.defs,
  country: 'text',
  currency: 'text',
  amount: 'numeric',
  providerTransactionId: 'text null',
  occurredAt: 'timestamptz',
  bearer: column<LostPaymentBearer>('text'),
  bearerMerchantId: 'uuid null',
  walletProvider: 'text',
  cell: 'text',
  decidedAt: 'timestamptz',
});

/** A decision as it was approved. */
export type Decided = Row<typeof decided> & DecidedPayment;

const stored = columns({
  ...decided.defs,
  postedBackAt: 'timestamptz null',
  merchantId: 'uuid null',
  kind: 'payment_kind null',
  paymentId: 'uuid null',
});

/** With the payment that was booked after all; null while it was not sent again. */
export type StoredDecision = Row<typeof stored>;

/** Needs the approval of its own identifier in the same transaction. Throws where the name was decided before. */
export const insertDecision = oneRowInserter<Decided>('lost_payment_decisions', decided.cells);

/** Decisions under these names whose payment is not in the books, locked in the order of names. */
export async function lockDecisions(tx: Tx, known: readonly UnmatchedName[]): Promise<readonly Decided[]> {
  if (known.length === 0) return [];
  return decided.select(
    tx,
    `from lost_payment_decisions where ${isAmong(names.cells)} and posted_back_at is null
     order by provider, reference, direction for update`,
    valuesOf(names.cells, known),
  );
}

/** All decisions under these names, without a lock. */
export async function listDecisions(
  tx: Tx,
  known: readonly UnmatchedName[],
): Promise<readonly StoredDecision[]> {
  if (known.length === 0) return [];
  return stored.select(
    tx,
    `from lost_payment_decisions where ${isAmong(names.cells)} order by provider, reference, direction`,
    valuesOf(names.cells, known),
  );
}

/** For people: the latest first. */
export async function listLatestDecisions(tx: Tx, countMax: number): Promise<readonly StoredDecision[]> {
  return stored.select(tx, 'from lost_payment_decisions order by decided_at desc, decision_id limit $1', [
    countMax,
  ]);
}

/** Whether anything was ever decided here, or came from another cell. */
export async function isAnyDecided(tx: Tx): Promise<boolean> {
  // Every reference is more than nothing: it is one step into an index.
  return isChanged(tx, `select 1 from lost_payment_decisions where reference > '' limit 1`, []);
}

/** The payment is in the books from now on. The database refuses a second time. */
export async function markPostedBack(
  tx: Tx,
  { decisionId, to }: { readonly decisionId: string; readonly to: PaymentKey },
  now: Date,
): Promise<void> {
  await tx.query(
    `with changed as (
       update lost_payment_decisions set posted_back_at = $2, merchant_id = $3, kind = $4, payment_id = $5
       where decision_id = $1 returning provider, reference, direction)
     update operator_report_lines l set merchant_id = $3, kind = $4, payment_id = $5
     from changed join unmatched_payments u using (provider, reference, direction)
     where (l.provider, l.line_hash) = (u.provider, u.line_hash) and u.decided_at is not null`,
    [decisionId, now, to.merchantId, to.kind, to.paymentId],
  );
}

/** Some decisions after a name, in the order of names, to be written to another cell. */
export async function listDecisionsAfter(
  tx: Tx,
  { after, countMax }: { readonly after: UnmatchedName | null; readonly countMax: number },
): Promise<readonly StoredDecision[]> {
  const { provider = '', reference = '', direction = '' } = after ?? {};
  return stored.select(
    tx,
    `from lost_payment_decisions where (provider, reference, direction) > ($1, $2, $3)
     order by provider, reference, direction limit $4`,
    [provider, reference, direction, countMax],
  );
}

const copied = columns({ ...stored.defs, isCopy: 'bool' });

/** What the cell has stays, but that it learns which payment was booked after all. */
const insertCopies = rowInserter<Row<typeof copied>>(
  'lost_payment_decisions',
  copied.cells,
  `on conflict (provider, reference, direction) do update set posted_back_at = excluded.posted_back_at,
     merchant_id = excluded.merchant_id, kind = excluded.kind, payment_id = excluded.payment_id
   where lost_payment_decisions.posted_back_at is null and excluded.posted_back_at is not null`,
);

/** Writes decisions of another cell. In the order of names, so that two copies at once do not wait in a ring. */
export async function copyDecisions(tx: Tx, decisions: readonly StoredDecision[]): Promise<void> {
  await insertCopies(
    tx,
    decisions.map((one) => ({ ...one, isCopy: true })),
  );
}
