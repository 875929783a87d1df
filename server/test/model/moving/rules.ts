// The rules of a move, and variants with one of them taken away.
import type { Cast } from './check.ts';
import type { PromiseName } from './promises.ts';

export type MoveRules = {
  /** A migration lock is set and removed only while no transaction is inside the merchant. */
  readonly waitsForTransactions: boolean;
  /** A change of a merchant that is being copied leaves a note, in its own transaction. */
  readonly notes: boolean;
  /** Only the notes that were listed before the copy are deleted. */
  readonly deletesListedNotes: boolean;
  /** A copy reads while it holds the new cell's migration lock. */
  readonly holdsWhileCopying: boolean;
  /** Only the mover that set the migration lock decides under it. */
  readonly decidesUnderOwnLock: boolean;
  /** Nothing is decided once the migration lock has lapsed. */
  readonly decidesOnlyLocked: boolean;
  /** The new cell's migration lock is set only while the old cell still has its own. */
  readonly looksAgainBeforeArriving: boolean;
  /** Only a new move sets the old cell's migration lock. */
  readonly onlyNewMovesBegin: boolean;
  /** An abort ends the move in the old cell before it deletes the copy. */
  readonly abortsInOldCellFirst: boolean;
  /** An abort ends the one move that it looked at. */
  readonly abortsByName: boolean;
  /** The new cell's workers finish a move whose mover died. */
  readonly workersFinish: boolean;
  /** A migration lock whose mover died lapses. */
  readonly lapses: boolean;
  /** What was noted is copied again behind the migration lock. */
  readonly copiesRest: boolean;
};

export const RULES: MoveRules = {
  waitsForTransactions: true,
  notes: true,
  deletesListedNotes: true,
  holdsWhileCopying: true,
  decidesUnderOwnLock: true,
  decidesOnlyLocked: true,
  looksAgainBeforeArriving: true,
  onlyNewMovesBegin: true,
  abortsInOldCellFirst: true,
  abortsByName: true,
  workersFinish: true,
  lapses: true,
  copiesRest: true,
};

export type Variant = {
  readonly rules: Partial<MoveRules>;
  /** What is broken by it, which its search looks for. */
  readonly breaks: PromiseName;
  /** Default: two movers. */
  readonly cast?: Cast;
};

const LOST = 'nothing acknowledged is lost';
const ABORTED = 'a mover and a person who aborts';
const UNSERVED = 'a merchant is served again without any mover';

/** By the rule that was taken away. */
export const VARIANTS: Readonly<Record<string, Variant>> = {
  'a migration lock that waits for no transaction': { rules: { waitsForTransactions: false }, breaks: LOST },
  'a change without a note': { rules: { notes: false }, breaks: LOST },
  'notes that are deleted unread': { rules: { deletesListedNotes: false }, breaks: LOST },
  'a copy that is read before the lock is held': { rules: { holdsWhileCopying: false }, breaks: LOST },
  "a decision under another mover's lock": { rules: { decidesUnderOwnLock: false }, breaks: LOST },
  'a decision after the lock has lapsed': {
    rules: { decidesOnlyLocked: false },
    breaks: LOST,
  },
  'nothing copied behind the lock': { rules: { copiesRest: false }, breaks: LOST },
  'a mover that stood still and arrives without a second look': {
    rules: { looksAgainBeforeArriving: false },
    breaks: 'nothing acknowledged is lost',
  },
  'a copy that is deleted before the move is ended': {
    rules: { abortsInOldCellFirst: false },
    breaks: LOST,
    cast: ABORTED,
  },
  'an abort of whatever arrives': { rules: { abortsByName: false }, breaks: LOST, cast: ABORTED },
  'an aborted move that begins again': { rules: { onlyNewMovesBegin: false }, breaks: LOST, cast: ABORTED },
  'no worker that finishes a move': { rules: { workersFinish: false }, breaks: UNSERVED },
  'a lock that never lapses': { rules: { lapses: false }, breaks: UNSERVED },
};
