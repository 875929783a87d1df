// People who take part in deciding about money: where a second approver is required, their invitation or role is
// requested, and another person approves it.
import { addsPart } from '../../domain/approval.ts';
import type { Role } from '../../domain/merchants/roles.ts';
import { lockMembers } from '../../store/merchants/people.ts';
import { NotExecuted, type Executor } from '../approvals/executor.ts';
import { isNeeded, requestApproval, type Ordered } from '../approvals/request.ts';
import type { Engine } from '../engine.ts';
import { inTeam, keepInvitation, setRole, type TeamAnswer } from './team.ts';

type InTeam = Ordered & { readonly merchantId: string | null };

/** The last part of the link, or null where another person must approve first. */
export async function requestInvitation(
  engine: Engine,
  order: InTeam & { readonly email: string; readonly role: Role },
): Promise<string | null> {
  const { merchantId, actor, role } = order;
  const email = order.email.toLowerCase();
  return inTeam(engine, merchantId, async (tx) => {
    if (!isNeeded(order) || !addsPart(role, null)) {
      return keepInvitation(engine, tx, { ...order, by: actor.by });
    }
    const request = { email, role };
    await requestApproval(engine, tx, { actor, merchantId, kind: 'INVITATION', subject: email, request });
    return null;
  });
}

export const invitationExecutor: Executor<'INVITATION'> = {
  show: (request) => request,
  execute: async ({ engine, tx, approval: { merchantId, request, requestedBy }, decider: { by } }) => {
    const invitation = { ...request, by, merchantId, invitedBy: requestedBy.by };
    return { token: await keepInvitation(engine, tx, invitation), email: request.email, merchantId };
  },
};

export async function requestRole(
  engine: Engine,
  order: InTeam & { readonly personId: string; readonly role: Role },
): Promise<TeamAnswer | 'REQUESTED'> {
  const { merchantId, actor, personId, role } = order;
  return inTeam(engine, merchantId, async (tx) => {
    const members = await lockMembers(tx, merchantId, await engine.wallClock.timeOf(tx));
    const member = members.find((one) => one.personId === personId);
    if (member === undefined) return 'NOT_FOUND';
    if (!isNeeded(order) || !addsPart(role, member.role)) {
      return setRole(engine, tx, { ...order, by: actor.by });
    }
    const request = { personId, email: member.email, role };
    await requestApproval(engine, tx, { actor, merchantId, kind: 'ROLE', subject: personId, request });
    return 'REQUESTED';
  });
}

export const roleExecutor: Executor<'ROLE'> = {
  show: ({ email, role }) => ({ email, role }),
  execute: async ({ engine, tx, approval: { merchantId, request }, decider: { by } }) => {
    const answer = await setRole(engine, tx, { ...request, by, merchantId });
    if (answer !== 'DONE') throw new NotExecuted();
  },
};
