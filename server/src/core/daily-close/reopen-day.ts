// Two people take back the signature of the last signed day of an account, and so one day after the other. What was
// signed stays as it was, and says who reopened it and why. The lines of the day are open again by that alone, because
// only the numbers that the signature kept had closed them.
import { findClose, findCloseAccount, endClose, reopenClose } from '../../store/daily-close/closes.ts';
import { lockLines } from '../../store/daily-close/closed-lines.ts';
import type { ActingPerson } from '../../store/approvals/approvals.ts';
import { inTransaction, type Tx } from '../../store/database.ts';
import { addDays } from '../../domain/time-zone.ts';
import { endPending } from '../approvals/decide.ts';
import { NotExecuted, type Executor } from '../approvals/executor.ts';
import { requestApproval } from '../approvals/request.ts';
import { record } from '../audit.ts';
import type { Engine } from '../engine.ts';
import type { DayName } from './read-close.ts';
import { subjectOf } from './sign-close.ts';

export type Reopening = DayName & { readonly actor: ActingPerson; readonly reason: string };

export type ReopenAnswer =
  | { readonly type: 'REQUESTED'; readonly approvalId: string }
  | { readonly type: 'NOT_FOUND' | 'NOT_SIGNED' | 'REQUESTED_BEFORE' }
  /** Days after it are signed: they are reopened before it. */
  | { readonly type: 'NOT_LAST'; readonly lastDay: string };

export async function requestReopening(
  engine: Engine,
  { actor, reason, provider, currency, day }: Reopening,
): Promise<ReopenAnswer> {
  const name = { provider, currency, day };
  return inTransaction(engine.store.database, async (tx) => {
    const account = await findCloseAccount(tx, name);
    if (account === null) return { type: 'NOT_FOUND' };
    const stored = await findClose(tx, name);
    if (stored?.status !== 'CLOSED') return { type: 'NOT_SIGNED' };
    const { lastDay } = account;
    if (lastDay !== null && lastDay !== day) return { type: 'NOT_LAST', lastDay };
    const { closeId, contentHash } = stored;
    const approvalId = await requestApproval(engine, tx, {
      kind: 'DAY_REOPEN',
      merchantId: null,
      subject: subjectOf(name),
      request: { closeId, ...name, contentHash, reason },
      actor,
    });
    return approvalId === null ? { type: 'REQUESTED_BEFORE' } : { type: 'REQUESTED', approvalId };
  });
}

export const reopenExecutor: Executor<'DAY_REOPEN'> = {
  show: ({ provider, currency, day, contentHash, reason }) => ({
    provider,
    currency,
    day,
    contentHash,
    note: reason,
  }),
  /** Lines that come meanwhile would not know whether their day is signed. */
  lock: ({ tx, approval: { request } }) => lockLines(tx, request),
  execute: async ({ engine, tx, approval: { approvalId, request }, decider }) => {
    const { closeId, provider, currency, day, contentHash, reason } = request;
    const account = await findCloseAccount(tx, request);
    if (account?.lastDay !== day) throw new NotExecuted();
    const reopenedAt = await engine.clock.timeOf(tx);
    if (!(await reopenClose(tx, { closeId, reopenedAt, approvalId, reason }))) throw new NotExecuted();
    // What is requested of the day after was compared with a signed day that no longer is.
    await endRequestOf(engine, tx, { name: { provider, currency, day: addDays(day, 1) }, by: decider });
    const detail = { currency, day, contentHash };
    await record(engine, tx, [
      { by: decider.by, act: 'DAY_REOPENED', merchantId: null, subject: provider, detail },
    ]);
  },
};

/** Ends a pending signature of a day: it can no longer be approved. */
export async function endRequestOf(
  engine: Engine,
  tx: Tx,
  { name, by }: { readonly name: DayName; readonly by: ActingPerson },
): Promise<void> {
  const requested = await findClose(tx, name);
  if (requested?.status !== 'REQUESTED') return;
  await endPending(engine, tx, { kind: 'DAY_CLOSE', merchantId: null, subject: subjectOf(name), by });
  await endClose(tx, { closeId: requested.closeId, status: 'REJECTED', closedAt: null });
}
