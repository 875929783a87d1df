// What one person requests and another must approve. A request never changes and is decided once. It is confirmed and
// decided by functions of the database only: no process may update the table.
import {
  PLATFORM_KINDS,
  type ApprovalDecision,
  type ApprovalKind,
  type ApprovalRequests,
  type ApprovalStatus,
  type WhoseApprovals,
} from '../../domain/approval.ts';
import { livesHere } from '../cells/migration-locks.ts';
import { column, columns, type Row } from '../columns.ts';
import type { Tx } from '../database.ts';
import type { Keyring } from '../encryption/encryption.ts';
import { oneRowInserter } from '../rows.ts';

/** A person who is signed in, or who runs a command and is known by name only. */
export type ActingPerson = { readonly personId: string | null; readonly by: string };

export type Approval<Kind extends ApprovalKind = ApprovalKind> = {
  readonly approvalId: string;
  readonly kind: Kind;
  /** Null for what concerns the platform alone. */
  readonly merchantId: string | null;
  /** The row it is about, or what it makes. */
  readonly subject: string;
  readonly request: ApprovalRequests[Kind];
  /** Why it is requested, encrypted. */
  readonly encryptedReason: Buffer | null;
  /** Of what an approver is shown. */
  readonly shownHash: string;
  /** Without a person where a command requested it. */
  readonly requestedBy: ActingPerson;
  readonly requestedAt: Date;
  /** Of a command's request: the first of the two people who approve it. */
  readonly confirmedBy: ActingPerson | null;
  readonly status: ApprovalStatus;
  readonly decision: {
    readonly by: string;
    readonly at: Date;
    /** Why it was rejected, encrypted. */
    readonly encryptedNote: Buffer | null;
  } | null;
};

const requested = columns({
  approvalId: 'uuid',
  kind: column<ApprovalKind>('text'),
  merchantId: 'uuid null',
  subject: 'text',
  request: column<ApprovalRequests[ApprovalKind]>('jsonb'),
  encryptedReason: 'bytea null',
  shownHash: 'text',
  requestedBy: 'uuid null',
  requestedByName: 'text',
  requestedAt: 'timestamptz',
});
const approvals = columns({
  ...requested.defs,
  confirmedBy: 'uuid null',
  confirmedByName: 'text null',
  status: column<ApprovalStatus>('text'),
  decidedByName: 'text null',
  decidedAt: 'timestamptz null',
  encryptedNote: 'bytea null',
});

const insertEncrypted = oneRowInserter('approvals', requested.cells, 'on conflict do nothing');

export type NewApproval = Pick<
  Approval,
  'approvalId' | 'kind' | 'merchantId' | 'subject' | 'request' | 'shownHash' | 'requestedBy' | 'requestedAt'
> & { readonly reason: string | null };

/** Answers false where the same is pending already. For a reason the merchant's data key must be loaded. */
export async function insertApproval(tx: Tx, keyring: Keyring, approval: NewApproval): Promise<boolean> {
  const { requestedBy, reason } = approval;
  return insertEncrypted(tx, {
    ...approval,
    encryptedReason: reason === null ? null : keyring.encrypt(identityOf(approval, 'reason'), reason),
    requestedBy: requestedBy.personId,
    requestedByName: requestedBy.by,
  });
}

export function openReason(keyring: Keyring, approval: Approval): string | null {
  const { encryptedReason } = approval;
  return keyring.openText(identityOf(approval, 'reason'), encryptedReason);
}

/** Why it was rejected. */
export function openNote(keyring: Keyring, approval: Approval): string | null {
  const encrypted = approval.decision?.encryptedNote ?? null;
  return keyring.openText(identityOf(approval, 'note'), encrypted);
}

/** The first of two people approves a command's request. Answers false where it is not pending. */
export async function confirmApproval(
  tx: Tx,
  { approvalId }: Pick<Approval, 'approvalId'>,
  { by: { personId, by }, hash, at }: { readonly by: ActingPerson; readonly hash: string; readonly at: Date },
): Promise<boolean> {
  return isTrue(tx, 'select confirm_approval($1, $2, $3, $4, $5) as answer', [
    approvalId,
    hash,
    personId,
    by,
    at,
  ]);
}

export type Decision = {
  readonly status: ApprovalDecision;
  readonly by: ActingPerson;
  /** Of what the approver was shown; null for those who do not approve. */
  readonly hash: string | null;
  readonly at: Date;
  readonly note: string | null;
};

/** Answers false where it is not pending. Otherwise it is locked, and the database refuses the requester's approval. */
export async function decideApproval(
  tx: Tx,
  keyring: Keyring,
  approval: Pick<Approval, 'approvalId' | 'merchantId'>,
  { status, by: { personId, by }, hash, at, note }: Decision,
): Promise<boolean> {
  const encrypted = note === null ? null : keyring.encrypt(identityOf(approval, 'note'), note);
  return isTrue(tx, 'select decide_approval($1, $2, $3, $4, $5, $6, $7) as answer', [
    approval.approvalId,
    status,
    hash,
    personId,
    by,
    at,
    encrypted,
  ]);
}

export async function findApproval(tx: Tx, approvalId: string): Promise<Approval | null> {
  const found = await approvals.find(tx, 'from approvals where approval_id = $1', [approvalId]);
  return found === null ? null : approvalOf(found);
}

/** Its status in this cell; null where it is not here, or only as a copy of what another cell has. */
export async function findStatusHere(tx: Tx, approvalId: string): Promise<ApprovalStatus | null> {
  const { rows } = await tx.query<{ status: ApprovalStatus }>(
    `select status from approvals where approval_id = $1 and ${livesHere('approvals')}`,
    [approvalId],
  );
  return rows[0]?.status ?? null;
}

/** Of rows of a table, by what they are about: the last one that is pending or was approved. */
export async function listApprovalsOf<Kind extends ApprovalKind>(
  tx: Tx,
  of: { readonly kind: Kind; readonly merchantIds: readonly string[]; readonly subjects: readonly string[] },
): Promise<ReadonlyMap<string, Approval<Kind>>> {
  const rows = await approvals.select(
    tx,
    `from approvals where kind = $1 and merchant_id = any ($2::uuid[]) and subject = any ($3::text[])
       and status in ('PENDING', 'APPROVED')
     order by requested_at, approval_id`,
    [of.kind, of.merchantIds, of.subjects],
  );
  // Of this kind only, by the statement.
  return new Map(rows.map((row) => [row.subject, approvalOf(row) as Approval<Kind>]));
}

/** The last request of the platform about a subject that is pending or was approved. */
export async function findPlatformApproval<Kind extends ApprovalKind>(
  tx: Tx,
  { kind, subject }: { readonly kind: Kind; readonly subject: string },
): Promise<Approval<Kind> | null> {
  const found = await approvals.find(
    tx,
    `from approvals where kind = $1 and subject = $2 and merchant_id is null and status in ('PENDING', 'APPROVED')
     order by requested_at desc, approval_id limit 1`,
    [kind, subject],
  );
  return found === null ? null : (approvalOf(found) as Approval<Kind>);
}

export type ApprovalPage = {
  readonly whose: WhoseApprovals;
  readonly isPending: boolean;
  readonly kinds: readonly ApprovalKind[];
  readonly after: { readonly at: Date; readonly id: string } | null;
  readonly countMax: number;
};

/** Those that are pending, the oldest first; or those that were decided, the last decided first. */
export async function listApprovals(tx: Tx, page: ApprovalPage): Promise<readonly Approval[]> {
  const { whose, isPending, kinds, after, countMax } = page;
  const cursor = isPending ? 'requested_at, approval_id' : 'decided_at, approval_id';
  const at = whose === 'ALL' ? '$5::uuid is null' : 'merchant_id is not distinct from $5::uuid';
  const rows = await approvals.select(
    tx,
    `from approvals where status ${isPending ? '=' : '<>'} 'PENDING' and (${cursor}) ${isPending ? '>' : '<'} ($1, $2)
       and kind = any ($3::text[]) and ${at}
     order by ${isPending ? cursor : 'decided_at desc, approval_id desc'} limit $4`,
    [
      after?.at ?? (isPending ? '-infinity' : 'infinity'),
      after?.id ?? FIRST_ID,
      whose === 'ALL' ? kinds : kinds.filter((kind) => !PLATFORM_KINDS.includes(kind)),
      countMax,
      whose === 'ALL' ? null : whose.merchantId,
    ],
  );
  return rows.map(approvalOf);
}

/** Before every other identifier; at the end of time it comes after all there are. */
const FIRST_ID = '00000000-0000-0000-0000-000000000000';

async function isTrue(tx: Tx, text: string, values: readonly unknown[]): Promise<boolean> {
  const { rows } = await tx.query<{ answer: boolean }>(text, values);
  return rows[0]?.answer === true;
}

function approvalOf(row: Row<typeof approvals>): Approval {
  const { requestedByName, confirmedByName, decidedByName: by, decidedAt: at, encryptedNote, ...rest } = row;
  return {
    ...rest,
    requestedBy: { personId: row.requestedBy, by: requestedByName },
    confirmedBy: confirmedByName === null ? null : { personId: row.confirmedBy, by: confirmedByName },
    decision: by === null || at === null ? null : { by, at, encryptedNote },
  };
}

/** Only what concerns a merchant has a reason and a note. */
function identityOf({ approvalId, merchantId }: Pick<Approval, 'approvalId' | 'merchantId'>, what: string) {
  return { merchantId: merchantId ?? '', row: `approvals/${approvalId}/${what}` };
}
