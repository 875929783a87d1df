// Things to do when the injected clock reaches their time. That clock may be moved manually, so no timer can be
// set for the time itself: a short real-time tick looks at the clock while something is waiting.
import type { Clock } from '../../domain/clock.ts';

/** Short beside every delay people set, and idle costs nothing: without entries there is no tick. */
const TICK_MS = 20;

type AgendaEntry = { readonly dueAt: Date; readonly run: () => void };

export class Agenda {
  readonly #clock: Clock;
  #entries: AgendaEntry[] = [];
  /** Spares a look at every entry when nothing can be due: thousands may wait while thousands are asked about. */
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

  /** Also called before the simulator tells anything, so that a moved clock shows at once. */
  runDue(): void {
    const now = this.#clock.now();
    if (now.getTime() < this.#nextDueMs) return;
    const due = this.#entries.filter((entry) => entry.dueAt <= now);
    this.#entries = this.#entries.filter((entry) => entry.dueAt > now);
    this.#nextDueMs = Math.min(...this.#entries.map((entry) => entry.dueAt.getTime()));
    if (this.#entries.length === 0) this.stop();
    for (const entry of due.toSorted((a, b) => a.dueAt.getTime() - b.dueAt.getTime())) entry.run();
  }

  /** Forgets whatever is still waiting. */
  stop(): void {
    this.#entries = [];
    this.#nextDueMs = Infinity;
    clearInterval(this.#timer);
    this.#timer = undefined;
  }
}
