// Two people change with which day an operator account begins, as long as none of its days is signed.
import { findCloseAccount, setFirstDay } from '../../store/daily-close/closes.ts';
import { lockLines } from '../../store/daily-close/closed-lines.ts';
import type { AccountName } from '../../store/daily-close/report-lines.ts';
import type { ActingPerson } from '../../store/approvals/approvals.ts';
import { dayIn } from '../../domain/time-zone.ts';
import { inTransaction } from '../../store/database.ts';
import { NotExecuted, type Executor } from '../approvals/executor.ts';
import { requestApproval } from '../approvals/request.ts';
import { record } from '../audit.ts';
import type { Engine } from '../engine.ts';

export type FirstDayAnswer =
  | { readonly type: 'REQUESTED'; readonly approvalId: string }
  | { readonly type: 'NOT_FOUND' | 'REQUESTED_BEFORE' }
  /** The day has not begun where the account is: nobody could sign anything until then. */
  | { readonly type: 'NOT_BEGUN'; readonly today: string }
  /** Its signatures are taken back first, from the last day on. */
  | { readonly type: 'SIGNED_BEFORE'; readonly lastDay: string };

export async function requestFirstDay(
  engine: Engine,
  order: AccountName & { readonly firstDay: string; readonly actor: ActingPerson },
): Promise<FirstDayAnswer> {
  const { provider, currency, firstDay, actor } = order;
  return inTransaction(engine.store.database, async (tx) => {
    const account = await findCloseAccount(tx, order);
    if (account === null) return { type: 'NOT_FOUND' };
    const { lastDay } = account;
    if (lastDay !== null) return { type: 'SIGNED_BEFORE', lastDay };
    const today = dayIn(account.timeZone, await engine.clock.timeOf(tx));
    if (firstDay > today) return { type: 'NOT_BEGUN', today };
    const approvalId = await requestApproval(engine, tx, {
      kind: 'FIRST_DAY',
      merchantId: null,
      subject: `${provider}/${currency}`,
      request: { provider, currency, before: account.firstDay, firstDay },
      actor,
    });
    return approvalId === null ? { type: 'REQUESTED_BEFORE' } : { type: 'REQUESTED', approvalId };
  });
}

export const firstDayExecutor: Executor<'FIRST_DAY'> = {
  show: (request) => request,
  lock: ({ tx, approval: { request } }) => lockLines(tx, request),
  execute: async ({ engine, tx, approval: { request }, decider: { by } }) => {
    const { provider, currency, before, firstDay } = request;
    const account = await findCloseAccount(tx, request);
    if (account === null || account.lastDay !== null || account.firstDay !== before) throw new NotExecuted();
    await setFirstDay(tx, request, firstDay);
    const detail = { currency, before, firstDay };
    await record(engine, tx, [
      { by, act: 'DAILY_CLOSE_FIRST_DAY_SET', merchantId: null, subject: provider, detail },
    ]);
  },
};
