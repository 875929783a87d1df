// Who can be the second approver for a merchant. The person who onboarded it cannot: its owner may be their own second
// address. Of the platform's people, those who belong to it cannot either.
import { isSameName } from '../../domain/approval.ts';
import type { ActingPerson } from '../../store/approvals/approvals.ts';
import { listOnboarders } from '../../store/audit.ts';
import type { Tx } from '../../store/database.ts';
import { listAddresses } from '../../store/merchants/identities.ts';
import { belongsTo } from '../../store/merchants/people.ts';

/** `as`: in the platform's role, or in one at the merchant itself. */
export async function isIndependent(
  tx: Tx,
  {
    decider: { personId, by },
    merchantIds,
    as,
  }: {
    readonly decider: ActingPerson;
    readonly merchantIds: readonly string[];
    readonly as: 'PLATFORM' | 'MERCHANT';
  },
): Promise<boolean> {
  if (merchantIds.length === 0) return true;
  const onboarders = await listOnboarders(tx, merchantIds);
  const names = [by.trim().toLowerCase(), ...(personId === null ? [] : await listAddresses(tx, personId))];
  if (onboarders.some((onboarder) => names.some((name) => isSameName(onboarder, name)))) return false;
  return as === 'MERCHANT' || !(await belongsTo(tx, names, merchantIds));
}
