// Runs tasks when the injected clock reaches their time. That clock can be moved manually, so no timer is set for the
// time itself: a short real-time tick checks the clock while tasks are waiting.
import type { Clock } from '../../domain/clock.ts';

/** Shorter than every delay that people set. Without entries there is no tick. */
const TICK_MS = 20;

type AgendaEntry = { readonly dueAt: Date; readonly run: () => void };

export class Agenda {
  readonly #clock: Clock;
  #entries: AgendaEntry[] = [];
  /** Avoids checking every entry if none can be due: thousands may wait during thousands of requests. */
  #nextDueMs = Infinity;
  #timer: NodeJS.Timeout | undefined;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  add(entry: AgendaEntry): void {
    this.#entries.push(entry);
    this.#nextDueMs = Math.min(this.#nextDueMs, entry.dueAt.getTime());
    this.#timer ??= setInterval(() => this.runDue(), TICK_MS).unref();
  }

  /** Also called before each answer, so that a moved clock takes effect at once. */
  runDue(): void {
    const now = this.#clock.now();
    if (now.getTime() < this.#nextDueMs) return;
    const due = this.#entries.filter((entry) => entry.dueAt <= now);
    this.#entries = this.#entries.filter((entry) => entry.dueAt > now);
    this.#nextDueMs = Math.min(...this.#entries.map((entry) => entry.dueAt.getTime()));
    if (this.#entries.length === 0) this.stop();
    for (const entry of due.toSorted((a, b) => a.dueAt.getTime() - b.dueAt.getTime())) entry.run();
  }

  /** Drops all waiting tasks. */
  stop(): void {
    this.#entries = [];
    this.#nextDueMs = Infinity;
    clearInterval(this.#timer);
    this.#timer = undefined;
  }
}
