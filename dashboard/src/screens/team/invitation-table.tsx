import { useMemo } from 'react';
import { useAct } from '../../api/acts.ts';
import { useWords, words } from '../../language.tsx';
import { ConfirmButton } from '../../parts/confirm-button.tsx';
import { DataTable, type Column } from '../../parts/data-table.tsx';
import { EmptyState } from '../../parts/empty-state.tsx';
import { ROLE_WORDS } from '../../parts/role-words.ts';
import { Time } from '../../parts/time.tsx';
import type { Invitation, TeamCalls } from './team-calls.ts';

type InvitationTableProps = {
  readonly invitations: readonly Invitation[] | undefined;
  readonly calls: TeamCalls | null;
};

export function InvitationTable({ invitations, calls }: InvitationTableProps) {
  const said = useWords(WORDS);
  const roles = useWords(ROLE_WORDS);
  const columns = useMemo(
    (): readonly Column<Invitation>[] => [
      { id: 'email', header: said.email, isHeading: true, cell: ({ email }) => email },
      { id: 'role', header: said.role, cell: ({ role }) => roles[role] },
      { id: 'by', header: said.by, cell: ({ invitedBy }) => invitedBy },
      { id: 'ends', header: said.ends, cell: ({ expiresAt }) => <Time at={expiresAt} /> },
      ...(calls === null
        ? []
        : [
            {
              id: 'acts',
              header: said.acts,
              isActions: true,
              cell: (invitation: Invitation) => <WithdrawButton invitation={invitation} calls={calls} />,
            },
          ]),
    ],
    [said, roles, calls],
  );
  return (
    <DataTable
      label={said.invitations}
      columns={columns}
      rows={invitations}
      rowKey={({ invitationId }) => invitationId}
      skeletonRows={1}
      empty={<EmptyState icon="team" title={said.none} />}
    />
  );
}

function WithdrawButton({
  invitation,
  calls,
}: {
  readonly invitation: Invitation;
  readonly calls: TeamCalls;
}) {
  const said = useWords(WORDS);
  const withdraw = useAct({ act: calls.withdraw, done: said.withdrawn });
  return (
    <ConfirmButton
      label={said.withdraw}
      question={said.question(invitation.email)}
      isPending={withdraw.isPending}
      onConfirm={() => withdraw.mutateAsync(invitation.invitationId)}
    />
  );
}

const WORDS = words({
  en: {
    invitations: 'Pending invitations',
    email: 'E-mail address',
    role: 'Role',
    by: 'Invited by',
    ends: 'Expires',
    acts: 'Actions',
    withdraw: 'Withdraw',
    question: (email: string) => `The invitation link for ${email} will stop working.`,
    withdrawn: 'Invitation withdrawn.',
    none: 'No pending invitations',
  },
  fr: {
    invitations: 'Invitations en attente',
    email: 'Adresse e-mail',
    role: 'Rôle',
    by: 'Invité par',
    ends: 'Expire',
    acts: 'Actions',
    withdraw: 'Annuler',
    question: (email: string) => `Le lien d’invitation de ${email} ne fonctionnera plus.`,
    withdrawn: 'Invitation annulée.',
    none: 'Aucune invitation en attente',
  },
});
