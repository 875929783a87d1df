// Puts committed entries of the audit log into its hash chain. One worker builds at a time, and a round takes all that
// waits: an entry that is chained later and carries an earlier time was not there before.
import {
  deleteUnchained,
  insertLinks,
  listUnchained,
  lockHead,
  moveHead,
  type ChainHead,
} from '../../store/audit-chain/audit-chain.ts';
import { inTransaction, type Tx } from '../../store/database.ts';
import { hashLine } from '../../wire/audit-line.ts';
import type { Engine } from '../engine.ts';
import { exactTime, type ChainStore } from './chain-lines.ts';

const BATCH_MAX = 500;
/** How often it is recorded that nothing waits: what is inserted behind the gateway's back can claim no older time. */
const LOOK_INTERVAL_MS = 60_000;

/** Answers how many entries were chained. */
export async function chainEntries({ clock, store }: ChainStore & Pick<Engine, 'clock'>): Promise<number> {
  return inTransaction(store.database, async (tx) => {
    const head = await lockHead(tx);
    if (head === null) return 0;
    const now = await clock.timeOf(tx);
    let last = head;
    for (;;) {
      const next = await chainBatch(tx, last, now);
      if (next === null) break;
      last = next;
    }
    const { lookedAt } = head;
    if (last !== head || lookedAt === null || now.getTime() - lookedAt.getTime() >= LOOK_INTERVAL_MS)
      await moveHead(tx, { ...last, lookedAt: now });
    return last.no - head.no;
  });
}

/** Answers the new head; null where nothing waits. */
async function chainBatch(tx: Tx, head: ChainHead, chainedAt: Date): Promise<ChainHead | null> {
  const { lookedAt } = head;
  const entries = await listUnchained(tx, BATCH_MAX);
  if (entries.length === 0) return null;
  const times = { chainedAt: exactTime(chainedAt), lookedAt: lookedAt === null ? null : exactTime(lookedAt) };
  let { no, hash } = head;
  const links = entries.map((entry) => {
    hash = hashLine({ ...entry, no: (no += 1), previousHash: hash, ...times });
    return { no, entryId: entry.entryId, chainedAt, lookedAt, hash: Buffer.from(hash, 'hex') };
  });
  await insertLinks(tx, links);
  await deleteUnchained(
    tx,
    entries.map(({ entryNo }) => entryNo),
  );
  return { no, hash, lookedAt };
}
