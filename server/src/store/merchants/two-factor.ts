// Second factors of people, as the authentication library keeps them.
import type { Tx } from '../database.ts';

/** Both texts are encrypted by the library. */
export type TwoFactor = { readonly id: string; readonly secret: string; readonly backupCodes: string };

export async function listTwoFactors(tx: Tx): Promise<readonly TwoFactor[]> {
  const { rows } = await tx.query<TwoFactor>(
    'select id, secret, backup_codes as "backupCodes" from people_two_factors order by id',
  );
  return rows;
}

/** Answers false where it has changed meanwhile. */
export async function replaceTwoFactor(
  tx: Tx,
  was: TwoFactor,
  becomes: Omit<TwoFactor, 'id'>,
): Promise<boolean> {
  const { rowCount } = await tx.query(
    `update people_two_factors set secret = $4, backup_codes = $5
     where id = $1 and secret = $2 and backup_codes = $3`,
    [was.id, was.secret, was.backupCodes, becomes.secret, becomes.backupCodes],
  );
  return rowCount === 1;
}

export async function findTwoFactor(tx: Tx, personId: string): Promise<TwoFactor | null> {
  const { rows } = await tx.query<TwoFactor>(
    'select id, secret, backup_codes as "backupCodes" from people_two_factors where person_id = $1',
    [personId],
  );
  return rows[0] ?? null;
}

/** Uses up a code, with all before it. False where it was used before. */
export async function useStep(
  tx: Tx,
  { personId, step }: { readonly personId: string; readonly step: number },
): Promise<boolean> {
  const { rowCount } = await tx.query(
    'update people_two_factors set last_step = $2 where person_id = $1 and coalesce(last_step, -1) < $2',
    [personId, step],
  );
  return rowCount === 1;
}

/** Links and half-done sign-ins of somebody: none outlives a change of the password or of two-factor authentication. */
export async function deleteProofs(tx: Tx, personId: string): Promise<void> {
  await tx.query('delete from people_proofs where value = $1', [personId]);
}

/** Takes somebody's two-factor authentication away and ends their sessions. Answers whether there was one. */
export async function deleteTwoFactor(tx: Tx, personId: string): Promise<boolean> {
  const { rowCount } = await tx.query('delete from people_two_factors where person_id = $1', [personId]);
  await tx.query('update people set has_two_factor = false where id = $1', [personId]);
  await tx.query('delete from people_sessions where person_id = $1', [personId]);
  await deleteProofs(tx, personId);
  return rowCount !== 0;
}
