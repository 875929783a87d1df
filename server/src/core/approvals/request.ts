// Requests: recorded with what an approver is shown and the hash of that. Nothing of what is requested exists until it
// is approved: a token that is pending is as unknown as one that was never made.
import { createHash, randomUUID } from 'node:crypto';
import type { ApprovalKind, ApprovalRequests } from '../../domain/approval.ts';
import { insertApproval, type ActingPerson, type Approval } from '../../store/approvals/approvals.ts';
import type { Tx } from '../../store/database.ts';
import { record } from '../audit.ts';
import type { Engine } from '../engine.ts';
import { executorOf, type Shown } from './executor.ts';

/** OPTIONAL only where no money is real. */
export type SecondApprover = 'REQUIRED' | 'OPTIONAL';

/** The person who requests something, and the rule that holds there. */
export type Ordered = { readonly actor: ActingPerson; readonly secondApprover: SecondApprover };

/** DONE, or REQUESTED: it is pending approval. */
export type Outcome = 'DONE' | 'REQUESTED';

/** The rule on the command line, where no person is signed in: in production it only creates requests. */
export function askedByCommand({ environment }: Pick<Engine, 'environment'>, by: string): Ordered {
  const secondApprover = environment === 'production' ? 'REQUIRED' : 'OPTIONAL';
  return { actor: { personId: null, by }, secondApprover };
}

export function isNeeded({ secondApprover }: Ordered): boolean {
  return secondApprover === 'REQUIRED';
}

export type NewRequest<Kind extends ApprovalKind> = {
  readonly actor: ActingPerson;
  readonly merchantId: string | null;
  readonly kind: Kind;
  /** The row it is about, or what it makes. */
  readonly subject: string;
  readonly request: ApprovalRequests[Kind];
  /** The merchant's data key must be loaded. */
  readonly reason?: string | null;
};

/** Answers its identifier; null where the same is pending already. */
export async function requestApproval<Kind extends ApprovalKind>(
  engine: Engine,
  tx: Tx,
  { actor, reason = null, ...wanted }: NewRequest<Kind>,
): Promise<string | null> {
  const pending = { ...wanted, approvalId: randomUUID(), requestedBy: actor };
  const approval = { ...pending, requestedAt: await engine.clock.timeOf(tx), reason };
  const shownHash = hashOf(engine, approval);
  if (!(await insertApproval(tx, engine.store.keyring, { ...approval, shownHash }))) return null;
  const { approvalId, merchantId } = approval;
  const entry = { by: actor.by, act: 'APPROVAL_REQUESTED', merchantId, subject: approvalId } as const;
  const detail = describe(engine, approval);
  await record(engine, tx, [{ ...entry, detail, ...(reason !== null && { reason }) }]);
  return approvalId;
}

type Described = Pick<Approval, 'kind' | 'subject' | 'request'>;

export function showRequest(engine: Engine, approval: Described): Shown {
  return executorOf(engine, approval).show(approval.request);
}

/** For the audit log. */
export function describe(engine: Engine, approval: Described): Shown {
  const { kind, subject } = approval;
  return { kind, about: subject, ...showRequest(engine, approval) };
}

/** Of everything that an approver is shown, but for the reason: a hash of that could be guessed. */
function hashOf(
  engine: Engine,
  approval: Described & Pick<Approval, 'approvalId' | 'merchantId' | 'requestedBy'>,
): string {
  const { approvalId, merchantId, requestedBy } = approval;
  const shown = Object.entries(describe(engine, approval)).toSorted(([a], [b]) => (a < b ? -1 : 1));
  const text = JSON.stringify([approvalId, merchantId, requestedBy.by, shown]);
  return createHash('sha256').update(text).digest('hex');
}
