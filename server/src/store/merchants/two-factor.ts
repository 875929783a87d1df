// Two-factor authentication of people, as the authentication library keeps them.
import { columns, type Row } from '../columns.ts';
import type { Tx } from '../database.ts';
import { isChanged } from '../rows.ts';

/** Both texts are encrypted by the library. */
const twoFactors = columns({ id: 'text', secret: 'text', backupCodes: 'text' });

export type TwoFactor = Row<typeof twoFactors>;

export async function listTwoFactors(tx: Tx): Promise<readonly TwoFactor[]> {
  return twoFactors.select(tx, 'from people_two_factors order by id');
}

/** Answers false where it has changed meanwhile. */
export async function replaceTwoFactor(
  tx: Tx,
  was: TwoFactor,
  becomes: Omit<TwoFactor, 'id'>,
): Promise<boolean> {
  return isChanged(
    tx,
    `update people_two_factors set secret = $4, backup_codes = $5
     where id = $1 and secret = $2 and backup_codes = $3`,
    [was.id, was.secret, was.backupCodes, becomes.secret, becomes.backupCodes],
  );
}

export async function findTwoFactor(tx: Tx, personId: string): Promise<TwoFactor | null> {
  return twoFactors.find(tx, 'from people_two_factors where person_id = $1', [personId]);
}

/** Uses up a code, with all before it. False where it was used before. */
export async function useStep(
  tx: Tx,
  { personId, step }: { readonly personId: string; readonly step: number },
): Promise<boolean> {
  const text =
    'update people_two_factors set last_step = $2 where person_id = $1 and coalesce(last_step, -1) < $2';
  return isChanged(tx, text, [personId, step]);
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
