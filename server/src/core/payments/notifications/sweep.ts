// Takes up what a crash left behind: notifications that were stored and had no effect yet, migration locks of a mover
// that died. Steps of payments need no sweep: a step that is due stays due until it is done.
import { clearExpiredMigrationLocks } from '../../../store/cells/migration-locks.ts';
import type { Engine } from '../../engine.ts';
import { applyUnmatchedNotifications } from './notify.ts';
import { addMs } from '../../../domain/time.ts';

export type SweepOptions = {
  /** How old a notification must be before it counts as forgotten: a busy process is not a crashed one. */
  readonly overdueAfterMs: number;
  readonly countMax: number;
  readonly onError: (error: unknown) => void;
};

export async function sweep(engine: Engine, { overdueAfterMs, ...options }: SweepOptions): Promise<void> {
  const before = addMs(engine.clock.now(), -overdueAfterMs);
  const { database } = engine.store;
  await clearExpiredMigrationLocks(database, await engine.wallClock.timeOf(database));
  const notifications = await applyUnmatchedNotifications(engine, { ...options, before });
  engine.observer.repaired('notification', notifications);
}
