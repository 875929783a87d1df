// Links by which people join. Only the hash of a link is kept.
import type { Role } from '../../domain/merchants/roles.ts';
import type { Tx } from '../database.ts';

export type Invitation = {
  readonly invitationId: string;
  readonly email: string;
  /** Null for the host. */
  readonly merchantId: string | null;
  readonly role: Role;
  readonly invitedBy: string;
  readonly createdAt: Date;
  readonly expiresAt: Date;
};

const COLUMNS = `invitation_id as "invitationId", email, merchant_id as "merchantId", role,
  invited_by as "invitedBy", created_at as "createdAt", expires_at as "expiresAt"`;

export async function insertInvitation(
  tx: Tx,
  invitation: Invitation & { readonly tokenHash: Buffer },
): Promise<void> {
  const { invitationId, tokenHash, email, merchantId, role, invitedBy, createdAt, expiresAt } = invitation;
  await tx.query(
    `insert into invitations
       (invitation_id, token_hash, email, merchant_id, role, invited_by, created_at, expires_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8)`,
    [invitationId, tokenHash, email, merchantId, role, invitedBy, createdAt, expiresAt],
  );
}

export async function listOpenInvitations(
  tx: Tx,
  merchantId: string | null,
  now: Date,
): Promise<readonly Invitation[]> {
  const { rows } = await tx.query<Invitation>(
    `select ${COLUMNS} from invitations
     where merchant_id is not distinct from $1::uuid and ended_at is null and expires_at > $2
     order by created_at desc`,
    [merchantId, now],
  );
  return rows;
}

/** The invitation behind a link that still counts, locked: it counts once. */
export async function lockInvitation(tx: Tx, tokenHash: Buffer, now: Date): Promise<Invitation | null> {
  const { rows } = await tx.query<Invitation>(
    `select ${COLUMNS} from invitations
     where token_hash = $1 and ended_at is null and expires_at > $2 for update`,
    [tokenHash, now],
  );
  return rows[0] ?? null;
}

/** Answers whether it was still open, and the merchant's or the host's. */
export async function endInvitation(
  tx: Tx,
  { invitationId, merchantId, now }: Pick<Invitation, 'invitationId' | 'merchantId'> & { readonly now: Date },
): Promise<boolean> {
  const { rowCount } = await tx.query(
    `update invitations set ended_at = $3
     where invitation_id = $1 and merchant_id is not distinct from $2::uuid and ended_at is null`,
    [invitationId, merchantId, now],
  );
  return rowCount === 1;
}
