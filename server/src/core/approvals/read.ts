// Requests as people look at them.
import { isDecidedAt, type ApprovalKind, type WhoseApprovals } from '../../domain/approval.ts';
import {
  findApproval,
  listApprovals,
  openNote,
  openReason,
  type Approval,
  type ApprovalPage,
} from '../../store/approvals/approvals.ts';
import { inTransaction } from '../../store/database.ts';
import { loadDataKeys } from '../../store/encryption/data-keys.ts';
import { freezeBooks } from '../../store/ledger/ledger-sums.ts';
import type { Engine } from '../engine.ts';
import { executorOf, type Effect, type Shown } from './executor.ts';
import { showRequest } from './request.ts';

export type ReadApproval<Kind extends ApprovalKind = ApprovalKind> = Approval<Kind> & {
  /** What an approver is shown of the request. */
  readonly shown: Shown;
  /** What approving it would post at this moment; null where nothing is posted, or that is not known. */
  readonly effect: Effect | null;
  /** In people's own words, which may name people. */
  readonly reason: string | null;
  readonly note: string | null;
};

export async function readApprovals(engine: Engine, page: ApprovalPage): Promise<readonly ReadApproval[]> {
  const approvals = await listApprovals(engine.store.database, page);
  await loadDataKeys(
    engine.store,
    approvals.flatMap(({ merchantId }) => merchantId ?? []),
  );
  const effects = await readEffects(engine, approvals);
  return approvals.map((approval) => openApproval(engine, approval, effects.get(approval.approvalId)));
}

/**
 * What pending requests would post at this moment, by their identifiers: all of one snapshot, so that none is of half a
 * change. The merchants' data keys must be loaded.
 */
export async function readEffects(
  engine: Engine,
  approvals: readonly Approval[],
): Promise<ReadonlyMap<string, Effect>> {
  const posting = approvals.filter(
    (approval) => approval.status === 'PENDING' && executorOf(engine, approval).preview !== undefined,
  );
  if (posting.length === 0) return new Map();
  return inTransaction(engine.store.database, async (tx) => {
    await freezeBooks(tx);
    const effects = new Map<string, Effect>();
    for (const approval of posting) {
      const effect = await executorOf(engine, approval).preview?.(engine, tx, approval);
      if (effect !== undefined && effect !== null) effects.set(approval.approvalId, effect);
    }
    return effects;
  });
}

export async function readApproval(
  engine: Engine,
  { approvalId, whose }: { readonly approvalId: string; readonly whose: WhoseApprovals },
): Promise<ReadApproval | null> {
  const found = await findApproval(engine.store.database, approvalId);
  if (found === null || !isDecidedAt(found, whose)) return null;
  if (found.merchantId !== null) await loadDataKeys(engine.store, [found.merchantId]);
  return openApproval(engine, found, (await readEffects(engine, [found])).get(approvalId));
}

/** The merchant's data key must be loaded. */
export function openApproval<Kind extends ApprovalKind>(
  engine: Engine,
  approval: Approval<Kind>,
  effect: Effect | null = null,
): ReadApproval<Kind> {
  const { keyring } = engine.store;
  return {
    ...approval,
    shown: showRequest(engine, approval),
    effect,
    reason: openReason(keyring, approval),
    note: openNote(keyring, approval),
  };
}
