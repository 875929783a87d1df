// Limits of a merchant as people look at them: with what they have counted, and what was requested about them.
import { withDefaults } from '../../domain/limits/default-limits.ts';
import { limitName, windowEnd, type Limit, type Used } from '../../domain/limits/limit.ts';
import { listApprovalsOf } from '../../store/approvals/approvals.ts';
import { loadDataKeys } from '../../store/encryption/data-keys.ts';
import { readCounters } from '../../store/limits/limit-counters.ts';
import { listLimits } from '../../store/limits/limits.ts';
import { openApproval, type ReadApproval } from '../approvals/read.ts';
import type { Engine } from '../engine.ts';
import { counterOf } from './count-payments.ts';

export type LimitView = Limit & {
  /** It holds for every merchant, and was not set for this one. */
  readonly isDefault: boolean;
  /** In the window of now. Null where each token, provider, country or number is counted apart. */
  readonly used: Used | null;
  readonly windowEndsAt: Date;
  /** The request to loosen or remove it, while that is pending. */
  readonly approval: ReadApproval<'LIMIT'> | null;
};

export async function readLimits(engine: Engine, merchantId: string): Promise<readonly LimitView[]> {
  const { store, defaultLimits, clock } = engine;
  const now = await clock.timeOf(store.database);
  const limits = withDefaults(await listLimits(store.database, merchantId), defaultLimits);
  const defaults = new Set(defaultLimits);
  const counterIds = limits.map((limit) =>
    isCountedOnce(limit) ? counterOf(merchantId, limit, { subject: limit.subject, now }) : null,
  );
  const used = await readCounters(
    store.database,
    counterIds.flatMap((one) => one ?? []),
  );
  const subjects = limits.map(limitName);
  const of = { kind: 'LIMIT', merchantIds: [merchantId], subjects } as const;
  const approvals = await listApprovalsOf(store.database, of);
  await loadDataKeys(store, [merchantId]);
  return limits.map((limit, at) => {
    const approval = approvals.get(limitName(limit));
    const counterId = counterIds[at] ?? null;
    return {
      ...limit,
      isDefault: defaults.has(limit),
      used: counterId === null ? null : (used.get(counterId) ?? { count: 0, amount: 0n }),
      windowEndsAt: windowEnd(limit.period, now),
      approval: approval?.status === 'PENDING' ? openApproval(engine, approval) : null,
    };
  });
}

function isCountedOnce({ scope, subject }: Limit): boolean {
  return scope === 'MERCHANT' || subject !== '';
}
