// Takes back the lines of a voided report. A line that stands in no other file counts for nothing any more; one that
// stands elsewhere too counts as often as it stands there. What a signed day has counted is never changed: a row of its
// own, which counts less than nothing, takes it back in the next day.
import { columns } from '../columns.ts';
import { isClosed, keepSignatures } from '../daily-close/closed-lines.ts';
import type { Tx } from '../database.ts';

type VoidedReport = { readonly provider: string; readonly reportId: string };

/** Rows that change how often a line `l` counts: later copies of it, and what took some of them back. */
const ROWS_ABOUT = (alias: string) =>
  `operator_report_lines m where m.provider = ${alias}.provider and m.of_hash = ${alias}.line_hash`;

/** How often a line `l` counts now, with the rows about it. */
export const netTimes = (alias: string): string =>
  `${alias}.times + coalesce((select sum(m.times) from ${ROWS_ABOUT(alias)} and m.counts), 0)::int`;

/** How many rows are about a line `l`. */
export const countOfRowsAbout = (alias: string): string => `(select count(*)::int from ${ROWS_ABOUT(alias)})`;

const changes = columns({
  hash: 'bytea',
  /** A signed day counted it. */
  isSigned: 'bool',
  /** It stands in no other file. */
  voided: 'bool',
  /** How much more often it counted than it stands in other files. */
  excess: 'int',
});

/** A line that was taken out of a voided report. */
export type TakenOut = {
  readonly hash: Buffer;
  readonly voided: boolean;
};

/**
 * Takes some lines out of a voided report. Answers them; none when the report has no more. The lease of the provider's
 * files must be held.
 */
export async function takeOutLines(
  tx: Tx,
  { provider, reportId }: VoidedReport,
  countMax: number,
): Promise<readonly TakenOut[]> {
  await keepSignatures(tx, provider);
  const hashes = await pickLines(tx, reportId, countMax);
  if (hashes.length === 0) return [];
  const changed = await changes.query(
    tx,
    `with batch as (
       select l.*, l.counts and l.moved <> 0 and ${isClosed('l')} as is_signed, ${netTimes('l')} as net
       from operator_report_lines l where l.provider = $1 and l.line_hash = any($2)),
     places as (
       select b.line_hash, one.place, one.no, split_part(one.place, '/', 1) as file
       from batch b
       cross join unnest(array_prepend(b.report_id || '/' || b.line_no, b.copies)) with ordinality as one (place, no)
       where split_part(one.place, '/', 1) <> $3),
     files as (
       select line_hash, max(count)::int as times from (
         select line_hash, count(*) as count from places group by line_hash, file) each group by line_hash),
     standing as (
       select line_hash, array_agg(place order by no) as places from places group by line_hash),
     wanted as (
       select b.line_hash, b.is_signed, b.moved <> 0 as is_money, s.places, coalesce(f.times, 0) as times, b.net
       from batch b left join standing s using (line_hash) left join files f using (line_hash)),
     changed as (
       update operator_report_lines l
       set report_id = coalesce(split_part(w.places[1], '/', 1)::uuid, l.report_id),
         line_no = coalesce(split_part(w.places[1], '/', 2)::int, l.line_no),
         copies = coalesce(w.places[2:], '{}'),
         voided = w.places is null,
         times = case when w.is_money and not w.is_signed and w.places is not null then w.times else l.times end,
         counts = case when w.is_money and not w.is_signed then l.counts and w.places is not null else l.counts end,
         -- Nothing of a voided line waits any more.
         finding = case when w.places is null and coalesce(l.finding in ('TO_APPROVE', 'REQUESTED'), true)
           then 'REJECTED' else l.finding end,
         effect = case when w.places is not null then l.effect end,
         waits_since = case when w.places is not null then l.waits_since end,
         at_risk = case when w.places is not null then l.at_risk end,
         hold_id = case when w.places is not null then l.hold_id end
       from wanted w where l.provider = $1 and l.line_hash = w.line_hash
       returning l.line_hash, w.is_signed, l.voided, case when w.is_money then w.net - w.times else 0 end as excess)
     select line_hash as hash, is_signed as "isSigned", voided, excess from changed`,
    [provider, hashes, reportId],
  );
  const signed = changed.filter(({ isSigned }) => isSigned);
  await takeBack(
    tx,
    { provider, reportId },
    signed.filter(({ excess }) => excess !== 0),
  );
  await leaveOutOpen(
    tx,
    provider,
    changed.filter(({ isSigned }) => !isSigned).map(({ hash }) => hash),
  );
  const gone = changed.filter(({ voided }) => voided).map(({ hash }) => hash);
  await voidRowsAbout(tx, provider, gone);
  await cancelTogether(
    tx,
    provider,
    signed.filter(({ voided }) => voided).map(({ hash }) => hash),
  );
  return changed;
}

/** First the report's own, then those that stand in it besides their own. */
async function pickLines(tx: Tx, reportId: string, countMax: number): Promise<readonly Buffer[]> {
  const pick = async (where: string) => {
    const { rows } = await tx.query<{ line_hash: Buffer }>(
      `select line_hash from operator_report_lines where ${where} limit $2 for no key update`,
      [reportId, countMax],
    );
    return rows.map(({ line_hash: hash }) => hash);
  };
  const own = await pick('report_id = $1 and not voided and of_hash is null');
  if (own.length > 0) return own;
  return pick(`copies <> '{}' and reports_of(copies) @> array[$1::uuid] and not voided`);
}

type Excess = { readonly hash: Buffer; readonly excess: number };

/** Rows with what was counted too often. They name no one: what they are about stands in the line itself. */
async function takeBack(
  tx: Tx,
  { provider, reportId }: VoidedReport,
  lines: readonly Excess[],
): Promise<void> {
  if (lines.length === 0) return;
  await tx.query(
    `insert into operator_report_lines (provider, line_hash, of_hash, report_id, line_no, finding, merchant_id, kind,
       payment_id, case_id, occurred_at, currency, moved, times)
     select l.provider, sha256(l.line_hash || convert_to('/' || $2::uuid::text, 'UTF8')), l.line_hash, $2::uuid,
       l.line_no,
       -- This row waits for nothing, also where the line itself does.
       case l.finding when 'TO_APPROVE' then 'REJECTED' else l.finding end,
       l.merchant_id, l.kind, l.payment_id, l.case_id, l.occurred_at, l.currency, l.moved,
       -e.excess
     from unnest($3::bytea[], $4::int[]) as e (line_hash, excess)
     join operator_report_lines l on l.provider = $1 and l.line_hash = e.line_hash`,
    [provider, reportId, lines.map(({ hash }) => hash), lines.map(({ excess }) => excess)],
  );
}

/** Rows about lines that no signed day counts: the line itself has the right count now. */
export async function leaveOutOpen(tx: Tx, provider: string, hashes: readonly Buffer[]): Promise<void> {
  if (hashes.length === 0) return;
  await tx.query(
    `update operator_report_lines m set counts = false
     where m.provider = $1 and m.of_hash = any($2) and m.counts and m.moved <> 0 and not ${isClosed('m')}`,
    [provider, hashes],
  );
}

async function voidRowsAbout(tx: Tx, provider: string, hashes: readonly Buffer[]): Promise<void> {
  if (hashes.length === 0) return;
  await tx.query(
    `update operator_report_lines set voided = true,
       finding = case when coalesce(finding in ('TO_APPROVE', 'REQUESTED'), true) then 'REJECTED' else finding end,
       effect = null, waits_since = null, at_risk = null, hold_id = null
     where provider = $1 and of_hash = any($2) and not voided`,
    [provider, hashes],
  );
}

/** A line and the rows about it come to nothing, so that a day with all of them need not read any. */
async function cancelTogether(tx: Tx, provider: string, hashes: readonly Buffer[]): Promise<void> {
  if (hashes.length === 0) return;
  await tx.query(
    `with family as (
       select line_hash as name, line_hash, entry_no from operator_report_lines
       where provider = $1 and line_hash = any($2) and counts
       union all
       select of_hash, line_hash, entry_no from operator_report_lines
       where provider = $1 and of_hash = any($2) and counts),
     span as (select name, min(entry_no) as first, max(entry_no) as last from family group by name)
     update operator_report_lines l set cancelled_from = s.first, cancelled_through = s.last
     from family f join span s using (name)
     where l.provider = $1 and l.line_hash = f.line_hash and s.first < s.last`,
    [provider, hashes],
  );
}

/** Which of these names are those of voided lines. */
export async function listVoided(
  tx: Tx,
  provider: string,
  hashes: readonly Buffer[],
): Promise<ReadonlySet<string>> {
  if (hashes.length === 0) return new Set();
  const { rows } = await tx.query<{ line_hash: Buffer }>(
    'select line_hash from operator_report_lines where provider = $1 and line_hash = any($2) and voided',
    [provider, hashes],
  );
  return new Set(rows.map(({ line_hash: hash }) => hash.toString('hex')));
}
