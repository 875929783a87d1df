// A day of an operator account: as it was signed, or as it is now with what keeps it from being signed.
import { createHash } from 'node:crypto';
import { renderAmount, type Amount } from '../../domain/money.ts';
import { compareBank } from '../../domain/reconciliation/bank-lines.ts';
import { compareDay, type CloseItem } from '../../domain/reconciliation/daily-close.ts';
import { addMs } from '../../domain/time.ts';
import { addDays, dayIn, startOfDay } from '../../domain/time-zone.ts';
import {
  findClose,
  findCloseAccount,
  listItems,
  showFigures,
  type CloseFigures,
  type CountedLines,
  type FollowedAccount,
  type StoredClose,
} from '../../store/daily-close/closes.ts';
import { listFiles, type AccountName, type ReportFile } from '../../store/daily-close/report-lines.ts';
import { COMMITS_WITHIN_MS } from '../../store/database.ts';
import type { Engine } from '../engine.ts';
import { openSpans } from './counted-lines.ts';
import { gatherDay, type DaySpan, type GatheredDay } from './gather-day.ts';

export type DayName = AccountName & { readonly day: string };

/** Why a day cannot be signed. */
export type CloseObstacle =
  | 'DAY_NOT_OVER'
  | 'BEFORE_FIRST_DAY'
  | 'PREVIOUS_DAY_OPEN'
  | 'CELL_SILENT'
  | 'REPORT_MISSING'
  | 'OPENING_DIFFERS'
  | 'TOO_MANY_DIFFERENCES';

export type Close = {
  readonly account: FollowedAccount;
  readonly day: string;
  readonly from: Date;
  readonly to: Date;
  readonly status: 'OPEN' | 'REQUESTED' | 'CLOSED';
  readonly figures: CloseFigures;
  readonly items: readonly CloseItem[];
  readonly contentHash: string;
  readonly obstacles: readonly CloseObstacle[];
  readonly missingCells: readonly string[];
  readonly files: readonly ReportFile[];
  /** Which lines it counts, or counted. */
  readonly counted: CountedLines;
  /** What was signed, or is to be signed. */
  readonly stored: StoredClose | null;
};

/** Anyone who has more differences has the wrong file. */
const ITEMS_MAX = 5_000;

/** Null where the account's days are not closed here. */
export async function readClose(engine: Engine, name: DayName): Promise<Close | null> {
  const { database } = engine.store;
  const account = await findCloseAccount(database, name);
  if (account === null) return null;
  const stored = await findClose(database, name);
  return stored?.status === 'CLOSED'
    ? readSigned(engine, account, stored)
    : computeClose(engine, { account, day: name.day, stored });
}

async function readSigned(engine: Engine, account: FollowedAccount, stored: StoredClose): Promise<Close> {
  const { database } = engine.store;
  const { day, figures, contentHash } = stored;
  const span = spanOf(account, day);
  return {
    account,
    ...span,
    day,
    status: 'CLOSED',
    figures,
    contentHash,
    counted: stored,
    stored,
    items: await listItems(database, stored.closeId),
    files: await listFiles(database, account, span),
    obstacles: [],
    missingCells: [],
  };
}

/** As it is now, whatever was requested. */
export async function computeClose(
  engine: Engine,
  {
    account,
    day,
    stored,
  }: { readonly account: FollowedAccount; readonly day: string; readonly stored: StoredClose | null },
): Promise<Close> {
  const { database } = engine.store;
  const span = spanOf(account, day);
  const previous = await findClose(database, { ...account, day: addDays(day, -1) });
  const signed = previous?.status === 'CLOSED' ? previous : null;
  const brought = signed === null ? [] : (await listItems(database, signed.closeId)).filter(isOpen);
  const gathered = await gatherDay(engine, account, span, openSpans(span, signed));
  const dayOf = (time: Date) => dayIn(account.timeZone, time);
  const ofReport = compareDay({ ...gathered, day, brought: brought.filter((one) => !isBank(one)), dayOf });
  const ofBank = compareBank({
    day,
    brought: brought.filter(isBank),
    movements: gathered.movements,
    lines: gathered.bankLines,
  });
  const items = [...ofReport, ...ofBank];
  const files = await listFiles(database, account, span);
  const unreadableLineCount = countUnreadable(files, span);
  const figures = { ...figuresOf(gathered, { brought, items }), unreadableLineCount };
  const isReported = isCovered(files, span);
  const obstacles: CloseObstacle[] = [
    ...(gathered.readAt < addMs(span.to, COMMITS_WITHIN_MS) ? (['DAY_NOT_OVER'] as const) : []),
    ...(day < account.firstDay ? (['BEFORE_FIRST_DAY'] as const) : []),
    ...(day > account.firstDay && signed === null ? (['PREVIOUS_DAY_OPEN'] as const) : []),
    ...(gathered.missingCells.length > 0 ? (['CELL_SILENT'] as const) : []),
    ...(isReported ? [] : (['REPORT_MISSING'] as const)),
    ...(signed !== null && signed.figures.closing !== figures.opening ? (['OPENING_DIFFERS'] as const) : []),
    // Until the report is there, every payment of the day is one.
    ...(isReported && items.length > ITEMS_MAX ? (['TOO_MANY_DIFFERENCES'] as const) : []),
  ];
  return {
    account,
    ...span,
    day,
    status: stored === null ? 'OPEN' : 'REQUESTED',
    figures,
    items,
    contentHash: contentHashOf(figures, items),
    obstacles,
    missingCells: gathered.missingCells,
    counted: gathered.counted,
    files,
    stored,
  };
}

export function spanOf({ timeZone, firstDay }: FollowedAccount, day: string): DaySpan {
  return {
    since: startOfDay(firstDay < day ? firstDay : day, timeZone),
    from: startOfDay(day, timeZone),
    to: startOfDay(addDays(day, 1), timeZone),
  };
}

/** Whether something differs that another day does not explain, or may differ. */
export function needsNote({ figures, items }: Close): boolean {
  return figures.unreadableLineCount > 0 || items.some(({ kind }) => kind !== 'LATE');
}

function isOpen({ amount }: CloseItem): boolean {
  return amount !== 0n;
}

function isBank({ name }: CloseItem): boolean {
  return name.startsWith('BANK ');
}

function figuresOf(
  { opening, movements, lines, bankLines }: GatheredDay,
  { brought, items }: { readonly brought: readonly CloseItem[]; readonly items: readonly CloseItem[] },
): Omit<CloseFigures, 'unreadableLineCount'> {
  const ours = movements.map(({ amount }) => amount);
  const theirs = lines.map(({ amount, times }) => amount * BigInt(times));
  const bank = bankLines.map(({ amount }) => amount);
  const ofReport = items.filter((one) => !isBank(one));
  const known = ofReport.filter(({ kind }) => kind === 'LATE');
  const carriedForward = sum(ofReport.map(({ amount }) => amount));
  return {
    opening,
    received: sum(ours.filter(isPositive)),
    sent: -sum(ours.filter(isNegative)),
    closing: opening + sum(ours),
    reportReceived: sum(theirs.filter(isPositive)),
    reportSent: -sum(theirs.filter(isNegative)),
    broughtForward: sum(brought.filter((one) => !isBank(one)).map(({ amount }) => amount)),
    carriedForward,
    unexplained: carriedForward - sum(known.map(({ amount }) => amount)),
    bankReceived: sum(bank.filter(isPositive)),
    bankSent: -sum(bank.filter(isNegative)),
    bankUnexplained: sum(items.filter(isBank).map(({ amount }) => amount)),
    movementCount: movements.length,
    lineCount: lines.reduce((count, { times }) => count + times, 0),
    bankLineCount: bankLines.length,
  };
}

function sum(amounts: readonly Amount[]): Amount {
  return amounts.reduce((total, amount) => total + amount, 0n);
}

const isPositive = (amount: Amount) => amount > 0n;
const isNegative = (amount: Amount) => amount < 0n;

/** Whether the operator's files together cover the whole day. */
function isCovered(files: readonly ReportFile[], { from, to }: DaySpan): boolean {
  const covered = files
    .flatMap(({ coversFrom, coversTo }) =>
      coversFrom === null || coversTo === null ? [] : [{ begin: coversFrom, end: coversTo }],
    )
    .toSorted((one, other) => one.begin.getTime() - other.begin.getTime());
  // A file may end with the last second of its day.
  const end = covered.reduce((until, one) => (one.begin <= until && one.end > until ? one.end : until), from);
  return addMs(end, 1_000) >= to;
}

/** None once files without such lines cover the day: the corrected ones. */
function countUnreadable(files: readonly ReportFile[], span: DaySpan): number {
  if (isCovered(files.filter(isReadable), span)) return 0;
  // A file that ends where the day begins is about the day before.
  const ofDay = files.filter(({ coversTo }) => coversTo === null || coversTo > span.from);
  return ofDay.reduce((count, { faultCount }) => count + faultCount, 0);
}

function isReadable({ faultCount }: ReportFile): boolean {
  return faultCount === 0;
}

/** Of everything that is signed. */
function contentHashOf(figures: CloseFigures, items: readonly CloseItem[]): string {
  const listed = items.map((item) => [
    item.kind,
    item.name,
    renderAmount(item.amount),
    renderAmount(item.change),
    item.sinceDay,
    item.otherDay,
  ]);
  return createHash('sha256')
    .update(JSON.stringify([Object.entries(showFigures(figures)), listed]))
    .digest('hex');
}
