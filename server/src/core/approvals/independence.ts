// Who can be the second approver for a merchant. The person who onboarded it cannot: its owner may be their own second
// address. Of the platform's people, those who belong to it cannot either.
import { isSamePerson } from '../../domain/approval.ts';
import { listOnboarders } from '../../store/audit.ts';
import type { Tx } from '../../store/database.ts';
import { belongsTo } from '../../store/merchants/people.ts';

/** `as`: in the platform's role, or in one at the merchant itself. */
export async function isIndependent(
  tx: Tx,
  {
    by,
    merchantIds,
    as,
  }: {
    readonly by: string;
    readonly merchantIds: readonly string[];
    readonly as: 'PLATFORM' | 'MERCHANT';
  },
): Promise<boolean> {
  if (merchantIds.length === 0) return true;
  const onboarders = await listOnboarders(tx, merchantIds);
  if (onboarders.some((onboarder) => isSamePerson(onboarder, by))) return false;
  return as === 'MERCHANT' || !(await belongsTo(tx, by, merchantIds));
}
