// Two people change with which day an operator account begins, as long as none of its days is signed. Where it begins
// later, the request says what the days before that come to, and is refused if that has changed.
import { dayIn } from '../../domain/time-zone.ts';
import type { DroppedDays } from '../../domain/approval.ts';
import type { ActingPerson } from '../../store/approvals/approvals.ts';
import { findCloseAccount, setFirstDay } from '../../store/daily-close/closes.ts';
import { lockLines } from '../../store/daily-close/closed-lines.ts';
import type { AccountName } from '../../store/daily-close/report-lines.ts';
import { expectWholeDay } from '../../store/daily-close/whole-day.ts';
import { inTransaction } from '../../store/database.ts';
import { NotExecuted, type Executor, type Shown } from '../approvals/executor.ts';
import { requestApproval } from '../approvals/request.ts';
import { record } from '../audit.ts';
import type { Engine } from '../engine.ts';
import type { Waiting } from './compare-once.ts';
import { countLines } from './counted-lines.ts';
import { forgetDropped, readDropped, readDroppedState, spansOfDropped } from './dropped-days.ts';
import { endRequestOf } from './reopen-day.ts';

export type FirstDayAnswer =
  | { readonly type: 'REQUESTED'; readonly approvalId: string }
  | { readonly type: 'NOT_FOUND' | 'REQUESTED_BEFORE' }
  /** What the days before it come to is not known. */
  | { readonly type: 'CELL_SILENT'; readonly cell: string }
  /** The day has not begun where the account is: nobody could sign anything until then. */
  | { readonly type: 'NOT_BEGUN'; readonly today: string }
  /** Its signatures are taken back first, from the last day on. */
  | { readonly type: 'SIGNED_BEFORE'; readonly lastDay: string };

export async function requestFirstDay(
  engine: Engine,
  order: AccountName & {
    readonly firstDay: string;
    readonly actor: ActingPerson;
    /** How the person waits for the comparison of days that are dropped; left out: until it is done. */
    readonly wait?: Waiting;
  },
): Promise<FirstDayAnswer> {
  const { provider, currency, firstDay, actor, wait = (read) => read({}) } = order;
  const { database } = engine.store;
  const account = await findCloseAccount(database, order);
  if (account === null) return { type: 'NOT_FOUND' };
  const { lastDay } = account;
  if (lastDay !== null) return { type: 'SIGNED_BEFORE', lastDay };
  const today = dayIn(account.timeZone, await engine.clock.timeOf(database));
  if (firstDay > today) return { type: 'NOT_BEGUN', today };
  const read =
    firstDay > account.firstDay
      ? await wait((comparing) => readDropped(engine, { account, firstDay }, comparing))
      : null;
  if (read?.type === 'CELL_SILENT') return read;
  const approvalId = await inTransaction(database, (tx) =>
    requestApproval(engine, tx, {
      kind: 'FIRST_DAY',
      merchantId: null,
      subject: `${provider}/${currency}`,
      request: {
        provider,
        currency,
        before: account.firstDay,
        firstDay,
        ...(read !== null && { dropped: read.dropped }),
      },
      actor,
    }),
  );
  return approvalId === null ? { type: 'REQUESTED_BEFORE' } : { type: 'REQUESTED', approvalId };
}

/** By the names under which an approver is shown it. */
function showDropped(dropped: DroppedDays): Shown {
  return {
    droppedDays: String(dropped.days),
    droppedMovementCount: String(dropped.movementCount),
    droppedLineCount: String(dropped.lineCount),
    droppedReceived: dropped.received,
    droppedSent: dropped.sent,
    droppedDifferenceCount: String(dropped.differenceCount),
    droppedDiffering: dropped.differing,
    droppedBankLineCount: String(dropped.bankLineCount),
    droppedBankReceived: dropped.bankReceived,
    droppedBankSent: dropped.bankSent,
    droppedBankDifferenceCount: String(dropped.bankDifferenceCount),
    droppedBankDiffering: dropped.bankDiffering,
  };
}

export const firstDayExecutor: Executor<'FIRST_DAY'> = {
  show: ({ dropped, ...shown }) => ({ ...shown, ...(dropped !== undefined && showDropped(dropped)) }),
  before: async ({ engine, approval: { request } }) => {
    const { dropped, firstDay } = request;
    const account = await findCloseAccount(engine.store.database, request);
    if (account === null || account.firstDay !== request.before) throw new NotExecuted();
    if (dropped === undefined) return;
    const now = await readDroppedState(engine, { account, firstDay });
    const [cell] = now.missingCells;
    if (cell !== undefined)
      throw new NotExecuted({ code: 'CELL_SILENT', parameters: { cell } }, `cell ${cell} does not answer`);
    if (now.movementsDigest !== dropped.movementsDigest || now.linesDigest !== dropped.linesDigest)
      throw new NotExecuted();
  },
  lock: ({ tx, approval: { request } }) => lockLines(tx, request),
  execute: async ({ engine, tx, approval: { request }, decider }) => {
    const { provider, currency, before, firstDay, dropped } = request;
    const account = await findCloseAccount(tx, request);
    if (account === null || account.lastDay !== null || account.firstDay !== before) throw new NotExecuted();
    if (dropped !== undefined) {
      await expectWholeDay(tx);
      const { linesDigest } = await countLines(tx, account, spansOfDropped({ account, firstDay }));
      if (linesDigest !== dropped.linesDigest) throw new NotExecuted();
      await forgetDropped(tx, { account, firstDay });
    }
    // Only the first day can be requested. It is no longer the first, or no longer followed.
    await endRequestOf(engine, tx, { name: { provider, currency, day: before }, by: decider });
    await setFirstDay(tx, request, firstDay);
    const shown = dropped === undefined ? {} : showDropped(dropped);
    await record(engine, tx, [
      {
        by: decider.by,
        act: 'DAILY_CLOSE_FIRST_DAY_SET',
        merchantId: null,
        subject: provider,
        detail: { currency, before, firstDay, ...shown },
      },
    ]);
  },
  end: async ({ tx, approval: { request } }) => {
    const account = await findCloseAccount(tx, request);
    if (account !== null && request.dropped !== undefined)
      await forgetDropped(tx, {
        account: { ...account, firstDay: request.before },
        firstDay: request.firstDay,
      });
  },
};
