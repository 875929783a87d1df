import { Group, Progress, Text } from '@mantine/core';
import { useMemo } from 'react';
import { useLanguage, useWords, words } from '../../language.tsx';
import { DataTable, type Column } from '../../parts/data-table.tsx';
import { EmptyState } from '../../parts/empty-state.tsx';
import { MOVEMENT_WORDS } from '../../parts/movement-words.ts';
import { ProviderName, useNames } from '../../parts/names.tsx';
import { formatCount, formatRate, formatSeconds, rateOf } from '../../parts/figures.ts';
import type { Overview } from './overview-screen.tsx';

type Row = Overview['providers'][number];

/** How often payments of each provider succeed, and how long they take to end. */
export function ProviderTable({ rows }: { readonly rows: readonly Row[] }) {
  const said = useWords(WORDS);
  const kinds = useWords(MOVEMENT_WORDS);
  const names = useNames();
  const { language } = useLanguage();
  const columns = useMemo(
    (): readonly Column<Row>[] => [
      {
        id: 'provider',
        header: said.provider,
        isHeading: true,
        sortBy: ({ provider }) => names.provider(provider),
        cell: ({ provider }) => <ProviderName code={provider} />,
      },
      {
        id: 'kind',
        header: said.kind,
        sortBy: ({ kind }) => kind,
        onPhone: 'plain',
        cell: ({ kind }) => kinds[kind] ?? kind,
      },
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
        onPhone: 'end',
        cell: (row) => <Rate rate={rateOf(row)} label={said.rateOf(names.provider(row.provider))} />,
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
    [said, kinds, names, language],
  );
  return (
    <>
      <DataTable
        label={said.label}
        columns={columns}
        rows={rows}
        rowKey={({ provider, kind }) => `${provider} ${kind}`}
        empty={<EmptyState icon="providers" title={said.none} />}
      />
      {rows.some(({ p50Seconds }) => p50Seconds === null) && (
        <Text size="sm" c="dimmed">
          {said.tooFew}
        </Text>
      )}
    </>
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
    ended: 'Payments',
    rate: 'Success rate',
    rateOf: (provider: string) => `Success rate of ${provider}`,
    half: 'Median time',
    most: '90th percentile',
    tooFew: 'Times are shown from 20 payments on.',
    none: 'No payments',
  },
  fr: {
    label: 'Opérateurs',
    provider: 'Opérateur',
    kind: 'Type',
    ended: 'Paiements',
    rate: 'Taux de réussite',
    rateOf: (provider: string) => `Taux de réussite de ${provider}`,
    half: 'Durée médiane',
    most: '90e centile',
    tooFew: 'Les durées sont affichées à partir de 20 paiements.',
    none: 'Aucun paiement',
  },
});
