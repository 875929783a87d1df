// The people of a merchant, and those of the host.
import type { FastifyInstance } from 'fastify';
import {
  changeRole,
  invite,
  readTeam,
  removeMember,
  withdrawInvitation,
  type Team,
} from '../../core/team.ts';
import type { Role } from '../../domain/roles.ts';
import {
  changeHostRoleShape,
  changeRoleShape,
  inviteHostShape,
  inviteShape,
  readHostTeamShape,
  readTeamShape,
  removeHostMemberShape,
  removeMemberShape,
  withdrawHostInvitationShape,
  withdrawInvitationShape,
} from '../../wire/console/person.ts';
import { done } from '../../wire/console/shape.ts';
import { ConsoleFailure } from './failure.ts';
import { teamName } from './me.ts';
import { consoleRoute, type ConsoleParts } from './route.ts';

const READ = { for: 'MERCHANT', permission: 'settings:read' } as const;
const WRITE = { for: 'MERCHANT', permission: 'team:write', isDangerous: true } as const;
const HOST_READ = { for: 'HOST', permission: 'host:read' } as const;
const HOST_WRITE = { for: 'HOST', permission: 'host-team:write', isDangerous: true } as const;

export function registerTeam(app: FastifyInstance, parts: ConsoleParts): void {
  const { engine } = parts;
  const url = '/merchants/:merchantId/team';
  const tag = 'team';
  consoleRoute(app, parts, {
    method: 'GET',
    url,
    access: READ,
    operationId: 'readTeam',
    tag,
    summary: "A merchant's people and open invitations",
    shape: readTeamShape,
    handle: async ({ path }) => renderTeam(await readTeam(engine, path.merchantId)),
  });
  consoleRoute(app, parts, {
    method: 'POST',
    url: `${url}/invitations`,
    access: WRITE,
    operationId: 'invite',
    tag,
    summary: 'Invite somebody',
    shape: inviteShape,
    handle: async ({ path: { merchantId }, body, visitor: { by }, origin }) =>
      sendInvitation(parts, { ...body, by, merchantId, origin }),
  });
  consoleRoute(app, parts, {
    method: 'DELETE',
    url: `${url}/invitations/:invitationId`,
    access: WRITE,
    operationId: 'withdrawInvitation',
    tag,
    summary: 'Withdraw an invitation',
    shape: withdrawInvitationShape,
    handle: async ({ path, visitor: { by } }) => withdraw(parts, { ...path, by }),
  });
  consoleRoute(app, parts, {
    method: 'PUT',
    url: `${url}/members/:personId`,
    access: WRITE,
    operationId: 'changeRole',
    tag,
    summary: 'Give somebody another role',
    shape: changeRoleShape,
    handle: async ({ path, body, visitor: { by } }) =>
      answerTeam(await changeRole(engine, { ...path, ...body, by })),
  });
  consoleRoute(app, parts, {
    method: 'DELETE',
    url: `${url}/members/:personId`,
    access: WRITE,
    operationId: 'removeMember',
    tag,
    summary: 'Remove somebody; their sessions end at once',
    shape: removeMemberShape,
    handle: async ({ path, visitor: { by } }) => answerTeam(await removeMember(engine, { ...path, by })),
  });
}

export function registerHostTeam(app: FastifyInstance, parts: ConsoleParts): void {
  const { engine } = parts;
  const url = '/host/team';
  const tag = 'host-team';
  consoleRoute(app, parts, {
    method: 'GET',
    url,
    access: HOST_READ,
    operationId: 'readHostTeam',
    tag,
    summary: "The host's people and open invitations",
    shape: readHostTeamShape,
    handle: async () => renderTeam(await readTeam(engine, null)),
  });
  consoleRoute(app, parts, {
    method: 'POST',
    url: `${url}/invitations`,
    access: HOST_WRITE,
    operationId: 'inviteToHost',
    tag,
    summary: 'Invite somebody to the host',
    shape: inviteHostShape,
    handle: async ({ body, visitor: { by }, origin }) =>
      sendInvitation(parts, { ...body, by, merchantId: null, origin }),
  });
  consoleRoute(app, parts, {
    method: 'DELETE',
    url: `${url}/invitations/:invitationId`,
    access: HOST_WRITE,
    operationId: 'withdrawHostInvitation',
    tag,
    summary: 'Withdraw an invitation to the host',
    shape: withdrawHostInvitationShape,
    handle: async ({ path, visitor: { by } }) => withdraw(parts, { ...path, merchantId: null, by }),
  });
  consoleRoute(app, parts, {
    method: 'PUT',
    url: `${url}/members/:personId`,
    access: HOST_WRITE,
    operationId: 'changeHostRole',
    tag,
    summary: 'Give somebody of the host another role',
    shape: changeHostRoleShape,
    handle: async ({ path, body, visitor: { by } }) =>
      answerTeam(await changeRole(engine, { ...path, ...body, merchantId: null, by })),
  });
  consoleRoute(app, parts, {
    method: 'DELETE',
    url: `${url}/members/:personId`,
    access: HOST_WRITE,
    operationId: 'removeHostMember',
    tag,
    summary: 'Remove somebody of the host',
    shape: removeHostMemberShape,
    handle: async ({ path, visitor: { by } }) =>
      answerTeam(await removeMember(engine, { ...path, merchantId: null, by })),
  });
}

type InvitationOrder = {
  readonly by: string;
  readonly merchantId: string | null;
  readonly email: string;
  readonly role: Role;
  readonly origin: string;
};

export async function sendInvitation(parts: ConsoleParts, { origin, ...order }: InvitationOrder) {
  const link = `${origin}/dashboard/join/${await invite(parts.engine, order)}`;
  if (parts.mailInvitation === null) return { link };
  const team = await teamName(parts, order.merchantId);
  await parts.mailInvitation({ email: order.email, link, team });
  return { link: null };
}

async function withdraw(parts: ConsoleParts, order: Parameters<typeof withdrawInvitation>[1]) {
  if (!(await withdrawInvitation(parts.engine, order))) throw new ConsoleFailure('NOT_FOUND');
  return done;
}

function answerTeam(answer: Awaited<ReturnType<typeof changeRole>>) {
  switch (answer) {
    case 'DONE':
      return done;
    case 'NOT_FOUND':
      throw new ConsoleFailure('NOT_FOUND');
    case 'LAST_ONE':
      throw new ConsoleFailure(
        'CONFLICT',
        'Nobody would be left who can invite others. Name another one first.',
      );
  }
}

function renderTeam({ members, invitations }: Team) {
  return {
    members: members.map((member) => ({ ...member, since: member.since.toISOString() })),
    invitations: invitations.map(({ invitationId, email, role, invitedBy, expiresAt }) => ({
      invitationId,
      email,
      role,
      invitedBy,
      expiresAt: expiresAt.toISOString(),
    })),
  };
}
