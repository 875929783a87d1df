// What names no merchant may still be about one: a payment that a restore lost, or a line that somebody made up for a
// merchant of their own. So the platform's people who belong to a merchant approve it only where nobody else could.
import { rulesOf } from '../../domain/approval.ts';
import { HOST_ROLES, permissionsOf } from '../../domain/merchants/roles.ts';
import type { ActingPerson, Approval } from '../../store/approvals/approvals.ts';
import type { Tx } from '../../store/database.ts';
import { listAddresses } from '../../store/merchants/identities.ts';
import { belongsToAny, isAnyUnattached } from '../../store/merchants/people.ts';
import type { Engine } from '../engine.ts';
import { NotExecuted } from './executor.ts';

/**
 * Refuses an approver who belongs to a merchant, while another person with the same permission belongs to none and has
 * no part in this request. Where there is no such person, nothing is refused: it would stay for ever. For
 * `mayApprove` of an executor.
 */
export async function refuseMerchantPeople(
  { wallClock }: Pick<Engine, 'wallClock'>,
  tx: Tx,
  decider: ActingPerson,
  approval: Approval,
): Promise<void> {
  const { personId, by } = decider;
  if (personId === null) return;
  const names = [by.trim().toLowerCase(), ...(await listAddresses(tx, personId))];
  const now = await wallClock.timeOf(tx);
  if (!(await belongsToAny(tx, names, now))) return;
  const { requestedBy, confirmedBy } = approval;
  const parts = [personId, requestedBy.personId, confirmedBy?.personId ?? null];
  const { decide } = rulesOf(approval);
  const isOther = await isAnyUnattached(tx, {
    roles: HOST_ROLES.filter((role) => permissionsOf(role).includes(decide)),
    except: parts.flatMap((part) => part ?? []),
    now,
  });
  if (!isOther) return;
  throw new NotExecuted(
    { code: 'APPROVAL_MERCHANT_PERSON', parameters: {} },
    'You belong to a merchant, and this may be about a payment of any. ' +
      'An administrator who belongs to none approves it.',
  );
}
