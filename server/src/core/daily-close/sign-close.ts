// Two people sign a day: one requests it as it is, another approves exactly that. What changed meanwhile must be
// requested again.
import { randomUUID } from 'node:crypto';
import { renderAmount } from '../../domain/money.ts';
import {
  isPassable,
  type CloseObstacle,
  type PassableObstacle,
} from '../../domain/reconciliation/close-obstacles.ts';
import { findCloseAccount, findClose, endClose, insertClose } from '../../store/daily-close/closes.ts';
import { forgetComparison } from '../../store/daily-close/comparisons.ts';
import { lockLines } from '../../store/daily-close/closed-lines.ts';
import type { ActingPerson } from '../../store/approvals/approvals.ts';
import { expectWholeDay } from '../../store/daily-close/whole-day.ts';
import { inTransaction } from '../../store/database.ts';
import { NotExecuted, type Executor } from '../approvals/executor.ts';
import { requestApproval } from '../approvals/request.ts';
import { record } from '../audit.ts';
import type { Engine } from '../engine.ts';
import { BeingCompared, PATIENCE_MS, withPatience, type Comparing, type Waiting } from './compare-once.ts';
import { countedSpans, countLines } from './counted-lines.ts';
import { computeClose, needsNote, readClose, spanOf, type DayName } from './read-close.ts';

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
    const requested = await requestApproval(engine, tx, wanted);
    if (requested === null) return null;
    const madeAt = await engine.clock.timeOf(tx);
    const signed = { closeId, provider, currency, day, figures, contentHash, note, madeAt, items };
    await insertClose(tx, { ...close.counted, ...signed });
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

/** Only where something has changed is it compared anew. Who approves does not wait long for that, and tries again. */
async function compareNow<Result>(compute: (comparing: Comparing) => Promise<Result>): Promise<Result> {
  try {
    return await withPatience(PATIENCE_MS, compute);
  } catch (error) {
    if (!(error instanceof BeingCompared)) throw error;
    throw new NotExecuted({ code: 'CLOSE_BEING_COMPARED', parameters: {} }, error.message);
  }
}

export const closeExecutor: Executor<'DAY_CLOSE'> = {
  show: (request) => {
    const { closeId: _, differenceCount, unreadableLineCount, despite = [], ...shown } = request;
    return {
      ...shown,
      ...(despite.length > 0 && { despite: despite.join(', ') }),
      differenceCount: String(differenceCount),
      unreadableLineCount: String(unreadableLineCount),
    };
  },
  /** What was compared is counted again, in a snapshot of all cells. */
  before: async ({ engine, approval: { request } }) => {
    const { database } = engine.store;
    const account = await findCloseAccount(database, request);
    const stored = await findClose(database, request);
    if (account === null || stored === null || stored.closeId !== request.closeId) throw new NotExecuted();
    const { day } = request;
    const now = await compareNow((comparing) => computeClose(engine, { account, day, stored, ...comparing }));
    const standing = standingAgainst(now.obstacles, request.despite ?? []);
    if (standing.length > 0 || now.contentHash !== request.contentHash) throw new NotExecuted();
  },
  /** From here on no line comes: what is signed is compared with what is there. */
  lock: ({ tx, approval: { request } }) => lockLines(tx, request),
  execute: async ({ engine, tx, approval: { request }, decider: { by } }) => {
    const { closeId, day, provider, currency } = request;
    const account = await findCloseAccount(tx, request);
    const stored = await findClose(tx, request);
    if (account === null || stored === null) throw new NotExecuted();
    const closedAt = await engine.clock.timeOf(tx);
    if (!(await endClose(tx, { closeId, status: 'CLOSED', closedAt }))) throw new NotExecuted();
    await expectWholeDay(tx);
    // A line that came since it was compared belongs to the next day's close, and would be signed unseen.
    const { lines, bankLines } = countedSpans(spanOf(account, day), stored);
    const allNow = { lines: { ...lines, through: null }, bankLines: { ...bankLines, through: null } };
    const { linesDigest } = await countLines(tx, account, allNow);
    if (linesDigest !== stored.linesDigest) throw new NotExecuted();
    await forgetComparison(tx, request);
    const { unexplained, bankUnexplained, differenceCount, contentHash } = request;
    const detail = { currency, day, unexplained, bankUnexplained, differenceCount, contentHash };
    await record(engine, tx, [{ by, act: 'DAY_CLOSED', merchantId: null, subject: provider, detail }]);
  },
  end: async ({ tx, approval: { request } }) => {
    await endClose(tx, { closeId: request.closeId, status: 'REJECTED', closedAt: null });
  },
};
