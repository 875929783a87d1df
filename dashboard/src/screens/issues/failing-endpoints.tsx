import { Anchor, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useMemo } from 'react';
import type { AnswerOf } from '../../api/client.ts';
import { reading } from '../../api/queries.ts';
import { useWords, words } from '../../language.tsx';
import { DataTable, type Column } from '../../parts/data-table.tsx';
import { EmptyState } from '../../parts/empty-state.tsx';
import { KIND_WORDS } from '../../parts/kind-words.ts';
import { StateBadge } from '../../parts/state-badge.tsx';
import { Time } from '../../parts/time.tsx';

type Endpoint = AnswerOf<'listFailingEndpoints'>['rows'][number];

/** Callback endpoints of all merchants where nothing gets through. */
export function FailingEndpoints() {
  const t = useWords(WORDS);
  const kinds: Readonly<Record<string, string>> = useWords(KIND_WORDS);
  const endpoints = useQuery({
    ...reading('/console/api/host/endpoint-queues', {}),
    refetchInterval: 10_000,
  });
  const columns = useMemo(
    (): readonly Column<Endpoint>[] => [
      {
        id: 'endpoint',
        header: t.endpoint,
        isHeading: true,
        cell: ({ host, merchantId }) => (
          <Anchor
            inherit
            renderRoot={(props) => <Link {...props} to={`/m/${merchantId}/callback-addresses`} />}
          >
            {host}
          </Anchor>
        ),
      },
      { id: 'merchant', header: t.merchant, onPhone: 'plain', cell: ({ merchant }) => merchant },
      { id: 'event', header: t.event, onPhone: 'plain', cell: ({ kind }) => kinds[kind] ?? kind },
      {
        id: 'status',
        header: t.status,
        onPhone: 'plain',
        cell: (endpoint) => <Status endpoint={endpoint} />,
      },
      {
        id: 'queued',
        header: t.queued,
        cell: ({ waitingSince }) => (waitingSince === null ? t.nothing : <Time at={waitingSince} />),
      },
    ],
    [t, kinds],
  );
  return (
    <DataTable
      label={t.label}
      columns={columns}
      rows={endpoints.data?.rows}
      rowKey={({ merchantId, kind }) => `${merchantId} ${kind}`}
      error={endpoints.error}
      onRetry={() => void endpoints.refetch()}
      empty={
        <EmptyState icon="check" title={t.none}>
          {t.noneHint}
        </EmptyState>
      }
    />
  );
}

function Status({ endpoint }: { readonly endpoint: Endpoint }) {
  const t = useWords(WORDS);
  const { disabledAt, pausedUntil, failingSince, failureCount } = endpoint;
  const status = disabledAt !== null ? 'disabled' : pausedUntil !== null ? 'paused' : 'failing';
  return (
    <Stack gap={2} align="flex-start">
      <StateBadge state={status} tone={status === 'disabled' ? 'failure' : 'trouble'}>
        {t[status]}
      </StateBadge>
      <Text component="span" size="xs" c="dimmed">
        {t.attempts(failureCount)}
        {failingSince !== null && (
          <>
            {' '}
            {t.since} <Time at={failingSince} isExact />
          </>
        )}
      </Text>
    </Stack>
  );
}

const WORDS = words({
  en: {
    label: 'Failing endpoints',
    endpoint: 'Endpoint',
    merchant: 'Merchant',
    event: 'Event',
    status: 'Status',
    queued: 'Oldest queued',
    nothing: 'None',
    disabled: 'Disabled',
    paused: 'Paused',
    failing: 'Failing',
    attempts: (count: number) => `${count} failed ${count === 1 ? 'attempt' : 'attempts'}`,
    since: 'since',
    none: 'No failing endpoints',
    noneHint: 'An endpoint that rejects callbacks or does not answer is listed here until it accepts one.',
  },
  fr: {
    label: 'Points d’accès en échec',
    endpoint: 'Point d’accès',
    merchant: 'Marchand',
    event: 'Événement',
    status: 'Statut',
    queued: 'Plus ancien en file',
    nothing: 'Aucun',
    disabled: 'Désactivé',
    paused: 'En pause',
    failing: 'En échec',
    attempts: (count: number) => `${count} ${count < 2 ? 'tentative échouée' : 'tentatives échouées'}`,
    since: 'depuis le',
    none: 'Aucun point d’accès en échec',
    noneHint:
      'Un point d’accès qui refuse ou ne répond pas apparaît ici jusqu’à ce qu’il accepte un callback.',
  },
});
