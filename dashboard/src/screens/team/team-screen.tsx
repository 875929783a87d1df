import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { reading } from '../../api/queries.ts';
import { useWords, words } from '../../language.tsx';
import { useHost, useMerchant } from '../../me.ts';
import { WaitingApprovals } from '../../parts/approval-list.tsx';
import { Page, Section } from '../../parts/page.tsx';
import { InvitationTable } from './invitation-table.tsx';
import { InviteButton } from './invite-button.tsx';
import { MemberTable } from './member-table.tsx';
import { hostTeamCalls, merchantTeamCalls, type Team, type TeamCalls } from './team-calls.ts';

export function MerchantTeamScreen() {
  const { merchantId, name, may } = useMerchant();
  const team = useQuery(
    reading('/console/api/merchants/{merchantId}/team', { params: { path: { merchantId } } }),
  );
  const calls = useMemo(() => merchantTeamCalls(merchantId), [merchantId]);
  const { merchantHint } = useWords(WORDS);
  return <TeamScreen team={team} hint={merchantHint(name)} calls={may('team:write') ? calls : null} />;
}

export function HostTeamScreen() {
  const { may } = useHost();
  const team = useQuery(reading('/console/api/host/team', {}));
  const { hostHint } = useWords(WORDS);
  const calls = may('host-team:write') ? hostTeamCalls : null;
  return <TeamScreen team={team} hint={hostHint} calls={calls} isHost />;
}

type TeamScreenProps = {
  readonly team: {
    readonly data: Team | undefined;
    readonly error: Error | null;
    readonly refetch: () => Promise<unknown>;
  };
  readonly hint: string;
  /** Null for those who may only look. */
  readonly calls: TeamCalls | null;
  readonly isHost?: boolean;
};

const WAITING_KINDS = ['INVITATION', 'ROLE'] as const;

function TeamScreen({ team, hint, calls, isHost = false }: TeamScreenProps) {
  const said = useWords(WORDS);
  const trouble = { error: team.error, onRetry: () => void team.refetch() };
  return (
    <Page title={said.title} hint={hint} actions={calls !== null && <InviteButton calls={calls} />}>
      <MemberTable members={team.data?.members} calls={calls} {...trouble} />
      {(team.data === undefined || team.data.invitations.length > 0) && (
        <Section title={said.invitations}>
          <InvitationTable invitations={team.data?.invitations} calls={calls} />
        </Section>
      )}
      <WaitingApprovals kinds={WAITING_KINDS} isHostOnly={isHost} />
    </Page>
  );
}

const WORDS = words({
  en: {
    title: 'Team',
    merchantHint: (name: string) => `People who can sign in to ${name}, and their roles.`,
    hostHint: 'People who administer the platform, and their roles.',
    invitations: 'Pending invitations',
  },
  fr: {
    title: 'Équipe',
    merchantHint: (name: string) => `Les personnes qui ont accès à ${name}, et leurs rôles.`,
    hostHint: 'Les personnes qui administrent la plateforme, et leurs rôles.',
    invitations: 'Invitations en attente',
  },
});
