// What one person asked for and another must agree to. It never changes; it is decided once, and the database refuses
// whoever asked.
import type { Wanted } from '../domain/approval.ts';
import type { Tx } from './database.ts';
import type { Actor } from './payout-batches.ts';

export const APPROVAL_DECISIONS = ['APPROVED', 'REFUSED', 'WITHDRAWN'] as const;
export type ApprovalDecision = (typeof APPROVAL_DECISIONS)[number];

/** Somebody who is signed in, or who runs a command and is known by name only. */
export type Decider = { readonly personId: string | null; readonly by: string };

export type Approval = {
  readonly approvalId: string;
  /** Null for what concerns the host alone. */
  readonly merchantId: string | null;
  readonly wanted: Wanted;
  readonly askedBy: Actor;
  readonly askedAt: Date;
  readonly decision: {
    readonly type: ApprovalDecision;
    readonly by: string;
    readonly at: Date;
  } | null;
};

type ApprovalRow = {
  approval_id: string;
  merchant_id: string | null;
  wanted: Wanted;
  asked_by: string;
  asked_by_name: string;
  asked_at: Date;
  decision: ApprovalDecision | null;
  decided_by_name: string | null;
  decided_at: Date | null;
};

const SELECTED = `select approval_id, merchant_id, wanted, asked_by, asked_by_name, asked_at, decision, decided_by_name,
    decided_at
  from approvals`;

export async function insertApproval(tx: Tx, approval: Omit<Approval, 'decision'>): Promise<void> {
  const { approvalId, merchantId, wanted, askedBy, askedAt } = approval;
  await tx.query(
    `insert into approvals (approval_id, merchant_id, kind, wanted, asked_by, asked_by_name, asked_at)
     values ($1, $2, $3, $4, $5, $6, $7)`,
    [approvalId, merchantId, wanted.kind, JSON.stringify(wanted), askedBy.personId, askedBy.by, askedAt],
  );
}

export async function findApproval(tx: Tx, approvalId: string): Promise<Approval | null> {
  return selectOne(tx, `${SELECTED} where approval_id = $1`, approvalId);
}

export async function lockApproval(tx: Tx, approvalId: string): Promise<Approval | null> {
  return selectOne(tx, `${SELECTED} where approval_id = $1 for update`, approvalId);
}

/** Whose approvals: everybody's, a merchant's, or the host's own where that is null. */
export type WhoseApprovals = 'ALL' | { readonly merchantId: string | null };

type ApprovalPage = { readonly whose: WhoseApprovals; readonly countMax: number };

/** Those that wait, the oldest first. */
export async function listOpenApprovals(tx: Tx, page: ApprovalPage): Promise<readonly Approval[]> {
  return list(tx, page, { where: 'decision is null', order: 'asked_at, approval_id' });
}

/** Those that were decided, the last asked for first. */
export async function listDecidedApprovals(tx: Tx, page: ApprovalPage): Promise<readonly Approval[]> {
  return list(tx, page, { where: 'decision is not null', order: 'asked_at desc, approval_id desc' });
}

/** The database refuses a second decision, and whoever asked unless they take it back. */
export async function markApprovalDecided(
  tx: Tx,
  approvalId: string,
  decision: { readonly type: ApprovalDecision; readonly by: Decider; readonly at: Date },
): Promise<void> {
  const { type, by, at } = decision;
  await tx.query(
    `update approvals set decision = $2, decided_by = $3, decided_by_name = $4, decided_at = $5
     where approval_id = $1`,
    [approvalId, type, by.personId, by.by, at],
  );
}

async function list(
  tx: Tx,
  { whose, countMax }: ApprovalPage,
  { where, order }: { readonly where: string; readonly order: string },
): Promise<readonly Approval[]> {
  const isWhose = whose === 'ALL' ? '' : 'and merchant_id is not distinct from $2::uuid';
  const { rows } = await tx.query<ApprovalRow>(
    `${SELECTED} where ${where} ${isWhose} order by ${order} limit $1`,
    whose === 'ALL' ? [countMax] : [countMax, whose.merchantId],
  );
  return rows.map(approvalOf);
}

async function selectOne(tx: Tx, text: string, approvalId: string): Promise<Approval | null> {
  const { rows } = await tx.query<ApprovalRow>(text, [approvalId]);
  return rows[0] === undefined ? null : approvalOf(rows[0]);
}

function approvalOf(row: ApprovalRow): Approval {
  const { decision: type, decided_by_name: by, decided_at: at } = row;
  return {
    approvalId: row.approval_id,
    merchantId: row.merchant_id,
    wanted: row.wanted,
    askedBy: { personId: row.asked_by, by: row.asked_by_name },
    askedAt: row.asked_at,
    decision: type === null || by === null || at === null ? null : { type, by, at },
  };
}
