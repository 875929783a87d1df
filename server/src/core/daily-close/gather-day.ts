// Gathers what a day of an operator account consists of: our movements in every cell that uses the account, and the
// operator's and the bank's lines, which are imported in this cell.
import type { Amount } from '../../domain/money.ts';
import type { PaymentKey } from '../../domain/payments/payment.ts';
import type { FiledBankLine } from '../../domain/reconciliation/bank-lines.ts';
import type { Movement, ReportLine } from '../../domain/reconciliation/daily-close.ts';
import { inTransaction } from '../../store/database.ts';
import type { CloseAccount, CountedLines } from '../../store/daily-close/closes.ts';
import { findFloatAt, listMovements, listOwners } from '../../store/daily-close/movements.ts';
import { listBankLines, listReportLines } from '../../store/daily-close/report-lines.ts';
import { freezeBooks } from '../../store/ledger/ledger-sums.ts';
import { inEveryCell, missingCells } from '../cells/in-every-cell.ts';
import type { Engine } from '../engine.ts';
import { accountSharing } from '../operators/shared-account.ts';
import { countLines, type LineSpans } from './counted-lines.ts';

/** From when the account is followed, and the day itself. */
export type DaySpan = { readonly since: Date; readonly from: Date; readonly to: Date };

export type GatheredDay = {
  readonly opening: Amount;
  readonly movements: readonly Movement[];
  readonly lines: readonly ReportLine[];
  readonly bankLines: readonly FiledBankLine[];
  readonly counted: CountedLines;
  readonly later: { readonly movements: readonly Movement[]; readonly lines: readonly ReportLine[] };
  /** The time by the cell whose clock is behind all others: what any cell may still write carries no earlier one. */
  readonly readAt: Date;
  /** Cells that did not answer. Whether they use the account is not known. */
  readonly missingCells: readonly string[];
};

/** What came days later explains nothing that a person would call late. */
const LATER_MS = 7 * 24 * 3_600_000;

export async function gatherDay(
  engine: Engine,
  account: CloseAccount,
  { since, from, to }: DaySpan,
  spans: LineSpans,
): Promise<GatheredDay> {
  const { database, keyring } = engine.store;
  const float = { type: 'FLOAT', ...nameOf(account), country: account.country } as const;
  const afterwards = { from: to, to: new Date(to.getTime() + LATER_MS) };
  const read = await inTransaction(database, async (tx) => {
    await freezeBooks(tx);
    return {
      counted: await countLines(tx, account, spans),
      lines: await listReportLines(tx, keyring, account, { ...spans.lines, since }),
      bankLines: await listBankLines(tx, account, spans.bankLines),
      later: await listReportLines(tx, keyring, account, { ...afterwards, since, late: null, through: null }),
    };
  });
  const uses = await accountSharing(engine, account.provider);
  const unknown = namesIn(account.provider, [...read.lines, ...read.later]);
  const answers = await inEveryCell(engine, async (cell) => {
    if (!(await uses(cell))) return null;
    const owners = await listOwners(cell, unknown);
    return inTransaction(cell, async (tx) => {
      await freezeBooks(tx);
      return {
        owners,
        readAt: await engine.clock.timeOf(tx),
        opening: await findFloatAt(tx, float, { at: from, cells: engine.cells }),
        movements: await listMovements(tx, float, { from, to }),
        later: await listMovements(tx, float, afterwards),
      };
    });
  });
  const parts = answers.flatMap((one) =>
    one.type === 'CONFIRMED' && one.answer !== null ? [one.answer] : [],
  );
  const times = parts.map(({ readAt }) => readAt.getTime());
  const owned = ownedBy(parts.map(({ owners }) => owners));
  return {
    opening: parts.reduce((sum, { opening }) => sum + opening, 0n),
    movements: parts.flatMap(({ movements }) => movements),
    lines: read.lines.map(owned),
    bankLines: read.bankLines,
    counted: read.counted,
    later: { movements: parts.flatMap(({ later }) => later), lines: read.later.map(owned) },
    readAt: new Date(times.length === 0 ? 0 : Math.min(...times)),
    missingCells: missingCells(answers),
  };
}

function nameOf({ provider, currency }: CloseAccount) {
  return { provider, currency };
}

/** What lines name that this cell knows no payment of. A charge may name the payment it was charged for. */
function namesIn(provider: string, lines: readonly ReportLine[]) {
  const open = lines.filter(({ payment }) => payment === null);
  return {
    provider,
    references: open.flatMap(({ reference }) => reference ?? []),
    transactionIds: open.flatMap(({ transactionId, float }) => (float === null ? (transactionId ?? []) : [])),
  };
}

type Owners = Awaited<ReturnType<typeof listOwners>>;

function ownedBy(owners: readonly Owners[]): (line: ReportLine) => ReportLine {
  const find = (of: (one: Owners) => PaymentKey | undefined) => owners.flatMap((one) => of(one) ?? [])[0];
  return (line) => {
    const { payment, reference, transactionId, float } = line;
    const byTransaction =
      float === null ? find((one) => one.byTransaction.get(transactionId ?? '')) : undefined;
    return {
      ...line,
      payment: payment ?? byTransaction ?? find((one) => one.byReference.get(reference ?? '')) ?? null,
    };
  };
}
