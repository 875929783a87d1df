import { Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { useAct } from '../../api/acts.ts';
import { answer, api, type AnswerOf } from '../../api/client.ts';
import { reading } from '../../api/queries.ts';
import { useWords, words } from '../../language.tsx';
import { useMerchant } from '../../me.ts';
import { WaitingApprovals } from '../../parts/approval-list.tsx';
import { ConfirmButton } from '../../parts/confirm-button.tsx';
import { DataTable, type Column } from '../../parts/data-table.tsx';
import { EmptyState } from '../../parts/empty-state.tsx';
import { Page } from '../../parts/page.tsx';
import { StateBadge } from '../../parts/state-badge.tsx';
import { Time } from '../../parts/time.tsx';
import { CreateTokenButton } from './create-token-button.tsx';

type Token = AnswerOf<'readTokens'>['tokens'][number];

export function TokenScreen() {
  const { merchantId, may } = useMerchant();
  const said = useWords(WORDS);
  const tokens = useQuery(
    reading('/console/api/merchants/{merchantId}/tokens', { params: { path: { merchantId } } }),
  );
  const { scopes = NO_SCOPES } = tokens.data ?? {};
  const columns = useColumns({ mayChange: may('settings:write'), scopeCount: scopes.length });
  return (
    <Page
      title={said.title}
      hint={said.hint}
      actions={may('settings:write') && <CreateTokenButton scopes={scopes} />}
    >
      <DataTable
        label={said.title}
        columns={columns}
        rows={tokens.data?.tokens}
        rowKey={({ tokenId }) => tokenId}
        skeletonRows={2}
        error={tokens.error}
        onRetry={() => void tokens.refetch()}
        empty={
          <EmptyState icon="key" title={said.none}>
            {said.noneHint}
          </EmptyState>
        }
      />
      <WaitingApprovals kinds={WAITING_KINDS} />
    </Page>
  );
}

const WAITING_KINDS = ['TOKEN'] as const;
const NO_SCOPES: readonly string[] = [];

function useColumns({
  mayChange,
  scopeCount,
}: {
  readonly mayChange: boolean;
  readonly scopeCount: number;
}): readonly Column<Token>[] {
  const said = useWords(WORDS);
  return useMemo(
    () => [
      {
        id: 'name',
        header: said.name,
        isHeading: true,
        sortBy: ({ name }) => name,
        cell: ({ name }) => name,
      },
      {
        id: 'state',
        header: said.state,
        sortBy: ({ state }) => state,
        onPhone: 'end',
        cell: ({ state }) => <StateBadge state={state}>{said[state]}</StateBadge>,
      },
      {
        id: 'scopes',
        header: said.scopes,
        cell: ({ scopes }) =>
          scopes.length === scopeCount ? (
            said.everything
          ) : (
            <Text component="span" size="sm" maw={360} display="inline-block">
              {scopes.join(', ')}
            </Text>
          ),
      },
      {
        id: 'used',
        header: said.used,
        sortBy: ({ lastUsedAt }) => lastUsedAt ?? '',
        cell: ({ lastUsedAt }) => (lastUsedAt === null ? said.never : <Time at={lastUsedAt} />),
      },
      {
        id: 'ends',
        header: said.ends,
        sortBy: ({ expiresAt }) => expiresAt ?? '',
        cell: ({ expiresAt }) => (expiresAt === null ? said.noEnd : <Time at={expiresAt} />),
      },
      {
        id: 'created',
        header: said.created,
        sortBy: ({ createdAt }) => createdAt,
        cell: ({ createdAt }) => <Time at={createdAt} />,
      },
      ...(mayChange
        ? [
            {
              id: 'acts',
              header: said.acts,
              isActions: true,
              cell: (token: Token) => (token.state === 'ACTIVE' ? <RevokeButton token={token} /> : null),
            },
          ]
        : []),
    ],
    [said, mayChange, scopeCount],
  );
}

function RevokeButton({ token }: { readonly token: Token }) {
  const said = useWords(WORDS);
  const { merchantId } = useMerchant();
  const { tokenId, name } = token;
  const revoke = useAct({
    act: () =>
      answer(
        api.DELETE('/console/api/merchants/{merchantId}/tokens/{tokenId}', {
          params: { path: { merchantId, tokenId } },
        }),
      ),
    done: said.revoked(name),
  });
  return (
    <ConfirmButton
      label={said.revoke}
      question={said.question(name)}
      isPending={revoke.isPending}
      onConfirm={() => revoke.mutateAsync(undefined)}
    />
  );
}

const WORDS = words({
  en: {
    title: 'API tokens',
    hint:
      'Your server sends an API token (API key) with every request. Use one per server, with the fewest ' +
      'permissions.',
    name: 'Name',
    state: 'Status',
    ACTIVE: 'Active',
    EXPIRED: 'Expired',
    REVOKED: 'Revoked',
    scopes: 'Permissions',
    everything: 'All',
    used: 'Last used',
    never: 'Never',
    ends: 'Expires',
    noEnd: 'Never',
    created: 'Created',
    acts: 'Actions',
    revoke: 'Revoke',
    question: (name: string) =>
      `Requests with the token “${name}” are refused within ten seconds. This cannot be undone.`,
    revoked: (name: string) => `Token “${name}” revoked.`,
    none: 'No API tokens yet',
    noneHint: 'Create one for the server that will start payments.',
  },
  fr: {
    title: 'Jetons d’API',
    hint:
      'Votre serveur envoie un jeton d’API (clé d’API) à chaque requête. Un jeton par serveur, avec le moins de ' +
      'droits possible.',
    name: 'Nom',
    state: 'Statut',
    ACTIVE: 'Actif',
    EXPIRED: 'Expiré',
    REVOKED: 'Révoqué',
    scopes: 'Droits',
    everything: 'Tous',
    used: 'Dernière utilisation',
    never: 'Jamais',
    ends: 'Expire',
    noEnd: 'Jamais',
    created: 'Créé',
    acts: 'Actions',
    revoke: 'Révoquer',
    question: (name: string) =>
      `Les requêtes avec le jeton « ${name} » seront refusées sous dix secondes. C’est définitif.`,
    revoked: (name: string) => `Jeton « ${name} » révoqué.`,
    none: 'Aucun jeton d’API pour le moment',
    noneHint: 'Créez-en un pour le serveur qui lancera les paiements.',
  },
});
