// The people of a merchant, and those of the host.
import type { FastifyInstance } from 'fastify';
import { requestInvitation, requestRole } from '../../core/merchants/request-members.ts';
import {
  invite,
  readTeam,
  removeMember,
  withdrawInvitation,
  type Team,
  type TeamAnswer,
} from '../../core/merchants/team.ts';
import type { Role } from '../../domain/merchants/roles.ts';
import { personCalls } from '../../wire/console/person.ts';
import { done } from '../../wire/console/shape.ts';
import { show } from '../../wire/console/show.ts';
import { ConsoleFailure, failureBecause } from './failure.ts';
import { teamName } from './sign-in/me.ts';
import { consoleRoutes, orderedBy, type ConsoleParts, type SignedInUser } from './route.ts';

const READ = { for: 'MERCHANT', permission: 'settings:read' } as const;
const WRITE = { for: 'MERCHANT', permission: 'team:write', isDangerous: true } as const;
const HOST_READ = { for: 'HOST', permission: 'host:read' } as const;
const HOST_WRITE = { for: 'HOST', permission: 'host-team:write', isDangerous: true } as const;

export function registerTeam(app: FastifyInstance, parts: ConsoleParts): void {
  const route = consoleRoutes(app, parts, 'team');
  const { engine } = parts;
  const url = '/merchants/:merchantId/team';
  route('GET', url, READ, personCalls.readTeam, {
    summary: "List a merchant's people and open invitations",
    handle: async ({ path }) => renderTeam(await readTeam(engine, path.merchantId)),
  });
  route('POST', `${url}/invitations`, WRITE, personCalls.invite, {
    summary: 'Invite a person; a role that can approve needs a second approver',
    handle: async ({ path: { merchantId }, body, user, origin }) =>
      inviteOrAsk(parts, { ...body, user, merchantId, origin }),
  });
  route('DELETE', `${url}/invitations/:invitationId`, WRITE, personCalls.withdrawInvitation, {
    summary: 'Withdraw an invitation',
    handle: async ({ path, user: { by } }) => withdraw(parts, { ...path, by }),
  });
  route('PUT', `${url}/members/:personId`, WRITE, personCalls.changeRole, {
    summary: "Change a person's role; a higher one needs a second approver",
    handle: async ({ path, body, user }) =>
      answerRole(await requestRole(engine, { ...path, ...body, ...orderedBy(parts, user) })),
  });
  route('DELETE', `${url}/members/:personId`, WRITE, personCalls.removeMember, {
    summary: 'Remove a person; their sessions end at once',
    handle: async ({ path, user: { by } }) => answerTeam(await removeMember(engine, { ...path, by })),
  });
}

export function registerHostTeam(app: FastifyInstance, parts: ConsoleParts): void {
  const route = consoleRoutes(app, parts, 'host-team');
  const { engine } = parts;
  const url = '/host/team';
  route('GET', url, HOST_READ, personCalls.readHostTeam, {
    summary: "List the platform's people and open invitations",
    handle: async () => renderTeam(await readTeam(engine, null)),
  });
  route('POST', `${url}/invitations`, HOST_WRITE, personCalls.inviteToHost, {
    summary: 'Invite a person to the platform; an administrator needs a second approver',
    handle: async ({ body, user, origin }) => inviteOrAsk(parts, { ...body, user, merchantId: null, origin }),
  });
  route('DELETE', `${url}/invitations/:invitationId`, HOST_WRITE, personCalls.withdrawHostInvitation, {
    summary: 'Withdraw an invitation to the platform',
    handle: async ({ path, user: { by } }) => withdraw(parts, { ...path, merchantId: null, by }),
  });
  route('PUT', `${url}/members/:personId`, HOST_WRITE, personCalls.changeHostRole, {
    summary: 'Change the role of a person of the platform',
    handle: async ({ path, body, user }) => {
      const order = { ...path, ...body, merchantId: null, ...orderedBy(parts, user) };
      return answerRole(await requestRole(engine, order));
    },
  });
  route('DELETE', `${url}/members/:personId`, HOST_WRITE, personCalls.removeHostMember, {
    summary: 'Remove a person of the platform',
    handle: async ({ path, user: { by } }) =>
      answerTeam(await removeMember(engine, { ...path, merchantId: null, by })),
  });
}

type Ordered = {
  readonly merchantId: string | null;
  readonly email: string;
  readonly role: Role;
  readonly origin: string;
};

/** Where a second approver must agree first, no one is told anything yet. */
async function inviteOrAsk(
  parts: ConsoleParts,
  { user, origin, ...order }: Ordered & { readonly user: SignedInUser },
) {
  const token = await requestInvitation(parts.engine, { ...order, ...orderedBy(parts, user) });
  if (token === null) return { link: null, outcome: 'REQUESTED' } as const;
  return { ...(await handOnInvitation(parts, { ...order, token, origin })), outcome: 'DONE' } as const;
}

/** On the word of one: for the owner of a merchant that is just being made. */
export async function sendInvitation(
  parts: ConsoleParts,
  { origin, ...order }: Ordered & { readonly by: string },
) {
  return handOnInvitation(parts, { ...order, token: await invite(parts.engine, order), origin });
}

/** Mails the link, or answers it where no mails are sent. */
export async function handOnInvitation(
  parts: ConsoleParts,
  { token, email, merchantId, origin }: Omit<Ordered, 'role'> & { readonly token: string },
) {
  const link = `${origin}/dashboard/join/${token}`;
  if (parts.mailInvitation === null) return { link };
  await parts.mailInvitation({ email, link, team: await teamName(parts, merchantId) });
  return { link: null };
}

async function withdraw(parts: ConsoleParts, order: Parameters<typeof withdrawInvitation>[1]) {
  if (!(await withdrawInvitation(parts.engine, order))) throw new ConsoleFailure('NOT_FOUND');
  return done;
}

function answerRole(answer: TeamAnswer | 'REQUESTED') {
  if (answer === 'REQUESTED') return { outcome: answer } as const;
  answerTeam(answer);
  return { outcome: 'DONE' } as const;
}

function answerTeam(answer: TeamAnswer) {
  switch (answer) {
    case 'DONE':
      return done;
    case 'NOT_FOUND':
      throw new ConsoleFailure('NOT_FOUND');
    case 'LAST_ONE':
      throw failureBecause('CONFLICT', 'LAST_OWNER');
    case 'SECOND_BREAK_GLASS':
      throw failureBecause('CONFLICT', 'BREAK_GLASS_EXISTS');
  }
}

function renderTeam({ members, invitations }: Team) {
  return {
    members: members.map((one) => show(one, 'personId', 'name', 'email', 'role', 'hasTwoFactor', 'since')),
    invitations: invitations.map((one) =>
      show(one, 'invitationId', 'email', 'role', 'invitedBy', 'expiresAt'),
    ),
  };
}
