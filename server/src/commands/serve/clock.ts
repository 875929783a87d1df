// Real time, how it is compared with the database's, and what production requires of both.
import type { Logger } from 'pino';
import { ClockCheck, type ClockCheckOptions } from '../../core/operators/clock-check.ts';
import type { Observer } from '../../core/engine.ts';
import type { Clock } from '../../domain/clock.ts';
import type { Database } from '../../store/database.ts';
import { isClockShiftInstalled } from '../../store/schema/clock-shift.ts';

export const systemClock: Clock = { now: () => new Date() };

/** Tells metrics of every comparison, and the log when the limit is crossed. */
export function createClockCheck(
  { clockCompared }: Pick<Observer, 'clockCompared'>,
  logger: Pick<Logger, 'error'>,
): ClockCheck {
  const onCompared: ClockCheckOptions['onCompared'] = ({ differenceMs, isChange }) => {
    clockCompared(differenceMs / 1_000);
    if (isChange) logger.error({ differenceMs }, "the difference to the database's clock crossed its limit");
  };
  return new ClockCheck({ realClock: systemClock, onCompared });
}

/** Production refuses a database whose time can be moved. */
export async function requireRealTime(database: Database): Promise<void> {
  if (await isClockShiftInstalled(database)) {
    throw new Error(
      'This database has a movable clock: it was made by a sandbox and cannot serve production.',
    );
  }
}
