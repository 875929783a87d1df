// The calls of both teams, in one form.
import { answer, api, type AnswerOf } from '../../api/client.ts';
import type { Role } from '../../me.ts';

export type Team = AnswerOf<'readTeam'>;
export type Member = Team['members'][number];
export type Invitation = Team['invitations'][number];

export const MERCHANT_ROLES = ['OWNER', 'DEVELOPER', 'FINANCE', 'SUPPORT', 'READ_ONLY'] as const;
export const HOST_ROLES = ['OPERATOR_ADMIN', 'OPERATOR_SUPPORT', 'BREAK_GLASS'] as const;

/** ASKED: it waits for a second approver. */
type Ordered = { readonly outcome: 'DONE' | 'REQUESTED' };

export type TeamCalls = {
  readonly roles: readonly Role[];
  /** The link, where it is not mailed. */
  readonly invite: (order: {
    readonly email: string;
    readonly role: Role;
  }) => Promise<{ readonly link: string | null } & Ordered>;
  readonly changeRole: (order: { readonly personId: string; readonly role: Role }) => Promise<Ordered>;
  readonly remove: (personId: string) => Promise<unknown>;
  readonly withdraw: (invitationId: string) => Promise<unknown>;
};

export function merchantTeamCalls(merchantId: string): TeamCalls {
  const team = '/console/api/merchants/{merchantId}/team';
  return {
    roles: MERCHANT_ROLES,
    invite: ({ email, role }) =>
      answer(
        api.POST(`${team}/invitations`, {
          params: { path: { merchantId } },
          body: { email, role: role as (typeof MERCHANT_ROLES)[number] },
        }),
      ),
    changeRole: ({ personId, role }) =>
      answer(
        api.PUT(`${team}/members/{personId}`, {
          params: { path: { merchantId, personId } },
          body: { role: role as (typeof MERCHANT_ROLES)[number] },
        }),
      ),
    remove: (personId) =>
      answer(api.DELETE(`${team}/members/{personId}`, { params: { path: { merchantId, personId } } })),
    withdraw: (invitationId) =>
      answer(
        api.DELETE(`${team}/invitations/{invitationId}`, { params: { path: { merchantId, invitationId } } }),
      ),
  };
}

export const hostTeamCalls: TeamCalls = {
  roles: HOST_ROLES,
  invite: ({ email, role }) =>
    answer(
      api.POST('/console/api/host/team/invitations', {
        body: { email, role: role as (typeof HOST_ROLES)[number] },
      }),
    ),
  changeRole: ({ personId, role }) =>
    answer(
      api.PUT('/console/api/host/team/members/{personId}', {
        params: { path: { personId } },
        body: { role: role as (typeof HOST_ROLES)[number] },
      }),
    ),
  remove: (personId) =>
    answer(api.DELETE('/console/api/host/team/members/{personId}', { params: { path: { personId } } })),
  withdraw: (invitationId) =>
    answer(
      api.DELETE('/console/api/host/team/invitations/{invitationId}', { params: { path: { invitationId } } }),
    ),
};
