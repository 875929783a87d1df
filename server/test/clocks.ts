// Clocks of engines in tests. A gateway's own follows the movable clock of its database.
import type { Engine, EngineClock } from '../src/core/engine.ts';
import type { Clock } from '../src/domain/clock.ts';

/** A time of the test's own, which the database is not asked for: for what is written without a gateway. */
export function clockAt(now: () => Date): EngineClock {
  return { now, timeOf: async () => now() };
}

/** The same engine in a process whose own clock is wrong by so much; negative: behind. */
export function inProcessOff<Part extends Pick<Engine, 'clock'>>(engine: Part, byMs: number): Part {
  const { clock } = engine;
  const wrong: EngineClock = { ...clock, now: () => new Date(clock.now().getTime() + byMs) };
  return Object.create(engine, { clock: { value: wrong } });
}

/** The clock of an operator that is beside the gateway. */
export function clockOf(engine: Pick<Engine, 'clock'>): Clock {
  return { now: () => nowOf(engine) };
}

/** What the process's clock shows, for what a test writes by itself. */
export function nowOf({ clock }: Pick<Engine, 'clock'>): Date {
  return new Date(clock.now().getTime());
}
