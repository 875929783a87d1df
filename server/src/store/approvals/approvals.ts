// What one person asked for and another must agree to. It never changes; it is decided once, and the database refuses
// whoever asked.
import { PLATFORM_KINDS, type Wanted } from '../../domain/approval.ts';
import type { Tx } from '../database.ts';
import type { Keyring } from '../encryption/encryption.ts';

export const APPROVAL_DECISIONS = ['APPROVED', 'REFUSED', 'WITHDRAWN'] as const;
export type ApprovalDecision = (typeof APPROVAL_DECISIONS)[number];

/** Somebody who is signed in, or who runs a command and is known by name only. */
export type Decider = { readonly personId: string | null; readonly by: string };

export type Approval = {
  readonly approvalId: string;
  /** Null for what concerns the host alone. */
  readonly merchantId: string | null;
  readonly wanted: Wanted;
  /** Without a person where a command asked. */
  readonly askedBy: Decider;
  readonly askedAt: Date;
  /** Of what a command asked for: the first of the two people who approve it. */
  readonly confirmedBy: Decider | null;
  /** Why it is asked for, encrypted. */
  readonly sealedReason: Buffer | null;
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
  sealed_reason: Buffer | null;
  asked_by: string | null;
  asked_by_name: string;
  asked_at: Date;
  confirmed_by: string | null;
  confirmed_by_name: string | null;
  decision: ApprovalDecision | null;
  decided_by_name: string | null;
  decided_at: Date | null;
};

const SELECTED = `select approval_id, merchant_id, wanted, sealed_reason, asked_by, asked_by_name, asked_at,
    confirmed_by, confirmed_by_name, decision, decided_by_name, decided_at
  from approvals`;

export type NewApproval = Pick<Approval, 'approvalId' | 'merchantId' | 'wanted' | 'askedBy' | 'askedAt'> & {
  readonly reason: string | null;
};

/** Answers false where the same is asked for already. For a reason the merchant's data key must be loaded. */
export async function insertApproval(tx: Tx, keyring: Keyring, approval: NewApproval): Promise<boolean> {
  const { approvalId, merchantId, wanted, askedBy, askedAt, reason } = approval;
  const sealedReason = reason === null ? null : keyring.seal(identityOf(approval), reason);
  const { rowCount } = await tx.query(
    `insert into approvals (approval_id, merchant_id, kind, wanted, sealed_reason, asked_by, asked_by_name, asked_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8) on conflict do nothing`,
    [
      approvalId,
      merchantId,
      wanted.kind,
      JSON.stringify(wanted),
      sealedReason,
      askedBy.personId,
      askedBy.by,
      askedAt,
    ],
  );
  return rowCount === 1;
}

export function openApprovalReason(
  keyring: Keyring,
  approval: Pick<Approval, 'approvalId' | 'merchantId' | 'sealedReason'>,
): string | null {
  const { sealedReason } = approval;
  return sealedReason === null ? null : keyring.open(identityOf(approval), sealedReason).toString();
}

/** The first of two people agrees to what a command asked for. */
export async function markApprovalConfirmed(
  tx: Tx,
  approvalId: string,
  { by: { personId, by }, at }: { readonly by: Decider; readonly at: Date },
): Promise<void> {
  await tx.query(
    `update approvals set confirmed_by = $2, confirmed_by_name = $3, confirmed_at = $4 where approval_id = $1`,
    [approvalId, personId, by, at],
  );
}

export async function findApproval(tx: Tx, approvalId: string): Promise<Approval | null> {
  return selectOne(tx, `${SELECTED} where approval_id = $1`, approvalId);
}

export async function lockApproval(tx: Tx, approvalId: string): Promise<Approval | null> {
  return selectOne(tx, `${SELECTED} where approval_id = $1 for update`, approvalId);
}

/** Whose approvals: everybody's, those a merchant decides, or where that is null those that the platform decides. */
export type WhoseApprovals = 'ALL' | { readonly merchantId: string | null };

/** Whether an approval is decided there. */
export function isDecidedAt({ merchantId, wanted }: Approval, whose: WhoseApprovals): boolean {
  if (whose === 'ALL') return true;
  const ofMerchant = PLATFORM_KINDS.includes(wanted.kind) ? null : merchantId;
  return ofMerchant === whose.merchantId;
}

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
  const isWhose =
    whose === 'ALL' ? '' : 'and merchant_id is not distinct from $2::uuid and kind <> all($3::text[])';
  const { rows } = await tx.query<ApprovalRow>(
    `${SELECTED} where ${where} ${isWhose} order by ${order} limit $1`,
    whose === 'ALL' ? [countMax] : [countMax, whose.merchantId, PLATFORM_KINDS],
  );
  return rows.map(approvalOf);
}

async function selectOne(tx: Tx, text: string, approvalId: string): Promise<Approval | null> {
  const { rows } = await tx.query<ApprovalRow>(text, [approvalId]);
  return rows[0] === undefined ? null : approvalOf(rows[0]);
}

function approvalOf(row: ApprovalRow): Approval {
  const { decision: type, decided_by_name: by, decided_at: at } = row;
  const { confirmed_by: personId, confirmed_by_name: confirmer } = row;
  return {
    approvalId: row.approval_id,
    merchantId: row.merchant_id,
    wanted: row.wanted,
    askedBy: { personId: row.asked_by, by: row.asked_by_name },
    askedAt: row.asked_at,
    confirmedBy: confirmer === null ? null : { personId, by: confirmer },
    sealedReason: row.sealed_reason,
    decision: type === null || by === null || at === null ? null : { type, by, at },
  };
}

/** Only what concerns a merchant has a reason. */
function identityOf({ approvalId, merchantId }: Pick<Approval, 'approvalId' | 'merchantId'>) {
  return { merchantId: merchantId ?? '', row: `approvals/${approvalId}` };
}
