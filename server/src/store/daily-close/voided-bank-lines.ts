// Takes back the lines of a voided bank file, as those of an operator's report: what no signed day counted counts for
// nothing, and what one counted is taken back by a line of the next day.
import { createHash } from 'node:crypto';
import type { Tx } from '../database.ts';
import { isClosed, keepSignatures } from './closed-lines.ts';
import type { AccountName } from './report-lines.ts';

/** A bank's file has some hundred lines; one that has very many still ends. */
const PATIENCE = `select set_config('statement_timeout', '5min', true)`;

/** Takes all lines of a voided file back, but for those that stand in other files too. */
export async function takeOutBankLines(
  tx: Tx,
  { provider, currency }: AccountName,
  fileId: string,
): Promise<void> {
  await tx.query(PATIENCE);
  await keepSignatures(tx, provider);
  const { rows } = await tx.query<{ line_hash: string; is_signed: boolean; voided: boolean }>(
    `with own as (
       select l.line_hash, l.counts and l.moved <> 0 and ${isClosed('l', 'BANK')} as is_signed,
         l.moved <> 0 as is_money,
         array_remove(l.file_id || l.copies, $3::uuid) as files
       from bank_lines l
       where l.provider = $1 and l.currency = $2 and not l.voided and l.of_hash is null
         and (l.file_id = $3 or (l.copies <> '{}' and l.copies @> array[$3::uuid])))
     update bank_lines l
     set file_id = coalesce(own.files[1], l.file_id), copies = own.files[2:], voided = own.files = '{}',
       counts = case when own.is_money and not own.is_signed then l.counts and own.files <> '{}' else l.counts end
     from own where l.provider = $1 and l.currency = $2 and l.line_hash = own.line_hash
     returning l.line_hash, own.is_signed, l.voided`,
    [provider, currency, fileId],
  );
  const signed = rows.flatMap((row) => (row.is_signed && row.voided ? [row.line_hash] : []));
  if (signed.length === 0) return;
  await tx.query(
    `insert into bank_lines (provider, currency, line_hash, of_hash, file_id, line_no, occurred_at, moved, reference,
       times, voided)
     select provider, currency, encode(sha256(convert_to(line_hash || '/' || $3::uuid::text, 'UTF8')), 'hex'),
       line_hash, $3::uuid, line_no, occurred_at, moved, reference, -1, true
     from bank_lines where provider = $1 and currency = $2 and line_hash = any($4)`,
    [provider, currency, fileId, signed],
  );
  await tx.query(
    `update bank_lines l set cancelled_from = o.entry_no, cancelled_through = b.entry_no
     from bank_lines b join bank_lines o on (o.provider, o.currency, o.line_hash) = (b.provider, b.currency, b.of_hash)
     where b.provider = $1 and b.currency = $2 and b.of_hash = any($3) and l.provider = $1 and l.currency = $2
       and l.line_hash in (o.line_hash, b.line_hash)`,
    [provider, currency, signed],
  );
}

/** Of names of lines that were voided: under which the same line is kept from now on. */
export async function standingBankNames(
  tx: Tx,
  { provider, currency }: AccountName,
  lineHashes: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const names = new Map<string, string>();
  let asked = new Map(lineHashes.map((hash) => [hash, hash]));
  while (asked.size > 0) {
    const { rows } = await tx.query<{ line_hash: string }>(
      'select line_hash from bank_lines where provider = $1 and currency = $2 and line_hash = any($3) and voided',
      [provider, currency, [...asked.keys()]],
    );
    const next = new Map<string, string>();
    for (const { line_hash: voided } of rows) {
      const first = asked.get(voided) ?? voided;
      const hash = createHash('sha256').update(`${voided} again`).digest('hex');
      names.set(first, hash);
      next.set(hash, first);
    }
    asked = next;
  }
  return names;
}
