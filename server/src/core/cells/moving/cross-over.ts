// The moment in which a merchant changes cells: locked, the rest copied and compared, and one statement decides.
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { addMs } from '../../../domain/time.ts';
import type { Difference } from '../../../store/cells/moving/compare-rows.ts';
import { isLateUnderOlderKey } from '../../../store/cells/moving/older-keys.ts';
import {
  clearMigrationLock,
  leave,
  setMigrationLock,
  type MigrationLockMode,
  type MoveStep,
} from '../../../store/cells/moving/steps.ts';
import { inTransaction } from '../../../store/database.ts';
import { record, type Actor } from '../../audit.ts';
import { REMEMBER_PLACES_MS } from '../cell-assignments.ts';
import { findDifferentTimes, type TimesDiffer } from '../../operators/compare-times.ts';
import { alone } from '../lock-merchant-alone.ts';
import { copyStops, type LiftedThere } from '../../limits/copy-stops.ts';
import { copyLostPayments } from '../../recovery/copy-lost-payments.ts';
import { findRecoveryInTheWay, type RecoveryInTheWay } from './begin-move.ts';
import { copyNoted } from './copy-history.ts';
import type { MoveCells, MoveWatch } from './copy-payments.ts';
import { copyNotedPieces } from './copy-pieces.ts';
import { copyRest } from './copy-rest.ts';

export type Different = Difference & { readonly type: 'DIFFERENT' };
type Left = { readonly type: 'LEFT' };
/** A process that still has an older encryption key in front has encrypted something meanwhile. */
type UnderOlderKey = { readonly type: 'OLDER_KEY' };
export type Crossed =
  | Left
  | UnderOlderKey
  | RecoveryInTheWay
  | LiftedThere
  | TimesDiffer
  | Different
  | { readonly type: 'TOO_SLOW' };
/** The migration lock lapsed, or another mover raised one: nothing was decided. */
const LAPSED = { type: 'LAPSED' } as const;

/** How long a merchant is kept waiting at most, should the mover die. */
const MIGRATION_LOCK_MS = 1_500;
/** No one in the old cell remembers longer that the merchant is there; the rest is for timers that are late. */
const OPEN_AFTER_MS = REMEMBER_PLACES_MS + 50;
const TRIES_MAX = 10;
/** Long enough for those who waited behind us. */
const TRY_AGAIN_AFTER_MS = 250;

/** TOO_SLOW when it could not be done within the time a merchant may be kept waiting. */
export async function crossOver(
  cells: MoveCells,
  step: MoveStep,
  order: MoveWatch & Actor & { readonly blockedSince: Date },
): Promise<Crossed> {
  const { from } = cells;
  await copyNoted(cells, step, order);
  await copyNotedPieces(cells, step, order);
  // What it finds is not final while the merchant is served. But behind the lock nothing is done for the first time.
  await copyRest(cells, step);
  for (let tries = 1; tries <= TRIES_MAX; tries += 1) {
    await copyNoted(cells, step, order);
    await copyNotedPieces(cells, step, order);
    // It must know the new cell before the merchant is served there: while it is out of reach, nothing is closed.
    await cells.to.databaseOf(cells.to.directoryCell).query('select 1');
    let raised = performance.now();
    const lock = { ...step, lockId: randomUUID() };
    const isUp = await alone(() => {
      raised = performance.now();
      return inTransaction(from.store.database, async (tx) => {
        // Read before the lock is waited for: that time counts too.
        const lapsesAt = addMs(await from.wallClock.timeOf(tx), MIGRATION_LOCK_MS);
        return setMigrationLock(tx, lock, lapsesAt);
      });
    });
    if (isUp) order.onProgress('is leaving');
    const left = isUp ? await leaveUnderMigrationLock(cells, lock, order) : LAPSED;
    if (left.type === 'LEFT') {
      const elapsedMs = performance.now() - raised;
      order.onProgress(`locked for ${Math.round(elapsedMs)} ms`);
      await sleep(Math.max(0, OPEN_AFTER_MS - elapsedMs));
    }
    if (left.type !== 'LAPSED') return left;
    await sleep(TRY_AGAIN_AFTER_MS);
  }
  return { type: 'TOO_SLOW' };
}

/** Of what was copied just now. */
async function findOlderKey(
  { store }: MoveCells['to'],
  { merchantId }: MoveStep,
): Promise<UnderOlderKey | null> {
  const { firstKeyId } = store.keyring;
  const isOlder = await isLateUnderOlderKey(store.database, { merchantId, firstKeyId });
  return isOlder ? { type: 'OLDER_KEY' } : null;
}

/** A recovery that began while the merchant was copied keeps it here as well; what was frozen goes with it. */
async function leaveUnderMigrationLock(
  cells: MoveCells,
  lock: MigrationLockMode,
  { by, blockedSince }: Actor & { readonly blockedSince: Date },
): Promise<Exclude<Crossed, { readonly type: 'TOO_SLOW' }> | typeof LAPSED> {
  const { from, to } = cells;
  const { merchantId, moveId } = lock;
  const lower = () => inTransaction(from.store.database, (tx) => clearMigrationLock(tx, lock));
  try {
    const [difference] = await copyRest(cells, lock);
    const different = difference === undefined ? null : ({ type: 'DIFFERENT', ...difference } as const);
    const inTheWay =
      different ??
      (await findOlderKey(to, lock)) ??
      (await findDifferentTimes(from.store.database, to.store.database)) ??
      (await findRecoveryInTheWay(cells)) ??
      (await copyStops(cells, { by, blockedSince }));
    if (inTheWay !== null) {
      await lower();
      return inTheWay;
    }
    // What was decided or posted back while the merchant was copied.
    await copyLostPayments({ from: from.store.database, to: to.store.database });
    return await inTransaction(from.store.database, async (tx) => {
      if (!(await leave(tx, lock))) return LAPSED;
      const detail = { from: from.home, to: to.home, moveId };
      await record(from, tx, [{ by, act: 'MERCHANT_MOVED', merchantId, subject: merchantId, detail }]);
      return { type: 'LEFT' } as const;
    });
  } catch (error) {
    // No one waits for a migration lock to lapse that no one needs.
    await lower().catch(() => undefined);
    throw error;
  }
}
