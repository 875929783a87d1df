// Second factors of people, as the authentication library keeps them.
import type { Tx } from '../database.ts';

/** Both texts are sealed by the library. */
export type SecondFactor = { readonly id: string; readonly secret: string; readonly backupCodes: string };

export async function listSecondFactors(tx: Tx): Promise<readonly SecondFactor[]> {
  const { rows } = await tx.query<SecondFactor>(
    'select id, secret, backup_codes as "backupCodes" from people_second_factors order by id',
  );
  return rows;
}

/** Answers false where it has changed meanwhile. */
export async function replaceSecondFactor(
  tx: Tx,
  was: SecondFactor,
  becomes: Omit<SecondFactor, 'id'>,
): Promise<boolean> {
  const { rowCount } = await tx.query(
    `update people_second_factors set secret = $4, backup_codes = $5
     where id = $1 and secret = $2 and backup_codes = $3`,
    [was.id, was.secret, was.backupCodes, becomes.secret, becomes.backupCodes],
  );
  return rowCount === 1;
}

export async function findSecondFactor(tx: Tx, personId: string): Promise<SecondFactor | null> {
  const { rows } = await tx.query<SecondFactor>(
    'select id, secret, backup_codes as "backupCodes" from people_second_factors where person_id = $1',
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
    'update people_second_factors set last_step = $2 where person_id = $1 and coalesce(last_step, -1) < $2',
    [personId, step],
  );
  return rowCount === 1;
}

/** Links and half-done sign-ins of somebody: none outlives a change of the password or of the second factor. */
export async function deleteProofs(tx: Tx, personId: string): Promise<void> {
  await tx.query('delete from people_proofs where value = $1', [personId]);
}

/** Takes somebody's second factor away and ends their sessions. Answers whether there was one. */
export async function deleteSecondFactor(tx: Tx, personId: string): Promise<boolean> {
  const { rowCount } = await tx.query('delete from people_second_factors where person_id = $1', [personId]);
  await tx.query('update people set has_second_factor = false where id = $1', [personId]);
  await tx.query('delete from people_sessions where person_id = $1', [personId]);
  await deleteProofs(tx, personId);
  return rowCount !== 0;
}
