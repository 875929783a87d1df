// Gives a database role what the gateway's processes need, and no more.
import { inTransaction } from '../../store/database.ts';
import { grantRights, lockRights, type RightsHolder } from '../../store/schema/rights.ts';
import { findRoleFault, forbidToCreate, type RoleFault } from '../../store/schema/role-faults.ts';
import { record, type Actor } from '../audit.ts';
import type { TimedStore } from '../engine.ts';

export type RightsOrder = Actor & { readonly role: string; readonly holder: RightsHolder };

/** Answers null when it is done. The engine's own role must be the owner of the tables. */
export async function grantRightsTo(
  engine: TimedStore,
  { by, role, holder }: RightsOrder,
): Promise<RoleFault | null> {
  return inTransaction(engine.store.database, async (tx) => {
    await lockRights(tx);
    const fault = await findRoleFault(tx, role);
    if (fault !== null) return fault;
    if (!(await forbidToCreate(tx, role))) return 'MAY_CREATE';
    await grantRights(tx, role, holder);
    const detail = { for: holder };
    await record(engine, tx, [{ by, act: 'RIGHTS_GRANTED', merchantId: null, subject: role, detail }]);
    return null;
  });
}
