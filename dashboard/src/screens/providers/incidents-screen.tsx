import { Group, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import type { AnswerOf } from '../../api/client.ts';
import { reading } from '../../api/queries.ts';
import { useLanguage, useWords, words } from '../../language.tsx';
import { DataTable, type Column } from '../../parts/data-table.tsx';
import { formatDuration } from '../../parts/duration.ts';
import { EmptyState } from '../../parts/empty-state.tsx';
import { KIND_WORDS } from '../../parts/kind-words.ts';
import { Page } from '../../parts/page.tsx';
import { ProviderName } from '../../parts/names.tsx';
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
      {
        id: 'provider',
        header: said.provider,
        isHeading: true,
        cell: ({ provider }) => <ProviderName code={provider} />,
      },
      {
        id: 'operation',
        header: said.operation,
        onPhone: 'plain',
        cell: ({ operation }) => kinds[operation],
      },
      {
        id: 'change',
        header: said.change,
        onPhone: 'plain',
        cell: ({ from, to }) => (
          <Group gap={6} wrap="nowrap" component="span" display="inline-flex">
            <Text component="span" size="sm" c="dimmed">
              {statuses[from]} →
            </Text>
            <StateBadge state={to}>{statuses[to]}</StateBadge>
          </Group>
        ),
      },
      {
        id: 'when',
        header: said.when,
        onPhone: 'plain',
        cell: ({ changedAt }) => <Time at={changedAt} isExact />,
      },
      {
        id: 'why',
        header: said.why,
        onPhone: 'plain',
        cell: (change) => (
          <Text component="span" size="sm">
            <Reason change={change} />
          </Text>
        ),
      },
    ],
    [said, kinds, statuses],
  );
}

/** Who set it, or what was measured. */
function Reason({ change: { reason } }: { readonly change: Change }) {
  const said = useWords(WORDS);
  const { language } = useLanguage();
  const { parameters } = reason;
  const seconds = (name: string) => formatDuration(Number(parameters[name] ?? '0'), language);
  return (
    <span>
      {said[reason.code]({
        by: parameters['by'] ?? '',
        failed: parameters['failed'] ?? '',
        calls: parameters['calls'] ?? '',
        lasted: seconds('seconds'),
        after: seconds('afterSeconds'),
      })}
    </span>
  );
}

type Figures = Readonly<Record<'by' | 'failed' | 'calls' | 'lasted' | 'after', string>>;

const WORDS = words({
  en: {
    title: 'Incidents',
    hint: 'Provider outages and recoveries (last 200).',
    provider: 'Provider',
    operation: 'Payments',
    change: 'Change',
    when: 'Time',
    why: 'Reason',
    SET_MANUALLY: ({ by }: Figures) => `Set by ${by}`,
    CALLS_FAILED: ({ failed, calls, lasted }: Figures) =>
      `Automatic: ${failed} of ${calls} calls failed in ${lasted}`,
    NO_ANSWER: ({ calls, lasted }: Figures) => `Automatic: no answer to ${calls} calls in ${lasted}`,
    NO_CALLS: ({ lasted }: Figures) => `Automatic: no call was possible for ${lasted}`,
    RECOVERED: ({ failed, calls, after }: Figures) =>
      `Automatic: ${failed} of ${calls} calls failed, stable for ${after}`,
    none: 'No incidents',
    noneHint: 'Changes of availability are listed here, with the person or the measurement that made them.',
  },
  fr: {
    title: 'Incidents',
    hint: 'Pannes et rétablissements des opérateurs (les 200 derniers).',
    provider: 'Opérateur',
    operation: 'Paiements',
    change: 'Changement',
    when: 'Heure',
    why: 'Motif',
    SET_MANUALLY: ({ by }: Figures) => `Réglé par ${by}`,
    CALLS_FAILED: ({ failed, calls, lasted }: Figures) =>
      `Automatique : ${failed} appels sur ${calls} ont échoué en ${lasted}`,
    NO_ANSWER: ({ calls, lasted }: Figures) => `Automatique : ${calls} appels sans réponse en ${lasted}`,
    NO_CALLS: ({ lasted }: Figures) => `Automatique : aucun appel possible pendant ${lasted}`,
    RECOVERED: ({ failed, calls, after }: Figures) =>
      `Automatique : ${failed} appels sur ${calls} ont échoué, stable depuis ${after}`,
    none: 'Aucun incident',
    noneHint:
      'Les changements de disponibilité apparaissent ici, avec la personne ou la mesure qui les a faits.',
  },
});
