// Lines of operators' reports that have an effect, while they wait for the approval of their report.
import { LINE_EFFECTS, parseLineText, type LineEffect } from '../../domain/reconciliation/operator-report.ts';
import type { Amount } from '../../domain/money.ts';
import type { PaymentKey } from '../../domain/payments/payment.ts';
import { column, columns } from '../columns.ts';
import type { Tx } from '../database.ts';
import { isChanged } from '../rows.ts';
import { lines, shownOf, type KeptLine, type Report } from './operator-reports.ts';
import type { Keyring } from '../encryption/encryption.ts';

/**
 * Of this report, exactly these lines wait for its approval: also those that came in with another report and are
 * requested with none. What else it had was read by another person, or with other columns, and counts as not compared.
 */
export async function takeLinesToApprove(
  tx: Tx,
  { reportId, provider, toApprove }: Report & { readonly toApprove: readonly Buffer[] },
): Promise<void> {
  // Two files with the same lines may be imported at once.
  await tx.query(
    `select from operator_report_lines
     where provider = $1 and finding = 'TO_APPROVE' and (report_id = $2 or line_hash = any($3))
     order by line_hash for no key update`,
    [provider, reportId, toApprove],
  );
  await tx.query(
    `update operator_report_lines l
     set report_id = $2::uuid, line_no = split_part(c.here, '/', 2)::int,
       copies = array_remove(l.copies, c.here) || (l.report_id || '/' || l.line_no)
     from (select line_hash, (select min(one) from unnest(copies) one where one like $2::text || '/%') as here
       from operator_report_lines
       where provider = $1 and line_hash = any($3) and finding = 'TO_APPROVE' and report_id <> $2::uuid) c
     where l.provider = $1 and l.line_hash = c.line_hash and c.here is not null
       and not is_report_requested(l.report_id)`,
    [provider, reportId, toApprove],
  );
  await tx.query(
    `update operator_report_lines l
     set finding = null, effect = null, waits_since = null, at_risk = null, hold_id = null
     where provider = $1 and report_id = $2 and finding = 'TO_APPROVE'
       and not exists (select from unnest($3::bytea[]) one where one = l.line_hash)`,
    [provider, reportId, toApprove],
  );
}

/** A report with lines that wait, and who imported it last. */
export type UnrequestedReport = Report & {
  readonly by: string;
  readonly personId: string | null;
  readonly mappingBy?: readonly string[];
};

/**
 * Reports `r` with lines that wait although no request about them is pending: whoever had to request them died. `since`
 * is when the first of these lines began to wait. It begins with the lines that wait, of which there are few. Whether
 * a request is pending a function answers, because a worker counts these reports and may not read requests.
 */
const UNREQUESTED = `(
    select provider, report_id, min(waits_since) as since from operator_report_lines
    where finding = 'TO_APPROVE' and encrypted_line is not null group by 1, 2) w
  cross join lateral (
    select * from operator_reports
    where report_id = w.report_id and voided_at is null and read_by_name is not null offset 0) r
  where not is_report_requested(r.report_id)`;

const unrequested = columns({
  reportId: column<string>('uuid', 'r.report_id'),
  provider: column<string>('text', 'r.provider'),
  by: column<string>('text', 'r.read_by_name'),
  personId: column<string | null>('text null', 'r.read_by'),
  mappingBy: column<readonly string[] | null>('text[] null', 'r.read_mapping_by'),
});

/** Those of one provider, or of all, the first that were imported before the others. */
export async function listUnrequested(
  tx: Tx,
  provider: string | null,
): Promise<readonly UnrequestedReport[]> {
  const rows = await unrequested.select(
    tx,
    `from ${UNREQUESTED} and ($1::text is null or r.provider = $1) order by r.imported_at, r.report_id`,
    [provider],
  );
  return rows.map(({ mappingBy, ...row }) => ({ ...row, ...(mappingBy !== null && { mappingBy }) }));
}

/** How many reports have lines that wait without a request, and since when the first of these lines waits. */
export async function countUnrequested(tx: Tx): Promise<Waiting> {
  const { rows } = await tx.query<{ count: number; oldest_at: Date | null }>(
    `select count(*)::int as count, min(w.since) as oldest_at from ${UNREQUESTED}`,
  );
  return { count: rows[0]?.count ?? 0, oldestAt: rows[0]?.oldest_at ?? null };
}

/** Notes who imports a report now: what waits of it is requested for them. */
export async function setReader(
  tx: Tx,
  { reportId, by, personId, mappingBy }: Omit<UnrequestedReport, 'provider'>,
): Promise<void> {
  await tx.query(
    'update operator_reports set read_by_name = $2, read_by = $3, read_mapping_by = $4 where report_id = $1',
    [reportId, by, personId, mappingBy ?? null],
  );
}

/** The report was not approved: nothing waits with it any more. */
export async function rejectLines(tx: Tx, { provider, reportId }: Report): Promise<void> {
  await tx.query(
    `update operator_report_lines
     set finding = 'REJECTED', effect = null, waits_since = null, at_risk = null, hold_id = null
     where provider = $1 and report_id = $2 and finding = 'TO_APPROVE'`,
    [provider, reportId],
  );
}

/** A line that waits, and what it does when it is approved. */
export type WaitingLine = KeptLine & { readonly effect: LineEffect };

const waiting = columns({ ...lines.defs, effect: column<LineEffect>('text') });

/** Those that wait for an approval; without those that were erased meanwhile. */
export async function listLinesToApprove(
  tx: Tx,
  keyring: Keyring,
  { reportId }: Report,
): Promise<readonly WaitingLine[]> {
  const rows = await waiting.select(
    tx,
    `from operator_report_lines
     where report_id = $1 and finding = 'TO_APPROVE' and encrypted_line is not null order by line_no, line_hash`,
    [reportId],
  );
  return rows.map((row) => {
    const { lineNo, text } = shownOf(keyring, row);
    return { lineNo, hash: row.hash, line: parseLineText(text), effect: row.effect };
  });
}

const examples = columns({
  ...lines.defs,
  effect: column<LineEffect>('text'),
  merchantId: 'uuid null',
  kind: column<PaymentKey['kind'] | null>('payment_kind null'),
  paymentId: 'uuid null',
});

/** A line that waits, with the payment it is about. */
export type ProposedLine = WaitingLine & { readonly key: PaymentKey | null };

/** The first lines of each effect that wait with a report. */
export async function listProposals(
  tx: Tx,
  keyring: Keyring,
  { reportId, countMax }: { readonly reportId: string; readonly countMax: number },
): Promise<readonly ProposedLine[]> {
  const rows = await examples.query(
    tx,
    `select ${examples.namesIn('l')} from unnest($2::text[]) with ordinality as wanted (effect, place)
     cross join lateral (
       select * from operator_report_lines l where report_id = $1 and finding = 'TO_APPROVE'
         and l.effect = wanted.effect and encrypted_line is not null
       order by line_no, line_hash limit $3) l
     order by place, l.line_no`,
    [reportId, LINE_EFFECTS, countMax],
  );
  return rows.map(({ merchantId, kind, paymentId, ...row }) => {
    const { lineNo, text } = shownOf(keyring, row);
    const key =
      merchantId === null || kind === null || paymentId === null ? null : { merchantId, kind, paymentId };
    return { lineNo, hash: row.hash, line: parseLineText(text), effect: row.effect, key };
  });
}

const effects = columns({
  effect: column<LineEffect>('text'),
  currency: 'text',
  count: column<number>('int'),
  amount: column<Amount>('numeric'),
});

/**
 * What the lines that wait with a report would do, by effect and currency: of payments that are known, their amounts.
 */
export async function sumEffects(tx: Tx, reportId: string) {
  return effects.query(
    tx,
    `select l.effect, coalesce(p.currency, l.currency) as currency, count(*)::int as count,
       sum(coalesce(p.amount, abs(l.moved))) as amount
     from operator_report_lines l left join payments p using (merchant_id, kind, payment_id)
     where l.report_id = $1 and l.finding = 'TO_APPROVE' and l.encrypted_line is not null
     group by 1, 2 order by 1, 2`,
    [reportId],
  );
}

export type EffectSum = Awaited<ReturnType<typeof sumEffects>>[number];

/** The merchants whose payments a report is about. */
export async function listReportMerchants(tx: Tx, reportId: string): Promise<readonly string[]> {
  const { rows } = await tx.query<{ merchant_id: string }>(
    `select distinct merchant_id from operator_report_lines
     where report_id = $1 and finding = 'TO_APPROVE' and merchant_id is not null`,
    [reportId],
  );
  return rows.map(({ merchant_id: merchantId }) => merchantId);
}

/** Which hold stands for what a waiting line says. */
export async function setHoldOfLine(
  tx: Tx,
  { provider, hash, holdId }: { readonly provider: string; readonly hash: Buffer; readonly holdId: string },
): Promise<void> {
  await tx.query(
    `update operator_report_lines set hold_id = $3
     where provider = $1 and line_hash = $2 and hold_id is distinct from $3`,
    [provider, hash, holdId],
  );
}

/** No line waits with this hold any more. */
export async function forgetHold(tx: Tx, holdId: string): Promise<void> {
  await tx.query('update operator_report_lines set hold_id = null where hold_id = $1', [holdId]);
}

/** Whether any line but this one waits with a hold. */
export async function isHeldForOthers(
  tx: Tx,
  {
    holdId,
    provider,
    lineHash,
  }: { readonly holdId: string; readonly provider: string; readonly lineHash: Buffer | undefined },
): Promise<boolean> {
  return isChanged(
    tx,
    `select 1 from operator_report_lines
     where hold_id = $1 and (provider, line_hash) is distinct from ($2, $3) limit 1`,
    [holdId, provider, lineHash],
  );
}

type Waiting = { readonly count: number; readonly oldestAt: Date | null };

/**
 * Lines that wait and put a merchant's money at risk for which nothing or too little is held: deposits taken back, and
 * what operators are said to have paid or moved beyond our books. What is held of a manually COMPLETED deposit stays
 * held while a line about it waits.
 */
export async function countUnheldRisks(tx: Tx): Promise<Waiting> {
  const { rows } = await tx.query<{ count: number; oldest_at: Date | null }>(
    `select count(*)::int as count, min(waits_since) as oldest_at from operator_report_lines
     where at_risk is not null and (hold_id is null or (
       select count(*) from wallet_holds h
       where h.hold_id = operator_report_lines.hold_id and h.released_at is null and h.amount < h.wanted) > 0)
       and (select count(*) from wallet_holds h
         where h.payment_id = operator_report_lines.payment_id and h.merchant_id = operator_report_lines.merchant_id
           and h.kind = operator_report_lines.kind and h.reason = 'MANUAL_DEPOSIT' and h.released_at is null
           and h.amount = h.wanted) = 0`,
  );
  return { count: rows[0]?.count ?? 0, oldestAt: rows[0]?.oldest_at ?? null };
}
