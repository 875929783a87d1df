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
import { loadDataKeys } from '../../store/encryption/data-keys.ts';
import type { Engine } from '../engine.ts';
import type { Shown } from './executor.ts';
import { showRequest } from './request.ts';

export type ReadApproval<Kind extends ApprovalKind = ApprovalKind> = Approval<Kind> & {
  /** What an approver is shown of the request. */
  readonly shown: Shown;
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
  return approvals.map((approval) => openApproval(engine, approval));
}

export async function readApproval(
  engine: Engine,
  { approvalId, whose }: { readonly approvalId: string; readonly whose: WhoseApprovals },
): Promise<ReadApproval | null> {
  const found = await findApproval(engine.store.database, approvalId);
  if (found === null || !isDecidedAt(found, whose)) return null;
  if (found.merchantId !== null) await loadDataKeys(engine.store, [found.merchantId]);
  return openApproval(engine, found);
}

/** The merchant's data key must be loaded. */
export function openApproval<Kind extends ApprovalKind>(
  engine: Engine,
  approval: Approval<Kind>,
): ReadApproval<Kind> {
  const { keyring } = engine.store;
  return {
    ...approval,
    shown: showRequest(engine, approval),
    reason: openReason(keyring, approval),
    note: openNote(keyring, approval),
  };
}
