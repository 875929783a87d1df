// For whoever has lost their second factor, and the backup codes with it.
import { inTransaction } from '../../store/database.ts';
import { deleteSecondFactor } from '../../store/merchants/two-factor.ts';
import { record, type ByHand } from '../audit.ts';
import type { Engine } from '../engine.ts';

export type SecondFactorOrder = ByHand & { readonly personId: string; readonly email: string };

/** They then sign in with the password alone, and must add another where one is required. False: there was none. */
export async function removeSecondFactor(
  engine: Engine,
  { by, personId, email: subject }: SecondFactorOrder,
): Promise<boolean> {
  return inTransaction(engine.store.database, async (tx) => {
    const hadOne = await deleteSecondFactor(tx, personId);
    const entry = { by, act: 'SECOND_FACTOR_REMOVED', merchantId: null, subject, detail: {} } as const;
    if (hadOne) await record(engine, tx, [entry]);
    return hadOne;
  });
}
