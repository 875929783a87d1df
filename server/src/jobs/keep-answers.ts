// An operator's answer can be all that says how a payment ended: its reference may come with nothing else. While
// it cannot be stored, because the database does not answer or the merchant is being moved, it is kept in memory.
import { setTimeout as delay } from 'node:timers/promises';
import { advance, type Advance, type Advanced } from '../core/payments/process/advance.ts';
import type { Engine } from '../core/engine.ts';
import { MerchantInOtherCell } from '../core/cells/lock-merchant.ts';
import { isSending } from '../core/payments/process/hold-after-restore.ts';
import { CommitLost, isOutOfReach } from '../store/database.ts';

type StoreAnswers = (advances: readonly Advance[]) => Promise<readonly Advanced[]>;

export type KeepOptions = {
  /** Then each kept answer is tried once more, and given up. */
  readonly stopping: AbortSignal;
  readonly keptMax?: number;
};

/** With some kilobytes of evidence each, a few megabytes. What is not kept is enquired about. */
const KEPT_MAX = 1_000;
const FIRST_PAUSE_MS = 100;
/** An answer is stored soon after the database is back, and a database that is starting is not flooded. */
const PAUSE_MS_MAX = 1_000;

/** Stores answers with `store`, and keeps on trying where that is not possible now. */
export function keepAnswers(
  engine: Engine,
  store: StoreAnswers,
  { stopping, keptMax = KEPT_MAX }: KeepOptions,
): StoreAnswers {
  let keptCount = 0;
  const storeLater: StoreAnswers = async (advances) => {
    for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(2 * pauseMs, PAUSE_MS_MAX)) {
      await pause(pauseMs, stopping);
      const isLast = stopping.aborted;
      try {
        return await storeWhereItLives(engine, store, advances);
      } catch (error) {
        if (isLast || !isPassing(error)) throw error;
      }
    }
  };
  return async (advances) => {
    if (advances.some(({ event }) => isSending(event))) return store(advances);
    try {
      return await storeWhereItLives(engine, store, advances);
    } catch (error) {
      if (!isPassing(error) || keptCount >= keptMax) throw error;
    }
    keptCount += 1;
    return storeLater(advances).finally(() => (keptCount -= 1));
  };
}

/** All events are of one payment. Throws MerchantInOtherCell while its merchant is between two cells. */
async function storeWhereItLives(
  engine: Engine,
  store: StoreAnswers,
  advances: readonly Advance[],
): Promise<readonly Advanced[]> {
  const answers = await store(advances);
  const [first] = advances;
  if (first === undefined || !isInOtherCell(answers)) return answers;
  const { merchantId } = first.key;
  const place = await engine.cellAssignments.of(merchantId, { isFresh: true });
  if (place.type !== 'OTHER_CELL') throw new MerchantInOtherCell(merchantId);
  const database = engine.databaseOf(place.cell);
  const there = await advance({ ...engine, store: { ...engine.store, database } }, advances);
  if (isInOtherCell(there)) throw new MerchantInOtherCell(merchantId);
  return there;
}

function isInOtherCell(answers: readonly Advanced[]): boolean {
  return answers.some(({ type }) => type === 'OTHER_CELL');
}

/** Where a commit was lost the answer may be stored already. A repetition changes nothing then. */
function isPassing(error: unknown): boolean {
  return isOutOfReach(error) || error instanceof CommitLost || error instanceof MerchantInOtherCell;
}

async function pause(pauseMs: number, stopping: AbortSignal): Promise<void> {
  await delay(pauseMs, undefined, { signal: stopping }).catch(() => undefined);
}
