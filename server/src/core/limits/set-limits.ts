// Sets limits of a merchant. One person may make them stricter at once; to loosen or remove one takes a request and an
// approval, or one person could let all money out.
import { parseAmount, renderAmount } from '../../domain/money.ts';
import type { LimitRequest } from '../../domain/approval.ts';
import {
  isLooser,
  limitName,
  type Limit,
  type LimitKey,
  type LimitMaxima,
} from '../../domain/limits/limit.ts';
import type { Tx } from '../../store/database.ts';
import { deleteLimit, findLimit, setLimit } from '../../store/limits/limits.ts';
import { endPending } from '../approvals/decide.ts';
import { merchantOf, type Executor } from '../approvals/executor.ts';
import { isNeeded, requestApproval, type Ordered, type Outcome } from '../approvals/request.ts';
import { record, type Actor } from '../audit.ts';
import { inMerchant } from '../cells/lock-merchant.ts';
import type { Engine, TimedStore } from '../engine.ts';

/** `maxima` is null where the limit is to be removed. */
export type LimitOrder = Ordered & {
  readonly merchantId: string;
  readonly key: LimitKey;
  readonly maxima: LimitMaxima | null;
};

/** Either outcome ends what was requested about this limit before. */
export async function changeLimit(engine: Engine, order: LimitOrder): Promise<Outcome | 'NOT_FOUND'> {
  const { merchantId, actor, key, maxima } = order;
  return inMerchant(engine.store.database, merchantId, async (tx) => {
    const before = await findLimit(tx, { ...key, merchantId });
    if (maxima === null && before === null) return 'NOT_FOUND';
    const subject = limitName(key);
    // What holds where the merchant has no such limit.
    const usual = engine.defaultLimits.find((limit) => limitName(limit) === subject) ?? null;
    const isLoosened = isLooser(maxima ?? usual, before ?? usual);
    await endPending(engine, tx, { kind: 'LIMIT', merchantId, subject, by: actor });
    if (!isLoosened || !isNeeded(order)) {
      await write(engine, tx, { merchantId, key, maxima, by: actor.by });
      return 'DONE';
    }
    const request = requestOf(key, maxima);
    await requestApproval(engine, tx, { actor, merchantId, kind: 'LIMIT', subject, request });
    return 'REQUESTED';
  });
}

export const limitExecutor: Executor<'LIMIT'> = {
  show: ({ countMax, amountMax, ...key }) => ({
    limit: limitName(key),
    countMax: countMax ?? 'none',
    amountMax: amountMax ?? 'none',
  }),
  execute: async ({ engine, tx, approval, decider: { by } }) => {
    const { countMax, amountMax, ...key } = approval.request;
    const maxima =
      countMax === null && amountMax === null
        ? null
        : {
            countMax: countMax === null ? null : Number(countMax),
            amountMax: amountMax === null ? null : parseAmount(amountMax),
          };
    await write(engine, tx, { merchantId: merchantOf(approval), key, maxima, by });
  },
};

type Written = Actor & Pick<LimitOrder, 'merchantId' | 'key' | 'maxima'>;

async function write(engine: TimedStore, tx: Tx, { by, merchantId, key, maxima }: Written): Promise<void> {
  if (maxima === null) await deleteLimit(tx, { ...key, merchantId });
  else await setLimit(tx, { ...key, ...maxima, merchantId });
  const { countMax, amountMax } = requestOf(key, maxima);
  const act = maxima === null ? 'LIMIT_REMOVED' : 'LIMIT_SET';
  const detail = { countMax, amountMax };
  await record(engine, tx, [{ by, act, merchantId, subject: limitName(key), detail }]);
}

function requestOf(key: LimitKey, maxima: LimitMaxima | null): LimitRequest {
  const { setBy, kind, scope, subject, period, currency }: LimitKey = key;
  const { countMax = null, amountMax = null }: Partial<Limit> = maxima ?? {};
  return {
    setBy,
    kind,
    scope,
    subject,
    period,
    currency,
    countMax: countMax === null ? null : String(countMax),
    amountMax: amountMax === null ? null : renderAmount(amountMax),
  };
}
