// What the lines of a voided report have done: float movements and lost payments that they posted, cases that nothing
// but they say, and payments that they ended. Read when every line of the report is taken out, so that a line which
// stands in another file too is voided no more.
import type { FloatMovementType } from '../../domain/ledger/float-movement.ts';
import type { Amount } from '../../domain/money.ts';
import { column, columns, type Row } from '../columns.ts';
import type { Tx } from '../database.ts';
import { names, type UnmatchedName } from '../recovery/unmatched-payments.ts';
import { isChanged, paymentKeys } from '../rows.ts';

type Voided = { readonly provider: string; readonly reportId: string };

/** Its lines, without the rows that only change how often another one counts. */
const VOIDED_LINES = `operator_report_lines l where l.report_id = $1 and l.voided and l.of_hash is null`;

const floats = columns({
  transferId: 'uuid',
  type: column<FloatMovementType>('text'),
  provider: 'text',
  country: 'text',
  currency: 'text',
  amount: column<Amount>('numeric'),
  reference: 'text',
  isPostedBack: column<boolean>('bool', 'posted_back_at is not null'),
});

export type PostedFloat = Row<typeof floats>;

/** Float movements that were posted as voided lines said, also those that were posted back since. */
export async function listVoidedFloats(
  tx: Tx,
  { provider, reportId }: Voided,
): Promise<readonly PostedFloat[]> {
  return floats.select(
    tx,
    `from posted_references r where source = $2 and line_hash is not null and exists (
       select from ${VOIDED_LINES} and l.provider = r.source and l.line_hash = r.line_hash)
     order by posted_at, transfer_id`,
    [reportId, provider],
  );
}

/** Frees the reference for another movement. Answers false where it was free. Never without posting the money back. */
export async function markFloatPostedBack(tx: Tx, transferId: string, now: Date): Promise<boolean> {
  return isChanged(
    tx,
    'update posted_references set posted_back_at = $2 where transfer_id = $1 and posted_back_at is null',
    [transferId, now],
  );
}

/** The names of lost payments that voided lines had approval for, and that nobody has sent again or decided about. */
export async function listVoidedLost(
  tx: Tx,
  { provider, reportId }: Voided,
): Promise<readonly UnmatchedName[]> {
  return names.query(
    tx,
    `select distinct ${names.namesIn('u')} from unmatched_payments u
     where u.provider = $2 and u.approved_at is not null and u.released_at is null and u.withdrawn_at is null
       and u.decided_at is null
       and exists (select from ${VOIDED_LINES} and l.provider = u.provider and l.line_hash = u.line_hash)`,
    [reportId, provider],
  );
}

/** Of these rows of lost payments, those whose line is voided. */
export async function listOfVoidedLines(
  tx: Tx,
  unmatchedIds: readonly string[],
): Promise<ReadonlySet<string>> {
  const { rows } = await tx.query<{ unmatched_id: string }>(
    `select unmatched_id from unmatched_payments u
     join operator_report_lines l on (l.provider, l.line_hash) = (u.provider, u.line_hash)
     where unmatched_id = any ($1::uuid[]) and l.voided`,
    [unmatchedIds],
  );
  return new Set(rows.map((row) => row.unmatched_id));
}

const found = columns({ caseId: 'uuid', merchantId: 'uuid' });

/** Open cases that nothing but voided lines says, some of this report's among them; those after one, in their order. */
export async function listVoidedCases(
  tx: Tx,
  { reportId }: Voided,
  { after, countMax }: { readonly after: string; readonly countMax: number },
): Promise<readonly Row<typeof found>[]> {
  return found.query(
    tx,
    `with own as (
       select l.case_id from ${VOIDED_LINES} and l.case_id is not null
       union
       select c.case_id from ${VOIDED_LINES.replace(' where ', ' join cases c on c.line_hash = l.line_hash where ')}
         and c.resolved_at is null and l.payment_id = c.payment_id)
     select ${found.namesIn('c')} from cases c join own using (case_id)
     where c.resolved_at is null and c.line_hash is not null and is_of_voided_files(c) and c.case_id > $2
     order by c.case_id limit $3`,
    [reportId, after, countMax],
  );
}

/** Whether a case that is locked is still one of those. */
export async function isOfVoidedFiles(tx: Tx, caseId: string): Promise<boolean> {
  return isChanged(
    tx,
    `select from cases c
     where case_id = $1 and resolved_at is null and line_hash is not null and is_of_voided_files(c)`,
    [caseId],
  );
}

const ended = columns({ hash: column<Buffer>('bytea', 'line_hash'), ...paymentKeys.defs });

export type EndedPayment = Row<typeof ended>;

/** Payments that voided lines have ended, and that no other line agrees with; each until it was asked about again. */
export async function listEndedPayments(
  tx: Tx,
  { reportId }: Voided,
  { after, countMax }: { readonly after: Buffer; readonly countMax: number },
): Promise<readonly EndedPayment[]> {
  return ended.query(
    tx,
    `select l.line_hash as hash, l.merchant_id as "merchantId", l.kind, l.payment_id as "paymentId"
     from ${VOIDED_LINES} and l.finding = 'APPLIED' and l.payment_id is not null and l.asked_again_at is null
       and l.line_hash > $2 and not exists (
         select from operator_report_lines o
         where (o.merchant_id, o.kind, o.payment_id) = (l.merchant_id, l.kind, l.payment_id)
           and o.finding in ('AGREES', 'APPLIED') and not o.voided and o.of_hash is null)
     order by l.line_hash limit $3`,
    [reportId, after, countMax],
  );
}

export async function markAskedAgain(
  tx: Tx,
  {
    provider,
    hashes,
    now,
  }: { readonly provider: string; readonly hashes: readonly Buffer[]; readonly now: Date },
): Promise<void> {
  await tx.query(
    'update operator_report_lines set asked_again_at = $3 where provider = $1 and line_hash = any ($2)',
    [provider, hashes, now],
  );
}
