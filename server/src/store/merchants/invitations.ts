// Links by which people join. Only the hash of a link is kept.
import type { Role } from '../../domain/merchants/roles.ts';
import { column, columns, type Row } from '../columns.ts';
import type { Tx } from '../database.ts';
import { isChanged, oneRowInserter } from '../rows.ts';

const newInvitations = columns({
  invitationId: 'uuid',
  tokenHash: 'bytea',
  email: 'text',
  /** Null for the host. */
  merchantId: 'uuid null',
  role: column<Role>('text'),
  invitedBy: 'text',
  createdAt: 'timestamptz',
  expiresAt: 'timestamptz',
});
const invitations = newInvitations.without('tokenHash');

export type Invitation = Row<typeof invitations>;

export const insertInvitation = oneRowInserter('invitations', newInvitations.cells);

export async function listOpenInvitations(
  tx: Tx,
  merchantId: string | null,
  now: Date,
): Promise<readonly Invitation[]> {
  return invitations.select(
    tx,
    `from invitations
     where merchant_id is not distinct from $1::uuid and ended_at is null and expires_at > $2
     order by created_at desc`,
    [merchantId, now],
  );
}

/** The invitation behind a link that still counts, locked: it counts once. */
export async function lockInvitation(tx: Tx, tokenHash: Buffer, now: Date): Promise<Invitation | null> {
  const tail = 'from invitations where token_hash = $1 and ended_at is null and expires_at > $2 for update';
  return invitations.find(tx, tail, [tokenHash, now]);
}

/** Answers whether it was still open, and the merchant's or the host's. */
export async function endInvitation(
  tx: Tx,
  { invitationId, merchantId, now }: Pick<Invitation, 'invitationId' | 'merchantId'> & { readonly now: Date },
): Promise<boolean> {
  return isChanged(
    tx,
    `update invitations set ended_at = $3
     where invitation_id = $1 and merchant_id is not distinct from $2::uuid and ended_at is null`,
    [invitationId, merchantId, now],
  );
}
