// The bank's lines of an operator account: money brought there and taken from there. Importing a file twice changes
// nothing, and a line that comes in two files counts once.
import { createHash, randomUUID } from 'node:crypto';
import { renderAmount } from '../../domain/money.ts';
import type { BankLine } from '../../domain/reconciliation/bank-lines.ts';
import { waitForSignature } from '../../store/daily-close/closed-lines.ts';
import { inTransaction } from '../../store/database.ts';
import {
  insertBankFile,
  insertBankLines,
  noteBankCopies,
  type AccountName,
} from '../../store/daily-close/report-lines.ts';
import { standingBankNames } from '../../store/daily-close/voided-bank-lines.ts';
import { record, type Actor } from '../audit.ts';
import type { TimedStore } from '../engine.ts';
import { withFileLease } from '../reconciliation/file-lease.ts';

type NumberedBankLine = { readonly lineNo: number; readonly line: BankLine };

export type BankFile = Actor &
  AccountName & {
    /** Of the file's bytes, in hexadecimal digits. */
    readonly fileHash: string;
    readonly lines: readonly NumberedBankLine[];
    /** Lines that could not be read. A day of such a file needs a note, as with an operator's report. */
    readonly faultCount: number;
  };

/** Answers how many lines are new. Throws FilesBusy where somebody works with files of the provider. */
export async function importBankFile(
  engine: TimedStore,
  file: BankFile,
): Promise<{ readonly fileId: string; readonly isNew: boolean; readonly newCount: number }> {
  return withFileLease(engine, file, () => importAlone(engine, file));
}

async function importAlone(
  engine: TimedStore,
  { by, provider, currency, fileHash, lines, faultCount }: BankFile,
): Promise<{ readonly fileId: string; readonly isNew: boolean; readonly newCount: number }> {
  const before = new Map<string, number>();
  const account = { provider, currency };
  return inTransaction(engine.store.database, async (tx) => {
    await waitForSignature(tx);
    const file = {
      ...account,
      fileId: randomUUID(),
      fileHash,
      importedBy: by,
      importedAt: await engine.clock.timeOf(tx),
      faultCount,
    };
    const { fileId, isNew } = await insertBankFile(tx, file);
    const named = lines.map(({ lineNo, line: { at, amount, reference } }) => {
      const text = JSON.stringify([at.toISOString(), renderAmount(amount), reference]);
      const count = before.get(text) ?? 0;
      before.set(text, count + 1);
      const lineHash = createHash('sha256').update(`${text} ${count}`).digest('hex');
      return { ...account, lineHash, fileId, lineNo, occurredAt: at, moved: amount, reference };
    });
    const standing = await standingBankNames(
      tx,
      account,
      named.map(({ lineHash }) => lineHash),
    );
    const kept = named.map((line) => ({ ...line, lineHash: standing.get(line.lineHash) ?? line.lineHash }));
    const inserted = await insertBankLines<{ line_no: number }>(tx, kept);
    const lineHashes = kept.map(({ lineHash }) => lineHash);
    await noteBankCopies(tx, account, { fileId, lineHashes });
    const detail = { currency, sha256: fileHash, lineCount: lines.length };
    const act = { by, act: 'BANK_FILE_IMPORTED', merchantId: null, subject: provider, detail } as const;
    if (isNew) await record(engine, tx, [act]);
    return { fileId, isNew, newCount: inserted.length };
  });
}
