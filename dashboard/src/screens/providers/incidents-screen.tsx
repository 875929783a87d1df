import { Group, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import type { AnswerOf } from '../../api/client.ts';
import { reading } from '../../api/queries.ts';
import { useWords, words } from '../../language.tsx';
import { DataTable, type Column } from '../../parts/data-table.tsx';
import { EmptyState } from '../../parts/empty-state.tsx';
import { KIND_WORDS } from '../../parts/kind-words.ts';
import { Page } from '../../parts/page.tsx';
import { StateBadge } from '../../parts/state-badge.tsx';
import { Time } from '../../parts/time.tsx';
import { STATUS_WORDS } from './status-words.ts';

type Change = AnswerOf<'listIncidents'>['changes'][number];

export function IncidentsScreen() {
  const said = useWords(WORDS);
  const incidents = useQuery({ ...reading('/console/api/host/incidents', {}), refetchInterval: 10_000 });
  const columns = useColumns();
  return (
    <Page title={said.title} hint={said.hint}>
      <DataTable
        label={said.title}
        columns={columns}
        rows={incidents.data?.changes}
        rowKey={({ provider, operation, changedAt, to }) => [provider, operation, changedAt, to].join()}
        error={incidents.error}
        onRetry={() => void incidents.refetch()}
        empty={
          <EmptyState icon="providers" title={said.none}>
            {said.noneHint}
          </EmptyState>
        }
      />
    </Page>
  );
}

function useColumns(): readonly Column<Change>[] {
  const said = useWords(WORDS);
  const kinds = useWords(KIND_WORDS);
  const statuses = useWords(STATUS_WORDS);
  return useMemo(
    () => [
      { id: 'provider', header: said.provider, isHeading: true, cell: ({ provider }) => provider },
      { id: 'operation', header: said.operation, cell: ({ operation }) => kinds[operation] },
      {
        id: 'change',
        header: said.change,
        cell: ({ from, to }) => (
          <Group gap={6} wrap="nowrap" component="span" display="inline-flex">
            <Text component="span" size="sm" c="dimmed">
              {statuses[from]} →
            </Text>
            <StateBadge state={to}>{statuses[to]}</StateBadge>
          </Group>
        ),
      },
      { id: 'when', header: said.when, cell: ({ changedAt }) => <Time at={changedAt} isExact /> },
      {
        id: 'why',
        header: said.why,
        cell: ({ why }) => (
          <Text component="span" size="sm">
            {why}
          </Text>
        ),
      },
    ],
    [said, kinds, statuses],
  );
}

const WORDS = words({
  en: {
    title: 'Incidents',
    hint: 'When providers went away and came back: the latest 200 changes.',
    provider: 'Provider',
    operation: 'Operation',
    change: 'Change',
    when: 'When',
    why: 'Why',
    none: 'No provider was ever away',
    noneHint: 'Changes of availability appear here, with who or what made them.',
  },
  fr: {
    title: 'Incidents',
    hint: 'Quand des opérateurs se sont absentés et sont revenus : les 200 derniers changements.',
    provider: 'Opérateur',
    operation: 'Opération',
    change: 'Changement',
    when: 'Quand',
    why: 'Pourquoi',
    none: 'Aucun opérateur ne s’est absenté',
    noneHint: 'Les changements de disponibilité apparaissent ici, avec leur auteur ou leur cause.',
  },
});
