// Real time plus an offset that all processes of a sandbox share.
import type { Clock } from '../domain/clock.ts';
import { addClockShift, installClockShift, readClockShift } from '../store/schema/clock-shift.ts';
import type { Database } from '../store/database.ts';

/** How soon a process notices that another one moved the clock. */
const FOLLOW_MS = 250;

export class MovableClock implements Clock {
  readonly #database: Database;
  readonly #timer: NodeJS.Timeout;
  #shiftMs: number;
  #moves = 0;

  private constructor(database: Database, shiftMs: number) {
    this.#database = database;
    this.#shiftMs = shiftMs;
    // If the offset cannot be read now, it is read next time.
    this.#timer = setInterval(() => void this.#follow().catch(() => undefined), FOLLOW_MS);
    this.#timer.unref();
  }

  static async open(database: Database): Promise<MovableClock> {
    await installClockShift(database);
    return new MovableClock(database, await readClockShift(database));
  }

  readonly now = (): Date => new Date(Date.now() + this.#shiftMs);

  /** Moves the time of every process. */
  async move(byMs: number): Promise<void> {
    this.#moves += 1;
    const shiftMs = await addClockShift(this.#database, byMs);
    this.#moves += 1;
    this.#shiftMs = shiftMs;
  }

  close(): void {
    clearInterval(this.#timer);
  }

  async #follow(): Promise<void> {
    const moves = this.#moves;
    const shiftMs = await readClockShift(this.#database);
    // An offset read before our own move, or during it, would set the time back.
    if (moves === this.#moves) this.#shiftMs = shiftMs;
  }
}
