import { Group, NativeSelect, Stack, Text } from '@mantine/core';
import { useMemo } from 'react';
import { useAct } from '../../api/acts.ts';
import { useWords, words } from '../../language.tsx';
import { useMe, type Role } from '../../me.ts';
import { ConfirmButton } from '../../parts/confirm-button.tsx';
import { DataTable, type Column } from '../../parts/data-table.tsx';
import { EmptyState } from '../../parts/empty-state.tsx';
import { ROLE_WORDS } from '../../parts/role-words.ts';
import { StateBadge } from '../../parts/state-badge.tsx';
import { Time } from '../../parts/time.tsx';
import type { Member, TeamCalls } from './team-calls.ts';

type MemberTableProps = {
  readonly members: readonly Member[] | undefined;
  readonly calls: TeamCalls | null;
  readonly error: Error | null;
  readonly onRetry: () => void;
};

export function MemberTable({ members, calls, error, onRetry }: MemberTableProps) {
  const said = useWords(WORDS);
  const roles = useWords(ROLE_WORDS);
  const columns = useMemo(
    (): readonly Column<Member>[] => [
      {
        id: 'name',
        header: said.name,
        isHeading: true,
        sortBy: ({ name }) => name,
        cell: ({ name }) => name,
      },
      {
        id: 'email',
        header: said.email,
        sortBy: ({ email }) => email,
        onPhone: 'plain',
        cell: ({ email }) => email,
      },
      {
        id: 'role',
        header: said.role,
        sortBy: ({ role }) => role,
        cell: (member) =>
          calls === null ? roles[member.role] : <RoleSelect member={member} calls={calls} />,
      },
      {
        id: 'factor',
        header: said.factor,
        cell: ({ hasTwoFactor }) => (
          <StateBadge state={hasTwoFactor ? 'ON' : 'OFF'} tone={hasTwoFactor ? 'success' : 'trouble'}>
            {hasTwoFactor ? said.on : said.off}
          </StateBadge>
        ),
      },
      {
        id: 'since',
        header: said.since,
        sortBy: ({ since }) => since,
        cell: ({ since }) => <Time at={since} />,
      },
      ...(calls === null
        ? []
        : [
            {
              id: 'acts',
              header: said.acts,
              isActions: true,
              cell: (member: Member) => <RemoveButton member={member} calls={calls} />,
            },
          ]),
    ],
    [said, roles, calls],
  );
  return (
    <DataTable
      label={said.people}
      columns={columns}
      rows={members}
      rowKey={({ personId }) => personId}
      skeletonRows={3}
      error={error}
      onRetry={onRetry}
      empty={
        <EmptyState icon="team" title={said.none}>
          {said.noneHint}
        </EmptyState>
      }
    />
  );
}

type MemberProps = { readonly member: Member; readonly calls: TeamCalls };

function RoleSelect({ member, calls }: MemberProps) {
  const said = useWords(WORDS);
  const roles = useWords(ROLE_WORDS);
  const change = useAct({
    act: calls.changeRole,
    done: ({ outcome }) => (outcome === 'REQUESTED' ? said.asked : said.changed),
  });
  // What was just chosen is shown while it is on its way, and what is true after a refusal.
  const shown = change.isPending ? change.variables.role : member.role;
  return (
    <NativeSelect
      size="xs"
      w="fit-content"
      miw={150}
      aria-label={said.roleOf(member.name)}
      data={calls.roles.map((value) => ({ value, label: roles[value] }))}
      value={shown}
      disabled={change.isPending}
      onChange={({ currentTarget }) =>
        change.mutate({ personId: member.personId, role: currentTarget.value as Role })
      }
    />
  );
}

function RemoveButton({ member, calls }: MemberProps) {
  const said = useWords(WORDS);
  const me = useMe();
  const remove = useAct({ act: calls.remove, done: said.removed(member.name) });
  return (
    <Group justify="flex-end" wrap="nowrap">
      <ConfirmButton
        label={said.remove}
        isPending={remove.isPending}
        onConfirm={() => remove.mutateAsync(member.personId)}
        question={
          <Stack gap="xs">
            <Text>{said.question(member.name)}</Text>
            {member.personId === me.personId && <Text fw={600}>{said.yourself}</Text>}
          </Stack>
        }
      />
    </Group>
  );
}

const WORDS = words({
  en: {
    people: 'People',
    name: 'Name',
    email: 'E-mail address',
    role: 'Role',
    roleOf: (name: string) => `Role of ${name}`,
    factor: '2FA',
    on: 'on',
    off: 'off',
    since: 'Member since',
    acts: 'Actions',
    remove: 'Remove',
    question: (name: string) => `${name} loses access immediately.`,
    yourself: 'This is you.',
    removed: (name: string) => `${name} was removed.`,
    changed: 'Role changed.',
    asked: 'Sent for approval. The role changes when a second approver agrees.',
    none: 'No members yet',
    noneHint: 'People appear here after they accept an invitation.',
  },
  fr: {
    people: 'Personnes',
    name: 'Nom',
    email: 'Adresse e-mail',
    role: 'Rôle',
    roleOf: (name: string) => `Rôle de ${name}`,
    factor: '2FA',
    on: 'activée',
    off: 'désactivée',
    since: 'Membre depuis',
    acts: 'Actions',
    remove: 'Retirer',
    question: (name: string) => `${name} perd immédiatement son accès.`,
    yourself: 'C’est vous.',
    removed: (name: string) => `${name} a été retiré.`,
    changed: 'Rôle modifié.',
    asked: 'Envoyé pour approbation. Le rôle change quand un second approbateur accepte.',
    none: 'Aucun membre pour le moment',
    noneHint: 'Les personnes apparaissent ici après avoir accepté une invitation.',
  },
});
