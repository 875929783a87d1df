// Two people, by name, as the commands of a sandbox have them: one requests, another decides.
import { approve, reject, withdraw, type ApprovalAnswer } from '../src/core/approvals/decide.ts';
import type { Engine } from '../src/core/engine.ts';
import {
  requestResolution,
  type CaseAnswer,
  type ResolutionRequest,
} from '../src/core/reconciliation/resolve-cases.ts';
import { findApproval, listApprovalsOf } from '../src/store/approvals/approvals.ts';

export const actorNamed = (by: string) => ({ personId: null, by });

export async function decideAs(
  engine: Engine,
  by: string,
  approvalId: string,
  what: 'approve' | 'reject' | 'withdraw' = 'approve',
): Promise<ApprovalAnswer> {
  const deciding = { decider: actorNamed(by), approvalId, whose: 'ALL' } as const;
  if (what === 'reject') return reject(engine, { ...deciding, reason: 'why not' });
  if (what === 'withdraw') return withdraw(engine, deciding);
  const found = await findApproval(engine.store.database, approvalId);
  return approve(engine, { ...deciding, hash: found?.shownHash ?? '' });
}

type Resolving = Pick<ResolutionRequest, 'caseId' | 'resolution'> &
  Partial<Pick<ResolutionRequest, 'amount' | 'reason'>>;

export function requestAs(engine: Engine, by: string, order: Resolving): Promise<CaseAnswer> {
  return requestResolution(engine, { amount: null, reason: 'why', ...order, actor: actorNamed(by) });
}

/** Ana requests it, and Ben approves. */
export async function resolveCase(engine: Engine, order: Resolving): Promise<ApprovalAnswer | CaseAnswer> {
  const requested = await requestAs(engine, 'Ana', order);
  return requested.type === 'REQUESTED' ? decideAs(engine, 'Ben', requested.approvalId) : requested;
}

/** The request about a case that is pending or was approved. */
export async function approvalOfCase(
  engine: Engine,
  { caseId, merchantId }: { readonly caseId: string; readonly merchantId: string },
): Promise<string> {
  const of = { kind: 'CASE', merchantIds: [merchantId], subjects: [caseId] } as const;
  return (await listApprovalsOf(engine.store.database, of)).get(caseId)?.approvalId ?? caseId;
}
