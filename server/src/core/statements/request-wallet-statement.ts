// Accepts the wish for a statement; workers make it. Asking twice gives two statements: they cost little and move
// nothing, so there is no identifier of the merchant's that would have to be remembered.
import { randomUUID } from 'node:crypto';
import { failureReason, type FailureReason } from '../../domain/failure.ts';
import type { OperationKey } from '../../domain/payments/payment.ts';
import { findRangeFault, type StatementRange, type StatementWallet } from '../../domain/wallet-statement.ts';
import { CommitLost, type Tx } from '../../store/database.ts';
import type { Merchant } from '../../store/merchants/merchants.ts';
import { insertPaymentKeys } from '../../store/payments/payment-keys.ts';
import { countOpenStatements, insertStatement } from '../../store/statements/statements.ts';
import { drawPaymentNo } from '../../store/timed-uuid.ts';
import { record, type Actor } from '../audit.ts';
import type { Engine, TimedStore } from '../engine.ts';
import { inMerchant } from '../cells/lock-merchant.ts';
import { fingerprintOf } from '../payments/fingerprint.ts';
import { listBalances } from '../ledger/read-balances.ts';
import { answerOfTaken, readBack } from '../payments/accept/read-back.ts';
import { addMs } from '../../domain/time.ts';
import { initiationSpan } from '../tracer.ts';

export type StatementOrder = StatementRange & {
  readonly merchant: Merchant;
  readonly wallet: StatementWallet;
  readonly isCompressed: boolean;
  /** Where it is announced; null where the merchant will look for it. */
  readonly callbackUrl: string | null;
  /** The gateway as the merchant reaches it; the download is there. */
  readonly baseUrl: string;
  /** The person who asks; absent where a merchant's server does. */
  readonly by?: string;
};

export type StatementAnswer =
  | { readonly type: 'ACCEPTED'; readonly statementId: string; readonly createdAt: Date }
  | { readonly type: 'REJECTED'; readonly reason: FailureReason }
  /** No one can say whether it was committed. */
  | { readonly type: 'UNKNOWN' };

/**
 * As long as a movement may take from the moment whose time it carries to its first row, and as clocks may differ.
 * Nothing is made before this has passed since its end, so that the next statement begins where this one ended.
 */
export const SETTLING_MS = 10_000;

/**
 * More than a year of months of every wallet that a merchant of ten countries has. It bounds what one merchant can
 * make us store; the queue is fair without it. Requests that come at once can exceed it by their own number.
 */
const OPEN_MAX = 200;

export async function requestStatement(engine: Engine, order: StatementOrder): Promise<StatementAnswer> {
  const since = performance.now();
  const key = { merchantId: order.merchant.merchantId, kind: 'STATEMENT', paymentId: randomUUID() } as const;
  const reason = await refuse(engine, order);
  const answer: StatementAnswer =
    reason === null ? await accept(engine, order, key) : { type: 'REJECTED', reason };
  engine.observer.initiated('STATEMENT', answer.type);
  engine.tracer.record(initiationSpan(key, answer, since));
  return answer;
}

async function refuse(engine: Engine, order: StatementOrder): Promise<FailureReason | null> {
  // People ask for days of their time zone, servers for times.
  const cause = findRangeFault(order, { now: engine.clock.now(), areDays: order.by !== undefined });
  if (cause !== null) return failureReason('INVALID_DATE_RANGE', { cause });
  const { country, currency, provider } = order.wallet;
  const wallets = await listBalances(engine, order.merchant, { country });
  if (!wallets.some((wallet) => wallet.currency === currency && wallet.provider === provider))
    return failureReason('WALLET_NOT_FOUND', { wallet: [country, currency, provider].join(' ').trim() });
  const { merchantId } = order.merchant;
  const openCount = await countOpenStatements(engine.store.database, { merchantId, countMax: OPEN_MAX });
  return openCount < OPEN_MAX ? null : failureReason('TOO_MANY_STATEMENTS', { count: String(OPEN_MAX) });
}

async function accept(
  engine: TimedStore,
  order: StatementOrder,
  key: OperationKey,
): Promise<StatementAnswer> {
  const { merchant, by, ...asked } = order;
  const { merchantId, paymentId: statementId } = key;
  const paymentNo = drawPaymentNo();
  const fingerprint = fingerprintOf(engine, merchantId, asked);
  try {
    return await inMerchant(engine.store.database, merchantId, async (tx, { note }) => {
      const createdAt = await engine.clock.timeOf(tx);
      const coversUntil = order.endsAt < createdAt ? order.endsAt : createdAt;
      await insertPaymentKeys(tx, [{ ...key, createdAt, paymentNo, fingerprint }]);
      const dueAt = addMs(coversUntil, SETTLING_MS);
      await insertStatement(tx, { ...asked, merchantId, statementId, createdAt, coversUntil, dueAt });
      await note([key]);
      if (by !== undefined) await recordWish(engine, tx, { ...asked, merchant, by, statementId });
      return { type: 'ACCEPTED', statementId, createdAt };
    });
  } catch (error) {
    if (!(error instanceof CommitLost)) throw error;
    const taken = answerOfTaken(key, paymentNo, await readBack(engine, [key]));
    return taken.type === 'ACCEPTED' ? { ...taken, type: 'ACCEPTED', statementId } : { type: 'UNKNOWN' };
  }
}

async function recordWish(
  engine: TimedStore,
  tx: Tx,
  wish: StatementOrder & Actor & { readonly statementId: string },
): Promise<void> {
  const { by, merchant, wallet, statementId: subject, startsAt, endsAt } = wish;
  const detail = { ...wallet, startsAt: startsAt.toISOString(), endsAt: endsAt.toISOString() };
  const { merchantId } = merchant;
  await record(engine, tx, [{ by, act: 'STATEMENT_ASKED_FOR', merchantId, subject, detail }]);
}
