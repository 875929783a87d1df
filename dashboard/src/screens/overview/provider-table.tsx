import { Group, Progress, Text } from '@mantine/core';
import { useMemo } from 'react';
import { useLanguage, useWords, words } from '../../language.tsx';
import { DataTable, type Column } from '../../parts/data-table.tsx';
import { EmptyState } from '../../parts/empty-state.tsx';
import { MOVEMENT_WORDS } from '../../parts/movement-words.ts';
import { formatCount, formatRate, formatSeconds, rateOf } from './figures.ts';
import type { Overview } from './overview-screen.tsx';

type Row = Overview['providers'][number];

/** How often payments of each provider succeed, and how long they take to end. */
export function ProviderTable({ rows }: { readonly rows: readonly Row[] }) {
  const said = useWords(WORDS);
  const kinds = useWords(MOVEMENT_WORDS);
  const { language } = useLanguage();
  const columns = useMemo(
    (): readonly Column<Row>[] => [
      {
        id: 'provider',
        header: said.provider,
        isHeading: true,
        sortBy: ({ provider }) => provider,
        cell: ({ provider }) => provider,
      },
      { id: 'kind', header: said.kind, sortBy: ({ kind }) => kind, cell: ({ kind }) => kinds[kind] ?? kind },
      {
        id: 'ended',
        header: said.ended,
        align: 'end',
        sortBy: ({ completed, failed }) => completed + failed,
        cell: ({ completed, failed }) => formatCount(completed + failed, language),
      },
      {
        id: 'rate',
        header: said.rate,
        sortBy: (row) => rateOf(row) ?? 0,
        cell: (row) => <Rate rate={rateOf(row)} label={said.rateOf(row.provider)} />,
      },
      {
        id: 'half',
        header: said.half,
        align: 'end',
        sortBy: ({ p50Seconds }) => p50Seconds ?? 0,
        cell: ({ p50Seconds }) => formatSeconds(p50Seconds, language),
      },
      {
        id: 'most',
        header: said.most,
        align: 'end',
        sortBy: ({ p90Seconds }) => p90Seconds ?? 0,
        cell: ({ p90Seconds }) => formatSeconds(p90Seconds, language),
      },
    ],
    [said, kinds, language],
  );
  return (
    <DataTable
      label={said.label}
      columns={columns}
      rows={rows}
      rowKey={({ provider, kind }) => `${provider} ${kind}`}
      empty={<EmptyState icon="providers" title={said.none} />}
    />
  );
}

function Rate({ rate, label }: { readonly rate: number | null; readonly label: string }) {
  const { language } = useLanguage();
  return (
    <Group gap="xs" wrap="nowrap">
      <Progress value={(rate ?? 0) * 100} w={90} size="sm" color="var(--series-1)" aria-label={label} />
      <Text component="span" inherit className="figures">
        {formatRate(rate, language)}
      </Text>
    </Group>
  );
}

const WORDS = words({
  en: {
    label: 'Providers',
    provider: 'Provider',
    kind: 'Kind',
    ended: 'Ended',
    rate: 'Succeeded',
    rateOf: (provider: string) => `Share of ${provider} that succeeded`,
    half: 'Half within',
    most: '9 in 10 within',
    none: 'No provider was used',
  },
  fr: {
    label: 'Opérateurs',
    provider: 'Opérateur',
    kind: 'Type',
    ended: 'Terminés',
    rate: 'Réussis',
    rateOf: (provider: string) => `Part de ${provider} qui a réussi`,
    half: 'La moitié en',
    most: '9 sur 10 en',
    none: 'Aucun opérateur utilisé',
  },
});
