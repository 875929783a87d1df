// Compares this process's clock with the database's, which is the same for all processes. A permission to send ends at
// a time that one process wrote and another one reads, and "not found" is proof from such a time on. Both mean
// something only while the clocks agree. A process whose clock differs does not claim and does not send. Nor does any
// where the time is ahead: of the database's clock, because sums of transfers went there with a clock that was wrong,
// or of the time that really passed.
import { addMs } from '../../domain/time.ts';
import type { Clock, ProcessTime } from '../../domain/clock.ts';
import type { Tx } from '../../store/database.ts';
import { readDatabaseTimes, type DatabaseTimes } from '../../store/monitoring/database-time.ts';

/** Two processes then differ by 4 s at most. Every connector waits longer than that before "not found" is proof. */
export const CLOCK_DIFFERENCE_MAX_MS = 2_000;

/**
 * A database whose time went further than this since it was last found right has had its clock set ahead. Sums of
 * transfers end 10 minutes ago: what is less does not carry them into the future.
 */
const JUMP_MAX_MS = 60_000;

export type ClockCheckOptions = {
  /** Real time: a sandbox shifts the time of its payments, and the database knows nothing of that. */
  readonly realClock: Clock;
  /** What no clock that is set changes, in milliseconds. */
  readonly monotonicNow?: () => number;
  /** Whether a sandbox can move the database's time: then it jumps, and rightly. */
  readonly isMovable?: boolean;
  readonly onCompared: (compared: Compared) => void;
};

export type Compared = {
  readonly differenceMs: number;
  /** By how much the time of what is written is ahead of what it should be; 0 where it is not. */
  readonly aheadMs: number;
  /** Whether the answer is another one than before. */
  readonly isChange: boolean;
};

export class ClockCheck {
  readonly #options: ClockCheckOptions;
  #isOff = false;
  #isAhead = false;
  /** When the database's time was last right, as far as is known here. */
  #right: { readonly shownMs: number; readonly at: number } | null = null;
  #differenceMs = 0;

  constructor(options: ClockCheckOptions) {
    this.#options = options;
  }

  /** Whether the clocks differed, or the time was ahead, when they were last compared. */
  get isOff(): boolean {
    return this.#isOff;
  }

  /** Whether the time of what is written was ahead then. */
  get isAhead(): boolean {
    return this.#isAhead;
  }

  /**
   * What this process's clock shows, moved to where the database's is if it was behind when they were last compared: by
   * a clock that is a little behind, a listing would miss what has just become due.
   */
  notBehind(now: ProcessTime): ProcessTime {
    return addMs(now, Math.max(0, -this.#differenceMs));
  }

  /** Answers whether the clocks agree now. The database read its clock about half the round trip ago. */
  async agrees(tx: Tx): Promise<boolean> {
    const askedAt = this.#monotonicNow();
    const times = await readDatabaseTimes(tx);
    const halfTripMs = (this.#monotonicNow() - askedAt) / 2;
    const differenceMs = this.#options.realClock.now().getTime() - halfTripMs - times.real.getTime();
    const differs = Math.abs(differenceMs) > CLOCK_DIFFERENCE_MAX_MS;
    const aheadMs = this.#measureAhead(times, { at: askedAt + halfTripMs, differs });
    const isOff = differs || aheadMs > 0;
    const isChange = isOff !== this.#isOff;
    this.#isOff = isOff;
    this.#isAhead = aheadMs > 0;
    this.#differenceMs = differenceMs;
    this.#options.onCompared({ differenceMs, aheadMs, isChange });
    return !isOff;
  }

  /** Of the database's clock, or of what a clock shows that nobody sets. What is small is nothing. */
  #measureAhead(
    { shown, writing }: DatabaseTimes,
    { at, differs }: { readonly at: number; readonly differs: boolean },
  ): number {
    const aheadMs = writing.getTime() - shown.getTime();
    const known = this.#right;
    const jumpMs = known === null ? 0 : shown.getTime() - known.shownMs - (at - known.at);
    const hasJumped = jumpMs > JUMP_MAX_MS && this.#options.isMovable !== true;
    // A slow clock that is set right later has not jumped: what it showed while it differed was never taken for right.
    if (!hasJumped && !differs) this.#right = { shownMs: shown.getTime(), at };
    return Math.max(hasJumped ? jumpMs : 0, aheadMs > CLOCK_DIFFERENCE_MAX_MS ? aheadMs : 0);
  }

  #monotonicNow(): number {
    return this.#options.monotonicNow?.() ?? performance.now();
  }
}
