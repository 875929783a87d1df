// The way out where a clock that was ahead carried the sums of the ledger along: time would stand where they end until
// the clock has reached that, which can be years away. The sums go back behind the right time, which lets time go on
// from it; rows keep the times that they were written with, and count in every balance as before.
import { addMs } from '../../domain/time.ts';
import { listMigrationLocks } from '../../store/cells/migration-locks.ts';
import { listSignedAfter, type SignedDay } from '../../store/daily-close/closes.ts';
import { COMMITS_WITHIN_MS, inTransaction } from '../../store/database.ts';
import { findSummedUntil } from '../../store/ledger/ledger-rollups.ts';
import { countTransfersAfter, listAllBalances, setSumsBack } from '../../store/ledger/set-sums-back.ts';
import { readDatabaseTimes } from '../../store/monitoring/database-time.ts';
import { bringWaitsForward } from '../../store/monitoring/waits.ts';
import { record, type Actor } from '../audit.ts';
import type { TimedStore } from '../engine.ts';
import { CLOCK_DIFFERENCE_MAX_MS } from '../operators/clock-check.ts';

/** A person reads a clock and types. What is carried away by less passes by itself. */
const TYPED_WITHIN_MS = 120_000;

export type TimeAheadReport = {
  /** What the database's clock shows, and the time of what is written now. */
  readonly shown: Date;
  readonly writing: Date;
  /** How far the sums went, and where they would end. */
  readonly summedUntil: Date | null;
  readonly sumsTo: Date;
  /** Transfers that are dated after the clock. */
  readonly transferCount: number;
};

export type SetBackAnswer =
  | (TimeAheadReport & { readonly type: 'DONE' | 'SHOWN' })
  /** The time of what is written is that of the clock. */
  | { readonly type: 'NOT_AHEAD' }
  /** The database's clock is not right, or this machine's: by the time that the person gave. */
  | { readonly type: 'CLOCK_WRONG'; readonly shown: Date }
  /** A merchant is on the way between cells, with its sums. */
  | { readonly type: 'MOVING'; readonly merchantIds: readonly string[] }
  /** Days that are not over were signed. What is written from now on would be posted into them. */
  | { readonly type: 'DAYS_SIGNED'; readonly days: readonly SignedDay[] };

/**
 * Without `isConfirmed` it only answers what it would do. Everything is one transaction, which is given up where a
 * balance is not the same afterwards. Needs the rights of the owner of the tables.
 */
export async function setTimeBack(
  engine: TimedStore,
  {
    by,
    rightTime,
    isConfirmed,
    processTime,
  }: Actor & {
    /** As a person reads it from a clock that is right. */
    readonly rightTime: Date;
    readonly processTime: Date;
    readonly isConfirmed: boolean;
  },
): Promise<SetBackAnswer> {
  return inTransaction(engine.store.database, async (tx) => {
    const { real, shown, writing } = await readDatabaseTimes(tx);
    const isRight =
      Math.abs(processTime.getTime() - real.getTime()) <= CLOCK_DIFFERENCE_MAX_MS &&
      Math.abs(rightTime.getTime() - shown.getTime()) <= TYPED_WITHIN_MS;
    if (!isRight) return { type: 'CLOCK_WRONG', shown };
    if (writing.getTime() - shown.getTime() <= CLOCK_DIFFERENCE_MAX_MS) return { type: 'NOT_AHEAD' };
    const moving = (await listMigrationLocks(tx)).filter(({ state }) => state !== 'AWAY');
    if (moving.length > 0) return { type: 'MOVING', merchantIds: moving.map(({ merchantId }) => merchantId) };
    const days = await listSignedAfter(tx, shown);
    if (days.length > 0) return { type: 'DAYS_SIGNED', days };

    // Whole days, so that no sum of a day has to be divided, and behind everything that can still be committed.
    const sumsTo = new Date(addMs(shown, -COMMITS_WITHIN_MS).setUTCHours(0, 0, 0, 0));
    const transferCount = await countTransfersAfter(tx, shown);
    const report = { shown, writing, summedUntil: await findSummedUntil(tx), sumsTo, transferCount };
    if (!isConfirmed) return { ...report, type: 'SHOWN' };
    const before = await listAllBalances(tx);
    await setSumsBack(tx, sumsTo);
    const after = await listAllBalances(tx);
    if (before.join() !== after.join())
      throw new Error('balances would not be the same: look at the books, and recount them first');
    await bringWaitsForward(tx, { now: shown, comparedFrom: sumsTo });
    const detail = { from: writing.toISOString(), to: shown.toISOString(), count: transferCount };
    await record(engine, tx, [{ by, act: 'TIME_SET_BACK', merchantId: null, subject: 'time', detail }]);
    return { ...report, type: 'DONE' };
  });
}
