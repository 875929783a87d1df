// A day of an operator account: as it was signed or requested, or as it is now with what keeps it from being signed.
import { createHash } from 'node:crypto';
import { renderAmount, type Amount } from '../../domain/money.ts';
import { compareBank } from '../../domain/reconciliation/bank-lines.ts';
import {
  gapsIn,
  obstaclesOf,
  type CloseObstacle,
  type ObstacleFacts,
  type TimeSpan,
} from '../../domain/reconciliation/close-obstacles.ts';
import {
  compareDay,
  keepDifferences,
  openingItem,
  type CloseItem,
  type ComparedItem,
} from '../../domain/reconciliation/daily-close.ts';
import { nextDay } from '../../domain/reconciliation/due-day.ts';
import { addMs } from '../../domain/time.ts';
import { addDays, dayIn, startOfDay } from '../../domain/time-zone.ts';
import {
  findClose,
  findCloseAccount,
  listItems,
  listReopened,
  showFigures,
  type CloseFigures,
  type CountedLines,
  type FollowedAccount,
  type ReopenedClose,
  type StoredClose,
} from '../../store/daily-close/closes.ts';
import {
  isAnyVoided,
  listFiles,
  listFilesById,
  listLateFiles,
  listTakenBack,
  type AccountName,
  type LateFile,
  type ReportFile,
  type TakenBack,
} from '../../store/daily-close/report-lines.ts';
import { COMMITS_WITHIN_MS, type Tx } from '../../store/database.ts';
import type { Engine, StorePart } from '../engine.ts';
import { countedSpans, openSpans } from './counted-lines.ts';
import type { Comparing } from './compare-once.ts';
import type { DayRest } from './compare-sides.ts';
import { gatherDay, readDayState, type DaySpan, type GatheredDay } from './gather-day.ts';

export type DayName = AccountName & { readonly day: string };

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
  /** What there is to know about the obstacles; null of a signed day. */
  readonly facts: ObstacleFacts | null;
  /** Of so many differences that a file must be wrong, those that each file has a part in, the most first. */
  readonly differencesByFile: readonly FileWithDifferences[];
  readonly missingCells: readonly string[];
  /** Those that stand; of a signed day also those that were voided since. */
  readonly files: readonly ReportFile[];
  /** What it counts of voided files that an earlier day had counted. */
  readonly takenBack: readonly TakenBack[];
  /** Which lines it counts, or counted. */
  readonly counted: CountedLines;
  readonly movementsDigest: string;
  /** Whether a requested day can no longer be signed as requested: what it counts has changed. */
  readonly isChanged: boolean;
  /** Of a requested or the last signed day: what came since for its time or earlier. The next day counts it. */
  readonly cameSince: readonly LateFile[];
  /** What was signed, or is to be signed. */
  readonly stored: StoredClose | null;
  /** Signatures of this day that were taken back, the last one first. */
  readonly reopened: readonly ReopenedClose[];
};

export type FileWithDifferences = Pick<ReportFile, 'fileId' | 'fileName' | 'source' | 'fileHash'> & {
  readonly differenceCount: number;
};

/** Null where the account's days are not closed here. */
export async function readClose(
  engine: Engine,
  name: DayName,
  comparing: Comparing = {},
): Promise<Close | null> {
  const { database } = engine.store;
  const account = await findCloseAccount(database, name);
  if (account === null) return null;
  const stored = await findClose(database, name);
  return stored === null
    ? computeClose(engine, { account, day: name.day, ...comparing })
    : readStored(engine, account, stored);
}

/** A day as it was signed, or as it was requested: what came since is beside it. */
async function readStored(engine: Engine, account: FollowedAccount, stored: StoredClose): Promise<Close> {
  const { database } = engine.store;
  const { day, status, figures, contentHash, movementsDigest, closedAt } = stored;
  const span = spanOf(account, day);
  const all = await listFiles(database, account, span);
  const spans = countedSpans(span, stored);
  const isRequested = status === 'REQUESTED';
  const { isChanged, missingCells } = isRequested
    ? await compareWithRequest(engine, account, stored)
    : { isChanged: false, missingCells: [] };
  const files = isRequested
    ? all.filter(({ fileId }) => stored.fileIds.includes(fileId))
    : all.filter(({ voidedAt }) => voidedAt === null || (closedAt !== null && voidedAt > closedAt));
  return {
    account,
    ...span,
    day,
    status,
    movementsDigest,
    isChanged,
    cameSince:
      isRequested || account.lastDay === day ? await listCameSince(database, account, stored, all) : [],
    figures,
    contentHash,
    counted: stored,
    stored,
    items: await listItems(database, stored.closeId),
    files,
    takenBack: [
      ...(await listTakenBack(database, account, 'OPERATOR', spans.lines)),
      ...(await listTakenBack(database, account, 'BANK', spans.bankLines)),
    ],
    obstacles: missingCells.length > 0 ? ['CELL_SILENT'] : [],
    facts: null,
    differencesByFile: [],
    missingCells,
    reopened: await listReopened(database, { ...account, day }),
  };
}

/** The files that brought something for the time of a day or earlier since it was requested. */
async function listCameSince(
  tx: Tx,
  account: FollowedAccount,
  stored: StoredClose,
  files: readonly ReportFile[],
): Promise<readonly LateFile[]> {
  const { since, to } = spanOf(account, stored.day);
  const ofLines = [
    ...(await listLateFiles(tx, account, 'OPERATOR', { since, to, after: stored.linesThrough })),
    ...(await listLateFiles(tx, account, 'BANK', { since, to, after: stored.bankLinesThrough })),
  ];
  const named = new Set([...stored.fileIds, ...ofLines.map(({ fileId }) => fileId)]);
  // A file may bring nothing but lines that cannot be read.
  const others = files.filter(
    ({ fileId, voidedAt, faultCount }) => voidedAt === null && faultCount > 0 && !named.has(fileId),
  );
  return [...ofLines, ...others.map((file) => ({ ...file, lineCount: 0, amount: 0n }))];
}

/**
 * Whether a day can still be signed as it was requested. Lines that came since are above its numbers and belong to the
 * next day, so that nobody who imports files keeps others from signing. What changes is what the request counts: its
 * own lines, its files, its postings in any cell, or the books before it.
 */
export async function compareWithRequest(
  engine: Engine,
  account: FollowedAccount,
  stored: StoredClose,
): Promise<{ readonly isChanged: boolean; readonly missingCells: readonly string[] }> {
  const span = spanOf(account, stored.day);
  const state = await readDayState(engine, account, { span, spans: countedSpans(span, stored) });
  const { missingCells } = state;
  // What a silent cell has is not known, so that nothing can be said about the postings.
  const isOtherBooks =
    missingCells.length === 0 &&
    (state.movementsDigest !== stored.movementsDigest || state.opening !== stored.figures.opening);
  const isChanged =
    isOtherBooks ||
    state.linesDigest !== stored.linesDigest ||
    nextDay(account).nextDay !== stored.day ||
    (await isAnyVoided(engine.store.database, stored.fileIds));
  return { isChanged, missingCells };
}

/** As it is now. */
async function computeClose(
  engine: Engine,
  { account, day, ...comparing }: Comparing & { readonly account: FollowedAccount; readonly day: string },
): Promise<Close> {
  const { database } = engine.store;
  const span = spanOf(account, day);
  const previous = await findClose(database, { ...account, day: addDays(day, -1) });
  const signed = previous?.status === 'CLOSED' ? previous : null;
  const wanted = { ...comparing, name: day, day, span, signed };
  const { gathered, compared, items, openingChange, ...rest } = await compareSpan(engine, account, wanted);
  const { missingCells } = gathered;
  const files = (await listFiles(database, account, span)).filter(({ voidedAt }) => voidedAt === null);
  const unreadableLineCount = countUnreadable(files, span);
  const figures = { ...rest.figures, unreadableLineCount };
  const facts: ObstacleFacts = {
    comparableAt: addMs(span.to, COMMITS_WITHIN_MS),
    firstOpenDay: nextDay(account).nextDay,
    missingCells,
    gaps: gapsOf(files, span),
    openingChange,
    differenceCount: compared.ofReport.length + compared.ofBank.length + gathered.rest.differenceCount,
  };
  const obstacles = obstaclesOf({ day, firstDay: account.firstDay, now: gathered.readAt }, facts);
  return {
    account,
    ...span,
    day,
    status: 'OPEN',
    isChanged: false,
    cameSince: [],
    movementsDigest: gathered.movementsDigest,
    figures,
    items,
    contentHash: contentHashOf(figures, items),
    obstacles,
    facts,
    differencesByFile: obstacles.includes('TOO_MANY_DIFFERENCES')
      ? await nameFiles(engine, account, [...compared.ofReport, ...compared.ofBank], gathered.rest)
      : [],
    missingCells,
    counted: gathered.counted,
    takenBack: gathered.takenBack,
    files,
    stored: null,
    reopened: await listReopened(database, { ...account, day }),
  };
}

/** Both sides of a span of time that no signature covers, and what differs at its end. */
export async function compareSpan(
  engine: Engine,
  account: FollowedAccount,
  {
    day,
    span,
    signed,
    ...comparing
  }: Comparing & {
    /** Of its comparison, which is kept. */
    readonly name: string;
    /** To which its differences belong. */
    readonly day: string;
    readonly span: DaySpan;
    /** The signed day before it. */
    readonly signed: StoredClose | null;
  },
) {
  const brought =
    signed === null ? [] : (await listItems(engine.store.database, signed.closeId)).filter(isOpen);
  const spans = openSpans(span, signed);
  const gathered = await gatherDay(engine, account, { ...comparing, span, spans, brought });
  const { opening, missingCells } = gathered;
  const compared = compareAll(gathered, { account, day, brought });
  const openingChange = signed === null || missingCells.length > 0 ? null : opening - signed.figures.closing;
  const items = [
    ...keptOf(compared.ofReport, { day, brought, name: 'REST', uncompared: gathered.rest }),
    ...keptOf(compared.ofBank, { day, brought, name: 'BANK REST' }),
    ...(signed === null || (openingChange ?? 0n) === 0n
      ? []
      : [openingItem(day, signed.day, openingChange ?? 0n)]),
  ];
  return { gathered, compared, items, openingChange, figures: figuresOf(gathered, { brought, items }) };
}

function compareAll(
  gathered: GatheredDay,
  {
    account,
    day,
    brought,
  }: {
    readonly account: FollowedAccount;
    readonly day: string;
    readonly brought: readonly CloseItem[];
  },
) {
  const named = brought.filter(({ kind }) => kind !== 'REST');
  const dayOf = (time: Date) => dayIn(account.timeZone, time);
  const { movements, bankLines: lines } = gathered;
  return {
    ofReport: compareDay({ ...gathered, day, brought: named.filter((one) => !isBank(one)), dayOf }),
    ofBank: compareBank({ day, brought: named.filter(isBank), movements, lines }),
  };
}

function keptOf(
  items: readonly ComparedItem[],
  {
    day,
    brought,
    name,
    uncompared,
  }: {
    readonly day: string;
    readonly brought: readonly CloseItem[];
    readonly name: string;
    readonly uncompared?: DayRest;
  },
): readonly ComparedItem[] {
  const broughtRest = brought.find((one) => one.name === name) ?? null;
  return keepDifferences(items, { day, name, broughtRest, uncompared });
}

/** The files in which most differences are, so that people know which one to look at. */
async function nameFiles(
  { store }: StorePart,
  account: AccountName,
  items: readonly ComparedItem[],
  { byFile }: DayRest,
): Promise<readonly FileWithDifferences[]> {
  const counts = new Map(byFile);
  for (const { fileIds } of items)
    for (const fileId of fileIds) counts.set(fileId, (counts.get(fileId) ?? 0) + 1);
  const files = await listFilesById(store.database, account, [...counts.keys()]);
  return files
    .map((file) => ({ ...file, differenceCount: counts.get(file.fileId) ?? 0 }))
    .toSorted((one, other) => other.differenceCount - one.differenceCount);
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

export function isOpen({ amount }: CloseItem): boolean {
  return amount !== 0n;
}

export function isBank({ name }: CloseItem): boolean {
  return name.startsWith('BANK ');
}

function figuresOf(
  { opening, sums, bankLines }: GatheredDay,
  { brought, items }: { readonly brought: readonly CloseItem[]; readonly items: readonly CloseItem[] },
): Omit<CloseFigures, 'unreadableLineCount'> {
  const { received, sent, reportReceived, reportSent, movementCount, lineCount } = sums;
  const bank = (isWanted: (amount: Amount) => boolean) =>
    sum(bankLines.map(({ amount, times }) => (isWanted(amount) ? amount * BigInt(times) : 0n)));
  const ofReport = items.filter((one) => !isBank(one));
  const known = ofReport.filter(({ kind }) => kind === 'LATE');
  const carriedForward = sum(ofReport.map(({ amount }) => amount));
  return {
    opening,
    received,
    sent,
    closing: opening + received - sent,
    reportReceived,
    reportSent,
    broughtForward: sum(brought.filter((one) => !isBank(one)).map(({ amount }) => amount)),
    carriedForward,
    unexplained: carriedForward - sum(known.map(({ amount }) => amount)),
    bankReceived: bank(isPositive),
    bankSent: -bank(isNegative),
    bankUnexplained: sum(items.filter(isBank).map(({ amount }) => amount)),
    movementCount,
    lineCount,
    bankLineCount: bankLines.reduce((count, { times }) => count + times, 0),
  };
}

function sum(amounts: readonly Amount[]): Amount {
  return amounts.reduce((total, amount) => total + amount, 0n);
}

const isPositive = (amount: Amount) => amount > 0n;
const isNegative = (amount: Amount) => amount < 0n;

/** What the operator's files together do not cover of the day. */
function gapsOf(files: readonly ReportFile[], span: DaySpan): readonly TimeSpan[] {
  const covering = files.flatMap(({ coversFrom, coversTo }) =>
    coversFrom === null || coversTo === null ? [] : [{ from: coversFrom, to: coversTo }],
  );
  return gapsIn(span, covering);
}

/**
 * Of an operator's files none once files without such lines cover the day: the corrected ones. A bank's file covers no
 * time, so that its lines stay unreadable until somebody signs with a note.
 */
function countUnreadable(files: readonly ReportFile[], span: DaySpan): number {
  // A file that ends where the day begins is about the day before.
  const ofDay = files.filter(({ coversTo }) => coversTo === null || coversTo > span.from);
  const isCorrected = gapsOf(files.filter(isReadable), span).length === 0;
  const unread = ofDay.filter(({ source }) => source === 'BANK' || !isCorrected);
  return unread.reduce((count, { faultCount }) => count + faultCount, 0);
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
