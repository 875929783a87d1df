// Two people sign a day: one requests it as it is, another approves exactly that. The request names up to which lines
// it counts. What comes later belongs to the next day; what changes of that must be requested again.
import { randomUUID } from 'node:crypto';
import { renderAmount } from '../../domain/money.ts';
import {
  isPassable,
  type CloseObstacle,
  type PassableObstacle,
} from '../../domain/reconciliation/close-obstacles.ts';
import { nextDay } from '../../domain/reconciliation/due-day.ts';
import { findCloseAccount, findClose, endClose, insertClose } from '../../store/daily-close/closes.ts';
import { forgetComparison } from '../../store/daily-close/comparisons.ts';
import { lockLines, markLateLines } from '../../store/daily-close/closed-lines.ts';
import { isAnyVoided } from '../../store/daily-close/report-lines.ts';
import type { ActingPerson } from '../../store/approvals/approvals.ts';
import { expectWholeDay } from '../../store/daily-close/whole-day.ts';
import { inTransaction } from '../../store/database.ts';
import { NotExecuted, type Executor } from '../approvals/executor.ts';
import { requestApproval } from '../approvals/request.ts';
import { record } from '../audit.ts';
import type { Engine } from '../engine.ts';
import type { Waiting } from './compare-once.ts';
import { countedSpans, countLines } from './counted-lines.ts';
import { compareWithRequest, needsNote, readClose, spanOf, type DayName } from './read-close.ts';

export type SignAnswer =
  | { readonly type: 'REQUESTED'; readonly approvalId: string }
  | { readonly type: 'NOT_FOUND' | 'SIGNED_BEFORE' | 'REQUESTED_BEFORE' | 'NOT_AS_SHOWN' | 'NOTE_MISSING' }
  | {
      readonly type: 'NOT_POSSIBLE';
      readonly obstacles: readonly CloseObstacle[];
      readonly missingCells: readonly string[];
    };

export type Signing = DayName & {
  readonly actor: ActingPerson;
  /** Why it is signed although something differs. */
  readonly note: string | null;
  /** Of what the person was shown; null on the command line. */
  readonly contentHash: string | null;
  /** How the person waits where the day has to be compared again; left out: until it is. */
  readonly wait?: Waiting;
  /** Obstacles that the person was shown and signs in spite of. A note says why. */
  readonly despite?: readonly PassableObstacle[];
};

export async function requestClose(engine: Engine, signing: Signing): Promise<SignAnswer> {
  const { provider, currency, day, actor, note } = signing;
  const { wait = (read) => read({}) } = signing;
  const close = await wait((comparing) => readClose(engine, signing, comparing));
  if (close === null) return { type: 'NOT_FOUND' };
  if (close.status === 'CLOSED') return { type: 'SIGNED_BEFORE' };
  if (close.status === 'REQUESTED') return { type: 'REQUESTED_BEFORE' };
  const { missingCells, figures, items, contentHash, facts } = close;
  const obstacles = standingAgainst(close.obstacles, signing.despite ?? []);
  if (obstacles.length > 0) return { type: 'NOT_POSSIBLE', obstacles, missingCells };
  if (signing.contentHash !== null && signing.contentHash !== contentHash) return { type: 'NOT_AS_SHOWN' };
  if (note === null && needsNote(close)) return { type: 'NOTE_MISSING' };
  const closeId = randomUUID();
  const request = {
    closeId,
    provider,
    currency,
    day,
    opening: renderAmount(figures.opening),
    closing: renderAmount(figures.closing),
    unexplained: renderAmount(figures.unexplained),
    bankUnexplained: renderAmount(figures.bankUnexplained),
    differenceCount: items.length,
    unreadableLineCount: figures.unreadableLineCount,
    lineCount: figures.lineCount,
    linesThrough: close.counted.linesThrough,
    bankLineCount: figures.bankLineCount,
    bankLinesThrough: close.counted.bankLinesThrough,
    contentHash,
    note: note ?? '',
    // What a person names without need is not signed in spite of.
    ...(close.obstacles.length > 0 && { despite: close.obstacles.filter(isPassable) }),
    ...(facts !== null && (facts.openingChange ?? 0n) !== 0n
      ? { openingChange: renderAmount(facts.openingChange ?? 0n) }
      : {}),
  };
  const wanted = {
    kind: 'DAY_CLOSE',
    merchantId: null,
    subject: subjectOf(signing),
    request,
    actor,
  } as const;
  const approvalId = await inTransaction(engine.store.database, async (tx) => {
    // Lines that come from here on find the request, and belong to the next day.
    await lockLines(tx, signing);
    const requested = await requestApproval(engine, tx, wanted);
    if (requested === null) return null;
    const madeAt = await engine.clock.timeOf(tx);
    const signed = { closeId, provider, currency, day, figures, contentHash, note, madeAt, items };
    const fileIds = close.files.map(({ fileId }) => fileId);
    await insertClose(tx, { ...close.counted, ...signed, fileIds, movementsDigest: close.movementsDigest });
    await expectWholeDay(tx);
    const { linesThrough, bankLinesThrough } = close.counted;
    // Those that came while the day was compared.
    await markLateLines(tx, signing, {
      from: close.from,
      to: close.to,
      through: { OPERATOR: linesThrough, BANK: bankLinesThrough },
    });
    return requested;
  });
  return approvalId === null ? { type: 'REQUESTED_BEFORE' } : { type: 'REQUESTED', approvalId };
}

/** Obstacles that keep the day from being signed in spite of those that people name. */
function standingAgainst(
  obstacles: readonly CloseObstacle[],
  despite: readonly PassableObstacle[],
): readonly CloseObstacle[] {
  return obstacles.filter((one) => !isPassable(one) || !despite.includes(one));
}

export function subjectOf({ provider, currency, day }: DayName): string {
  return `${provider}/${currency}/${day}`;
}

export const closeExecutor: Executor<'DAY_CLOSE'> = {
  show: (request) => {
    const { closeId: _, differenceCount, unreadableLineCount, despite = [], ...rest } = request;
    const { lineCount, linesThrough, bankLineCount, bankLinesThrough, ...shown } = rest;
    return {
      ...shown,
      ...(despite.length > 0 && { despite: despite.join(', ') }),
      differenceCount: String(differenceCount),
      unreadableLineCount: String(unreadableLineCount),
      lineCount: String(lineCount),
      linesThrough: String(linesThrough),
      bankLineCount: String(bankLineCount),
      bankLinesThrough: String(bankLinesThrough),
    };
  },
  /** What was requested is counted again, in a snapshot of all cells. Nothing is compared again. */
  before: async ({ engine, approval: { request } }) => {
    const { database } = engine.store;
    const account = await findCloseAccount(database, request);
    const stored = await findClose(database, request);
    if (account === null || stored === null || stored.closeId !== request.closeId) throw new NotExecuted();
    const { isChanged, missingCells } = await compareWithRequest(engine, account, stored);
    const [cell] = missingCells;
    if (cell !== undefined)
      throw new NotExecuted({ code: 'CELL_SILENT', parameters: { cell } }, `cell ${cell} does not answer`);
    if (isChanged) throw new NotExecuted();
  },
  /** From here on no line comes or changes, and no file is voided. */
  lock: ({ tx, approval: { request } }) => lockLines(tx, request),
  execute: async ({ engine, tx, approval: { request }, decider: { by } }) => {
    const { closeId, day, provider, currency } = request;
    const account = await findCloseAccount(tx, request);
    const stored = await findClose(tx, request);
    if (account === null || stored === null || nextDay(account).nextDay !== day) throw new NotExecuted();
    const closedAt = await engine.clock.timeOf(tx);
    if (!(await endClose(tx, { closeId, status: 'CLOSED', closedAt }))) throw new NotExecuted();
    await expectWholeDay(tx);
    // Lines that came since the request have higher numbers, and the next day counts them.
    const { linesDigest } = await countLines(tx, account, countedSpans(spanOf(account, day), stored));
    if (linesDigest !== stored.linesDigest) throw new NotExecuted();
    if (await isAnyVoided(tx, stored.fileIds)) throw new NotExecuted();
    await forgetComparison(tx, request);
    const { unexplained, bankUnexplained, differenceCount, contentHash } = request;
    const detail = { currency, day, unexplained, bankUnexplained, differenceCount, contentHash };
    await record(engine, tx, [{ by, act: 'DAY_CLOSED', merchantId: null, subject: provider, detail }]);
  },
  end: async ({ tx, approval: { request } }) => {
    await endClose(tx, { closeId: request.closeId, status: 'REJECTED', closedAt: null });
  },
};
