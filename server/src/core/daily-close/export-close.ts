// Everything an auditor needs of a day: the account, the figures, the files, the signatures, every difference, and
// every movement and line that was added up.
import { renderAmount } from '../../domain/money.ts';
import { renderInZone } from '../../domain/time-zone.ts';
import { shownAmount, type Movement } from '../../domain/reconciliation/daily-close.ts';
import { showFigures } from '../../store/daily-close/closes.ts';
import { findApproval, findPlatformApproval, type Approval } from '../../store/approvals/approvals.ts';
import { streamMovements } from '../../store/daily-close/movements.ts';
import { listBankLines, streamReportLines } from '../../store/daily-close/report-lines.ts';
import { expectWholeDay } from '../../store/daily-close/whole-day.ts';
import { inTransaction } from '../../store/database.ts';
import { freezeBooks } from '../../store/ledger/ledger-sums.ts';
import { record, type Actor } from '../audit.ts';
import type { Engine, StorePart } from '../engine.ts';
import { countedSpans } from './counted-lines.ts';
import { findUsingCells, floatOf, ownedLines } from './gather-day.ts';
import { readClose, spanOf, type Close, type DayName } from './read-close.ts';
import { subjectOf } from './sign-close.ts';

/** The cells of a line, by column. */
export const EXPORT_COLUMNS = [
  'record',
  'name',
  'value',
  'time',
  'amount',
  'currency',
  'merchantId',
  'paymentKind',
  'paymentId',
  'reference',
  'transactionId',
] as const;

export type ExportRow = Partial<Record<(typeof EXPORT_COLUMNS)[number], string>>;

export type CloseExport = DayName &
  Actor & {
    /** Called with some rows at a time, in their order; the next ones wait for it. */
    readonly write: (rows: readonly ExportRow[]) => Promise<void> | void;
  };

/** Answers false where the account's days are not closed here. Who exported it is recorded. */
export async function exportClose(engine: Engine, { by, write, ...name }: CloseExport): Promise<boolean> {
  const close = await readClose(engine, name);
  if (close === null) return false;
  const { account, day, status } = close;
  const approval = await findSignature(engine, close);
  const detail = { currency: account.currency, day, status, contentHash: close.contentHash };
  await inTransaction(engine.store.database, (tx) =>
    record(engine, tx, [
      { by, act: 'DAY_CLOSE_EXPORTED', merchantId: null, subject: account.provider, detail },
    ]),
  );
  await write([
    ...headOf(close),
    ...(approval === null ? [] : signaturesOf(approval)),
    ...(await reopenedRows(engine, close)),
    ...itemsOf(close),
  ]);
  await writeMoved(engine, close, write);
  return true;
}

/** Every movement and line that was added up, some at a time. */
async function writeMoved(engine: Engine, close: Close, write: CloseExport['write']): Promise<void> {
  const { account, day } = close;
  const span = spanOf(account, day);
  const spans = countedSpans(span, close.counted);
  const { using, missing } = await findUsingCells(engine, account.provider);
  for (const { database } of using)
    await inTransaction(database, async (tx) => {
      await freezeBooks(tx);
      await expectWholeDay(tx);
      for await (const page of streamMovements(tx, floatOf(account), span))
        await write(page.map((one) => movedRow(close, 'MOVEMENT', one)));
    });
  const { database, keyring } = engine.store;
  const cells = using.map((cell) => ({ tx: cell.database }));
  await inTransaction(database, async (tx) => {
    await freezeBooks(tx);
    await expectWholeDay(tx);
    const lineSpan = { ...spans.lines, since: span.since };
    for await (const page of streamReportLines(tx, keyring, account, lineSpan)) {
      const lines = await ownedLines(cells, account.provider, page);
      await write(
        lines.flatMap((one) => {
          const kind = one.times > 0 ? 'OPERATOR_LINE' : 'OPERATOR_LINE_TAKEN_BACK';
          return Array.from({ length: Math.abs(one.times) }, () => movedRow(close, kind, one));
        }),
      );
    }
    const bankLines = await listBankLines(tx, account, spans.bankLines);
    await write(
      bankLines.map(({ at, amount, reference, times }) => ({
        record: times > 0 ? 'BANK_LINE' : 'BANK_LINE_TAKEN_BACK',
        time: renderInZone(at, account.timeZone),
        amount: renderAmount(amount),
        currency: account.currency,
        reference,
      })),
    );
  });
  await write(missing.map((cell) => ({ record: 'MISSING_CELL', value: cell })));
}

/** The request about a day that is pending or was approved. */
export async function findSignature(
  engine: Engine,
  { account, day, stored }: Close,
): Promise<Approval<'DAY_CLOSE'> | null> {
  if (stored === null) return null;
  const { provider, currency } = account;
  const subject = subjectOf({ provider, currency, day });
  return findPlatformApproval(engine.store.database, { kind: 'DAY_CLOSE', subject });
}

function headOf({
  account,
  day,
  from,
  to,
  status,
  figures,
  contentHash,
  files,
  takenBack,
  stored,
}: Close): readonly ExportRow[] {
  const { provider, currency, timeZone } = account;
  const facts = { provider, currency, day, timeZone, status, contentHash, note: stored?.note ?? '' };
  const times = { from: renderInZone(from, timeZone), to: renderInZone(to, timeZone) };
  return [
    ...Object.entries({ ...facts, ...times }).map(([name, value]) => ({ record: 'DAY', name, value })),
    ...Object.entries(showFigures(figures)).map(([name, value]) =>
      typeof value === 'number'
        ? { record: 'COUNT', name, value: String(value) }
        : { record: 'FIGURE', name, amount: value, currency },
    ),
    ...files.flatMap(({ source, fileHash, importedAt, voidedAt, voidedBy }) => [
      {
        record: 'FILE',
        name: source,
        value: `sha256 ${fileHash}`,
        time: renderInZone(importedAt, timeZone),
      },
      ...(voidedAt === null
        ? []
        : [
            {
              record: 'FILE_VOIDED_SINCE',
              name: source,
              value: `sha256 ${fileHash} ${voidedBy ?? ''}`.trim(),
              time: renderInZone(voidedAt, timeZone),
            },
          ]),
    ]),
    ...takenBack.map(({ source, fileHash, voidedAt, voidedBy, lineCount, amount }) => ({
      record: 'TAKEN_BACK',
      name: source,
      value: `${lineCount} lines of sha256 ${fileHash} ${voidedBy ?? ''}`.trim(),
      time: renderInZone(voidedAt, timeZone),
      amount: renderAmount(amount),
      currency,
    })),
  ];
}

function signaturesOf(approval: Approval<'DAY_CLOSE'>): readonly ExportRow[] {
  const { approvalId, requestedBy, requestedAt, confirmedBy, decision, status } = approval;
  const signed = (name: string, by: string, at: Date | null): ExportRow => ({
    record: 'SIGNATURE',
    name,
    value: by,
    ...(at !== null && { time: at.toISOString() }),
    reference: approvalId,
  });
  return [
    signed('REQUESTED', requestedBy.by, requestedAt),
    ...(confirmedBy === null ? [] : [signed('CONFIRMED', confirmedBy.by, null)]),
    ...(decision === null ? [] : [signed(status, decision.by, decision.at)]),
  ];
}

/** Signatures that were taken back: what was signed, who reopened it, when and why. */
async function reopenedRows({ store }: StorePart, { reopened }: Close): Promise<readonly ExportRow[]> {
  const rows: ExportRow[] = [];
  for (const { contentHash, closedAt, reopenedAt, approvalId, reason } of reopened) {
    const approval = await findApproval(store.database, approvalId);
    const row = { record: 'REOPENED', time: reopenedAt.toISOString(), reference: approvalId };
    rows.push(
      { record: 'REOPENED', name: 'contentHash', value: contentHash, time: closedAt.toISOString() },
      { ...row, name: 'reason', value: reason },
      { ...row, name: 'requestedBy', value: approval?.requestedBy.by ?? '' },
      { ...row, name: 'approvedBy', value: approval?.decision?.by ?? '' },
    );
  }
  return rows;
}

function itemsOf({ account, items }: Close): readonly ExportRow[] {
  return items.map((item) => ({
    record: 'DIFFERENCE',
    name: item.kind,
    value: item.otherDay ?? item.sinceDay,
    amount: renderAmount(shownAmount(item)),
    currency: account.currency,
    ...namesOf(item),
  }));
}

function movedRow({ account }: Close, kind: string, one: Movement): ExportRow {
  return {
    record: kind,
    name: one.float ?? '',
    time: renderInZone(one.at, account.timeZone),
    amount: renderAmount(one.amount),
    currency: account.currency,
    ...namesOf(one),
  };
}

function namesOf({
  payment,
  reference,
  transactionId,
}: Pick<Movement, 'payment' | 'reference' | 'transactionId'>) {
  return {
    merchantId: payment?.merchantId ?? '',
    paymentKind: payment?.kind ?? '',
    paymentId: payment?.paymentId ?? '',
    reference: reference ?? '',
    transactionId: transactionId ?? '',
  };
}
