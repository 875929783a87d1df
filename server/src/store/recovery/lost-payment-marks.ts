// What cells tell each other of payments that a restore lost. The merchant of such a payment may live in any of them:
// it may have moved between the restore and the report.
import { column, columns, type Row } from '../columns.ts';
import type { Tx } from '../database.ts';
import { isAmong, rowInserter, unnested, valuesOf } from '../rows.ts';
import { names, type UnmatchedName } from './unmatched-payments.ts';

const marks = columns({ ...names.defs, cell: 'text', markedAt: 'timestamptz' });

export type LostPaymentMark = Row<typeof marks>;

/** In the order of names, so that two transactions that mark the same payments do not wait in a ring. */
export const insertMarks = rowInserter('lost_payment_marks', marks.cells, 'on conflict do nothing');

export async function listMarks(
  tx: Tx,
  known: readonly UnmatchedName[],
): Promise<readonly LostPaymentMark[]> {
  if (known.length === 0) return [];
  return marks.select(
    tx,
    `from lost_payment_marks where ${isAmong(names.cells)} order by provider, reference, direction, cell`,
    valuesOf(names.cells, known),
  );
}

/** The cell that it names does not have the payment any more. */
export async function deleteMark(
  tx: Tx,
  { provider, reference, direction, cell }: LostPaymentMark,
): Promise<void> {
  await tx.query(
    `delete from lost_payment_marks where provider = $1 and reference = $2 and direction = $3 and cell = $4`,
    [provider, reference, direction, cell],
  );
}

/** Some marks after one, in the order of names, to be written to another cell. */
export async function listMarksAfter(
  tx: Tx,
  { after, countMax }: { readonly after: LostPaymentMark | null; readonly countMax: number },
): Promise<readonly LostPaymentMark[]> {
  const { provider = '', reference = '', direction = '', cell = '' } = after ?? {};
  return marks.select(
    tx,
    `from lost_payment_marks where (provider, reference, direction, cell) > ($1, $2, $3, $4)
     order by provider, reference, direction, cell limit $5`,
    [provider, reference, direction, cell, countMax],
  );
}

/**
 * What a cell knows of a reference. BOOKED: it has the payment, and its money is in the books. PAYMENT: it has it, and
 * the money is not, or not yet. DECIDED: people there decided whose the money of the lost payment is. LOST: an approved
 * line there names it as lost too. NOTED: the same of a line that nobody has approved.
 */
export type KnownAs = 'BOOKED' | 'PAYMENT' | 'DECIDED' | 'LOST' | 'NOTED';

const known = columns({ ...names.defs, as: column<KnownAs>('text') });

/** What this cell knows of these names; those that it knows nothing of are left out. */
export async function listKnown(
  tx: Tx,
  asked: readonly UnmatchedName[],
): Promise<readonly (UnmatchedName & { readonly as: KnownAs })[]> {
  if (asked.length === 0) return [];
  return known.query(
    tx,
    `select n.provider, n.reference, n.direction, k.as from ${unnested(names.cells, 'n')}
     cross join lateral (
       (select case when p.state = 'COMPLETED' or exists (select from cases c where c.evidence = 'LATE_SUCCESS'
             and (c.merchant_id, c.kind, c.payment_id) = (a.merchant_id, a.kind, a.payment_id))
           then 'BOOKED' else 'PAYMENT' end as as
         from payment_attempts a left join payments p using (payment_no)
         where a.reference = n.reference limit 1)
       union all
       (select 'DECIDED' from lost_payment_decisions d
         where (d.provider, d.reference, d.direction) = (n.provider, n.reference, n.direction) and not d.is_copy)
       union all
       (select case when u.approved_at is null then 'NOTED' else 'LOST' end from unmatched_payments u
         where (u.provider, u.reference, u.direction) = (n.provider, n.reference, n.direction)
           and u.withdrawn_at is null
         order by u.approved_at is null limit 1)
       limit 1) k`,
    valuesOf(names.cells, asked),
  );
}
