// Second factors of people, as the authentication library keeps them.
import type { Tx } from './database.ts';

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

/** Takes somebody's second factor away and ends their sessions. Answers whether there was one. */
export async function deleteSecondFactor(tx: Tx, personId: string): Promise<boolean> {
  const { rowCount } = await tx.query('delete from people_second_factors where person_id = $1', [personId]);
  await tx.query('update people set has_second_factor = false where id = $1', [personId]);
  await tx.query('delete from people_sessions where person_id = $1', [personId]);
  return rowCount !== 0;
}
