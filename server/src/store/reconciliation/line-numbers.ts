// The phone numbers that lines of operator reports name: found by their hashes in every cell that has a report, also
// where no payment of the line is known.
import type { PaymentKey } from '../../domain/payments/payment.ts';
import { parseLineText, withoutNumber } from '../../domain/reconciliation/operator-report.ts';
import { column, columns, type Row } from '../columns.ts';
import type { Tx } from '../database.ts';
import type { Keyring } from '../encryption/encryption.ts';
import { numberHashes } from '../encryption/number-hash.ts';
import { unnested, valuesOf } from '../rows.ts';
import { encryptLine, openLine } from './operator-reports.ts';

const names = columns({ provider: 'text', hash: column<Buffer>('bytea', 'line_hash') });
const numbered = columns({ ...names.defs, encrypted: column<Buffer | null>('bytea null', 'encrypted_line') });
const replaced = columns({ provider: 'text', lineHash: 'bytea', value: 'bytea' }).cells;

type Erased = Pick<PaymentKey, 'merchantId'> & {
  readonly phoneNumber: string;
  /** Where the merchant lives, lines about its payments are emptied with these. */
  readonly isHome: boolean;
  readonly countMax: number;
};

/**
 * Takes a number out of lines that are about no payment in this cell, or about one that has left it. The rest of the
 * line stays: it names no person, and the daily close needs it. What a restore has lost keeps its number until the
 * payment is there again. Answers how many lines there were.
 */
export async function eraseNumber(
  tx: Tx,
  keyring: Keyring,
  { merchantId, phoneNumber, isHome, countMax }: Erased,
): Promise<number> {
  const rows = await numbered.select(
    tx,
    `from operator_report_lines where number_hash = any($1) and encrypted_line is not null and (
       merchant_id is null and coalesce(finding not in ('UNMATCHED', 'TO_APPROVE'), true)
       or merchant_id = $2 and not $3)
     order by provider, line_hash limit $4 for update`,
    [numberHashes(keyring, phoneNumber), merchantId, isHome, countMax],
  );
  const emptied = rows.flatMap((row) => {
    const text = openLine(keyring, row);
    const { provider, hash: lineHash } = row;
    return text === null
      ? []
      : [{ provider, lineHash, value: encryptLine(keyring, row, withoutNumber(text)) }];
  });
  await tx.query(
    `update operator_report_lines l set encrypted_line = n.value, number_hash = null
     from ${unnested(replaced, 'n')} where (l.provider, l.line_hash) = (n.provider, n.line_hash)`,
    valuesOf(replaced, emptied),
  );
  return rows.length;
}

type LineName = Row<typeof names>;

/** Makes the hashes of a page of lines again. Answers how many were others, and where the next page begins. */
export async function rehashNumbers(
  tx: Tx,
  keyring: Keyring,
  { after, countMax }: { readonly after: LineName | null; readonly countMax: number },
): Promise<{ readonly rehashed: number; readonly next: LineName | null }> {
  const rows = await numbered.select(
    tx,
    `from operator_report_lines where number_hash is not null and (provider, line_hash) > ($1, $2)
     order by provider, line_hash limit $3`,
    [after?.provider ?? '', after?.hash ?? Buffer.alloc(0), countMax],
  );
  const hashed = rows.flatMap((row) => {
    const text = openLine(keyring, row);
    const phoneNumber = text === null ? undefined : parseLineText(text).phoneNumber;
    if (phoneNumber === undefined) return [];
    return [{ provider: row.provider, lineHash: row.hash, value: numberHashes(keyring, phoneNumber)[0] }];
  });
  const { rowCount } = await tx.query(
    `update operator_report_lines l set number_hash = n.value from ${unnested(replaced, 'n')}
     where (l.provider, l.line_hash) = (n.provider, n.line_hash) and l.number_hash <> n.value`,
    valuesOf(replaced, hashed),
  );
  return { rehashed: rowCount ?? 0, next: rows.length < countMax ? null : (rows.at(-1) ?? null) };
}
