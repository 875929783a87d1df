// Real time, how it is compared with the database's, and what production requires of both.
import type { Logger } from 'pino';
import { ClockCheck, type ClockCheckOptions } from '../../core/operators/clock-check.ts';
import type { EngineClock, Observer } from '../../core/engine.ts';
import type { Clock } from '../../domain/clock.ts';
import { isClockShiftInstalled } from '../../store/schema/clock-shift.ts';
import { timeOfWriting, type Database } from '../../store/database.ts';
import { readDatabaseTime } from '../../store/monitoring/database-time.ts';

export const systemClock: Clock = { now: () => new Date() };

/** Time is the database's for whatever is written; the rest is by this process's clock. */
export function createEngineClock(own: Clock): EngineClock {
  return { now: () => own.now(), timeOf: timeOfWriting };
}

/** Real time, also in a sandbox whose time was moved. */
export const wallClock: EngineClock = { ...systemClock, timeOf: readDatabaseTime };

/** Tells metrics of every comparison, and the log when the limit is crossed. */
export function createClockCheck(
  { clockCompared }: Pick<Observer, 'clockCompared'>,
  logger: Pick<Logger, 'error'>,
  isMovable = false,
): ClockCheck {
  const onCompared: ClockCheckOptions['onCompared'] = ({ differenceMs, aheadMs, isChange }) => {
    clockCompared(differenceMs / 1_000, aheadMs / 1_000);
    const message = "the difference to the database's clock, or how far its time is ahead, crossed its limit";
    if (isChange) logger.error({ differenceMs, aheadMs }, message);
  };
  return new ClockCheck({ realClock: systemClock, isMovable, onCompared });
}

/** Production refuses a database whose time can be moved. */
export async function requireRealTime(database: Database): Promise<void> {
  if (await isClockShiftInstalled(database)) {
    throw new Error(
      'This database has a movable clock: it was made by a sandbox and cannot serve production.',
    );
  }
}
