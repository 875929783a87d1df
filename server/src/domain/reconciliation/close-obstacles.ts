// Why a day cannot be signed, and what each obstacle needs to go away. Pure.
import type { Amount } from '../money.ts';

/**
 * DAY_NOT_OVER: it can still get movements. BEFORE_FIRST_DAY: the account is followed from a later day on.
 * PREVIOUS_DAY_OPEN: days are signed one after the other. CELL_SILENT: a cell that may use the account did not answer.
 * REPORT_MISSING: the operator's reports do not cover the whole day. OPENING_DIFFERS: the books of the signed day
 * before have changed. TOO_MANY_DIFFERENCES: more than people read, so that a file is probably wrong.
 */
export const CLOSE_OBSTACLES = [
  'DAY_NOT_OVER',
  'BEFORE_FIRST_DAY',
  'PREVIOUS_DAY_OPEN',
  'CELL_SILENT',
  'REPORT_MISSING',
  'OPENING_DIFFERS',
  'TOO_MANY_DIFFERENCES',
] as const;
export type CloseObstacle = (typeof CLOSE_OBSTACLES)[number];

/** Two people can sign in spite of these, if they name them and say why in a note. */
export const SIGNED_IN_SPITE_OF = [
  'OPENING_DIFFERS',
  'TOO_MANY_DIFFERENCES',
] as const satisfies CloseObstacle[];
export type PassableObstacle = (typeof SIGNED_IN_SPITE_OF)[number];

export function isPassable(obstacle: CloseObstacle): obstacle is PassableObstacle {
  return SIGNED_IN_SPITE_OF.some((one) => one === obstacle);
}

/** More than this nobody reads: anyone who has so many probably has the wrong file. */
export const DIFFERENCES_READ_MAX = 5_000;

export type TimeSpan = { readonly from: Date; readonly to: Date };

/** How many differences a file has a part in. */
export type FileDifferences = { readonly fileId: string; readonly count: number };

/** What people need to know about obstacles to act. */
export type ObstacleFacts = {
  /** From when on the day can be compared. */
  readonly comparableAt: Date;
  /** The first day that is not signed. */
  readonly firstOpenDay: string;
  /** Cells that did not answer. */
  readonly missingCells: readonly string[];
  /** Parts of the day that no report covers. */
  readonly gaps: readonly TimeSpan[];
  /** By how much the opening differs from the closing that was signed for the day before; null without one. */
  readonly openingChange: Amount | null;
  readonly differenceCount: number;
};

export function obstaclesOf(
  { day, firstDay, now }: { readonly day: string; readonly firstDay: string; readonly now: Date },
  facts: ObstacleFacts,
): readonly CloseObstacle[] {
  const isReported = facts.gaps.length === 0;
  const standing: Readonly<Record<CloseObstacle, boolean>> = {
    DAY_NOT_OVER: now < facts.comparableAt,
    BEFORE_FIRST_DAY: day < firstDay,
    PREVIOUS_DAY_OPEN: day > facts.firstOpenDay,
    CELL_SILENT: facts.missingCells.length > 0,
    REPORT_MISSING: !isReported,
    OPENING_DIFFERS: facts.openingChange !== null && facts.openingChange !== 0n,
    // Until the report is there, every payment of the day is one.
    TOO_MANY_DIFFERENCES: isReported && facts.differenceCount > DIFFERENCES_READ_MAX,
  };
  return CLOSE_OBSTACLES.filter((obstacle) => standing[obstacle]);
}

/**
 * What is left of a span of time that others together do not cover. The last of them may end with the last second of
 * the span.
 */
export function gapsIn({ from, to }: TimeSpan, covering: readonly TimeSpan[]): readonly TimeSpan[] {
  const gaps: TimeSpan[] = [];
  let until = from;
  for (const span of covering.toSorted((one, other) => one.from.getTime() - other.from.getTime())) {
    if (span.to <= until || span.from >= to) continue;
    if (span.from > until) gaps.push({ from: until, to: span.from });
    until = span.to;
  }
  if (to.getTime() - until.getTime() > LAST_SECOND_MS) gaps.push({ from: until, to });
  return gaps;
}

const LAST_SECOND_MS = 1_000;
