// For anyone who has lost their two-factor authentication, and the backup codes with it.
import { inTransaction } from '../../store/database.ts';
import { deleteTwoFactor } from '../../store/merchants/two-factor.ts';
import { record, type Actor } from '../audit.ts';
import type { TimedStore } from '../engine.ts';

export type TwoFactorOrder = Actor & { readonly personId: string; readonly email: string };

/** They then sign in with the password alone, and must add another where one is required. False: there was none. */
export async function removeTwoFactor(
  engine: TimedStore,
  { by, personId, email: subject }: TwoFactorOrder,
): Promise<boolean> {
  return inTransaction(engine.store.database, async (tx) => {
    const hadOne = await deleteTwoFactor(tx, personId);
    const entry = { by, act: 'TWO_FACTOR_REMOVED', merchantId: null, subject, detail: {} } as const;
    if (hadOne) await record(engine, tx, [entry]);
    return hadOne;
  });
}
