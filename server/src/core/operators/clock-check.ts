// Compares this process's clock with the database's, which is the same for all processes. A permission to send ends at
// a time that one process wrote and another one reads, and "not found" is proof from such a time on. Both mean
// something only while the clocks agree. A process whose clock differs does not claim and does not send.
import { addMs } from '../../domain/time.ts';
import type { Clock, ProcessTime } from '../../domain/clock.ts';
import type { Tx } from '../../store/database.ts';
import { readDatabaseTime } from '../../store/monitoring/database-time.ts';

/** Two processes then differ by 4 s at most. Every connector waits longer than that before "not found" is proof. */
export const CLOCK_DIFFERENCE_MAX_MS = 2_000;

export type ClockCheckOptions = {
  /** Real time: a sandbox shifts the time of its payments, and the database knows nothing of that. */
  readonly realClock: Clock;
  readonly onCompared: (difference: { readonly differenceMs: number; readonly isChange: boolean }) => void;
};

export class ClockCheck {
  readonly #options: ClockCheckOptions;
  #isOff = false;
  #differenceMs = 0;

  constructor(options: ClockCheckOptions) {
    this.#options = options;
  }

  /** Whether the clocks differed when they were last compared. */
  get isOff(): boolean {
    return this.#isOff;
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
    const askedAt = performance.now();
    const databaseTime = await readDatabaseTime(tx);
    const halfTripMs = (performance.now() - askedAt) / 2;
    const differenceMs = this.#options.realClock.now().getTime() - halfTripMs - databaseTime.getTime();
    const isOff = Math.abs(differenceMs) > CLOCK_DIFFERENCE_MAX_MS;
    const isChange = isOff !== this.#isOff;
    this.#isOff = isOff;
    this.#differenceMs = differenceMs;
    this.#options.onCompared({ differenceMs, isChange });
    return !isOff;
  }
}
