// Takes statements that are due, one at a time, and sees each to its end: a file, another try, or FAILED. A crash
// leaves a lease that runs out, and chunks that the next making puts aside.
import { CommitLost } from '../../store/database.ts';
import { queueEvent } from '../../store/events/event-queue.ts';
import { deleteOtherChunks } from '../../store/statements/statement-chunks.ts';
import { insertStatementCallback } from '../../store/statements/statement-callbacks.ts';
import {
  claimStatement,
  endStatement,
  moveLease,
  putBack,
  type Claim,
  type StatementFile,
} from '../../store/statements/statements.ts';
import type { Engine, TimedStore } from '../engine.ts';
import { statusNoOf } from '../../domain/event-status.ts';
import { inMerchant, MerchantInOtherCell } from '../cells/lock-merchant.ts';
import { addMs } from '../../domain/time.ts';
import { inTimedTransaction } from '../timed-transaction.ts';

/** Makes the file of a claimed statement, and stops when told to. Null when it is too early. */
export type MakeFile = (claim: Claim, halt: AbortSignal) => Promise<StatementFile | null>;

/** Somebody else takes over a statement whose maker has said nothing for so long. */
const LEASE_MS = 60_000;
const RENEW_AFTER_MS = 15_000;
/** How often a maker is looked after: whether it is still wanted, and whether its lease must be moved. */
const LOOK_MS = 250;
/** A transaction of another process is waited for; it ends within seconds, or PostgreSQL ends it. */
const LOOK_AGAIN_MS = 1_000;
/** Whatever kept a statement from being made five times, some minutes apart at the end, will not go away by itself. */
const MAKINGS_MAX = 5;
const FIRST_PAUSE_MS = 5_000;

/** Another maker has taken the statement over. */
class ClaimLost extends Error {
  constructor() {
    super('a statement was taken over by another maker');
    this.name = 'ClaimLost';
  }
}

/** Its makers came to an end, and it did not. */
class BegunTooOften extends Error {
  constructor() {
    super('a statement was begun too often');
    this.name = 'BegunTooOften';
  }
}

/** Answers whether there was one to make. Throws what kept it from being made, when what follows is recorded. */
export async function makeNextStatement(
  engine: Engine,
  { make, isStopping }: { readonly make: MakeFile; readonly isStopping: () => boolean },
): Promise<boolean> {
  const claim = await inTimedTransaction(engine, (tx, now) =>
    claimStatement(tx, { now, leasedUntil: addMs(now, LEASE_MS) }),
  );
  if (claim === null) return false;
  const lease = holdLease(engine, claim, isStopping);
  try {
    // One that never came to an end, because its makers did, must not take every worker with it.
    if (claim.statement.status === 'PROCESSING' && claim.makingNo > MAKINGS_MAX) throw new BegunTooOften();
    const file = await make(claim, lease.halt);
    const held = await lease.end();
    if (file === null) await putBackFor(engine, held, LOOK_AGAIN_MS);
    else await end(engine, held, file);
    return true;
  } catch (error) {
    const held = await lease.end();
    if (isStopping()) {
      await putBackFor(engine, held, 0);
      return false;
    }
    if (!isSomebodyElses(error)) await giveUpOrRetry(engine, held);
    throw error;
  }
}

/** It is due again after the pause. */
async function putBackFor(engine: TimedStore, claim: Claim, pauseMs: number): Promise<void> {
  await inTimedTransaction(engine, (tx, now) => putBack(tx, claim, addMs(now, pauseMs)));
}

/** Answers until when the claim is held now; null where it was lost. */
async function moveLeaseBy(engine: TimedStore, claim: Claim, leaseMs: number): Promise<Date | null> {
  return inTimedTransaction(engine, async (tx, now) => {
    const leasedUntil = addMs(now, leaseMs);
    return (await moveLease(tx, claim, leasedUntil)) ? leasedUntil : null;
  });
}

/** The merchant moved, or no one can say whether the end was committed: then the lease decides. */
function isSomebodyElses(error: unknown): boolean {
  return error instanceof ClaimLost || error instanceof MerchantInOtherCell || error instanceof CommitLost;
}

/** Moves the lease for as long as it is held, and halts the maker when it is lost or no one wants it any more. */
function holdLease(engine: TimedStore, claimed: Claim, isStopping: () => boolean) {
  const halt = new AbortController();
  let claim = claimed;
  let renewedAt = performance.now();
  let looking = Promise.resolve();
  const look = async (): Promise<void> => {
    if (isStopping()) halt.abort(new Error('the worker stops'));
    if (halt.signal.aborted || performance.now() - renewedAt < RENEW_AFTER_MS) return;
    renewedAt = performance.now();
    const leasedUntil = await moveLeaseBy(engine, claim, LEASE_MS);
    if (leasedUntil === null) halt.abort(new ClaimLost());
    else claim = { ...claim, leasedUntil };
  };
  const timer = setInterval(() => {
    // A database that is out of reach for a moment is no reason to stop; the lease has some time left.
    looking = looking.then(look).catch(() => undefined);
  }, LOOK_MS);
  return {
    halt: halt.signal,
    /** Answers the claim as it is held now. */
    end: async (): Promise<Claim> => {
      clearInterval(timer);
      await looking;
      return claim;
    },
  };
}

/** The status, and the callback about it, are one transaction. One that was announced before is not announced again. */
async function end(engine: Engine, claim: Claim, file: StatementFile | null): Promise<void> {
  const { statement } = claim;
  const { merchantId, statementId, callbackUrl, status } = statement;
  await inMerchant(engine.store.database, merchantId, async (tx, { note }) => {
    const endedAt = await engine.clock.timeOf(tx);
    if (!(await endStatement(tx, claim, { file, endedAt }))) throw new ClaimLost();
    if (status !== 'PROCESSING') return;
    const announcedState = file === null ? 'FAILED' : 'COMPLETED';
    await queueEvent(tx, 'T', { merchantId, subjectId: statementId, no: statusNoOf(announcedState) });
    if (callbackUrl === null) return;
    const callback = {
      merchantId,
      statementId,
      url: callbackUrl,
      announcedState,
      createdAt: endedAt,
    } as const;
    await insertStatementCallback(tx, callback);
    await note([{ merchantId, kind: 'STATEMENT', paymentId: statementId }]);
  });
  engine.wake();
  // Without a file, nothing of any making counts.
  await deleteOtherChunks(engine.store.database, { ...statement, makingNo: file?.makingNo ?? 0 });
}

/** A file that was there before must be there again: it is tried for as long as the statement is kept. */
async function giveUpOrRetry(engine: Engine, claim: Claim): Promise<void> {
  const isLast = claim.makingNo >= MAKINGS_MAX;
  if (isLast && claim.statement.status === 'PROCESSING') return end(engine, claim, null);
  const pauseMs = FIRST_PAUSE_MS * 2 ** Math.min(claim.makingNo, MAKINGS_MAX);
  await moveLeaseBy(engine, claim, pauseMs);
}
