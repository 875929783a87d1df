// One import at a time of a provider's files in a cell, and no approval while one runs: two at once would wait for each
// other's rows, and what a person is shown could change under their hands.
import { randomUUID } from 'node:crypto';
import { addMs } from '../../domain/time.ts';
import type { Tx } from '../../store/database.ts';
import {
  endFileLease,
  noteNextApproval,
  renewFileLease,
  takeFileLease,
  takeLeaseForApproval,
  type FileHolder,
} from '../../store/reconciliation/file-leases.ts';
import { NotExecuted } from '../approvals/executor.ts';
import type { TimedStore } from '../engine.ts';
import { inTimedTransaction } from '../timed-transaction.ts';

/** Without news for so long the process is gone, and somebody else may begin. */
const LEASE_MS = 120_000;
/** A batch takes seconds, but operators that are asked about its lines may take minutes. */
const RENEWAL_MS = 30_000;
/**
 * For how long after the work that an approval met no import begins, unless the approval has ended before. Without a
 * turn of its own, one person who uploads files without pause would keep every approval out for ever. It ends, because
 * whoever was to approve may have gone home.
 */
const TURN_MS = 10 * 60_000;

/** Somebody works with files of the provider, or an approval is next. Nothing was done. */
export class FilesBusy extends Error {
  readonly by: string;
  readonly since: Date;

  constructor(provider: string, { type, byName, since }: FileHolder) {
    const text =
      type === 'AT_WORK'
        ? `${byName} has been working with files of ${provider} since ${since.toISOString()}`
        : `${byName} has been waiting to decide on a file of ${provider} since ${since.toISOString()}, and is next`;
    super(`${text}; try again when that has ended.`);
    this.name = 'FilesBusy';
    this.by = byName;
    this.since = since;
  }
}

export type FileWork = { readonly provider: string; readonly by: string };

/**
 * Runs `work` while nobody else works with files of the provider. Throws FilesBusy where somebody does, and where an
 * approval that met such work is next. `work` calls
 * `renew` with each batch: it throws where this process stood still for so long that somebody else took the lease.
 */
export async function withFileLease<Result>(
  engine: TimedStore,
  { provider, by }: FileWork,
  work: (renew: () => Promise<void>) => Promise<Result>,
): Promise<Result> {
  const owner = randomUUID();
  const held = await inTimedTransaction(engine, (tx, since) =>
    takeFileLease(
      tx,
      { provider, owner, byName: by, since, until: addMs(since, LEASE_MS) },
      { turnMs: TURN_MS },
    ),
  );
  if (held !== null) throw new FilesBusy(provider, held);
  const renew = async () => {
    const isOurs = await inTimedTransaction(engine, (tx, now) =>
      renewFileLease(tx, { provider, owner, until: addMs(now, LEASE_MS) }),
    );
    if (!isOurs)
      throw new Error(`files of ${provider} were left alone for too long, and somebody else took them`);
  };
  return whileRenewed(engine, { provider, owner }, () => work(renew));
}

/** Runs `work` under a lease that is taken, renews it as long as this process lives, and gives it back. */
export async function whileRenewed<Result>(
  engine: TimedStore,
  lease: { readonly provider: string; readonly owner: string },
  work: () => Promise<Result>,
): Promise<Result> {
  const renew = () =>
    inTimedTransaction(engine, (tx, now) => renewFileLease(tx, { ...lease, until: addMs(now, LEASE_MS) }));
  // One that fails is tried again before the lease lapses.
  const timer = setInterval(() => void renew().catch(() => false), RENEWAL_MS);
  try {
    return await work();
  } finally {
    clearInterval(timer);
    await inTimedTransaction(engine, (tx, now) => endFileLease(tx, { ...lease, now }));
  }
}

/**
 * Takes the lease for an approval in its transaction, for `whileRenewed` or until `endWork`. `owner` is the approval.
 * Throws FilesBusy.
 */
export async function beginWork(
  engine: TimedStore,
  tx: Tx,
  { provider, by, owner }: FileWork & { readonly owner: string },
): Promise<void> {
  const since = await engine.clock.timeOf(tx);
  const until = addMs(since, LEASE_MS);
  const held = await takeLeaseForApproval(tx, { provider, owner, byName: by, since, until });
  if (held !== null) throw new FilesBusy(provider, held);
}

export async function endWork(
  engine: TimedStore,
  tx: Tx,
  { provider, owner }: { readonly provider: string; readonly owner: string },
): Promise<void> {
  await endFileLease(tx, { provider, owner, now: await engine.clock.timeOf(tx) });
}

/** Runs `begin`, which takes the lease for an approval. Where somebody else has it, the approval is not executed. */
export async function refuseWhileBusy(begin: () => Promise<void>): Promise<void> {
  try {
    await begin();
  } catch (error) {
    if (!(error instanceof FilesBusy)) throw error;
    const parameters = { by: error.by, since: error.since.toISOString() };
    throw new NotExecuted({ code: 'FILES_BUSY', parameters }, error.message);
  }
}

/**
 * For an approval that was not executed, after its transaction was taken back: where it met somebody at work, it is
 * next, and imports wait for it.
 */
export async function takeTurn(
  engine: TimedStore,
  { provider, by, approvalId }: FileWork & { readonly approvalId: string },
  { code }: NotExecuted['because'],
): Promise<void> {
  if (code !== 'FILES_BUSY') return;
  await inTimedTransaction(engine, (tx, now) =>
    noteNextApproval(tx, { provider, approvalId, byName: by, now }),
  );
}
