import { Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import type { AnswerOf } from '../../api/client.ts';
import { reading } from '../../api/queries.ts';
import { useWords, words } from '../../language.tsx';
import { DataTable, type Column } from '../../parts/data-table.tsx';
import { EmptyState } from '../../parts/empty-state.tsx';
import { Money } from '../../parts/money.tsx';
import { ProviderName } from '../../parts/names.tsx';
import { StateBadge } from '../../parts/state-badge.tsx';
import { Time } from '../../parts/time.tsx';

type Float = AnswerOf<'readFloats'>['rows'][number];

/** The balances that operators report, beside those of our ledger. */
export function Floats() {
  const said = useWords(WORDS);
  const floats = useQuery({ ...reading('/console/api/host/floats', {}), refetchInterval: 30_000 });
  const columns = useColumns();
  const asOf = floats.data?.rows.length === 0 ? null : (floats.data?.asOf ?? null);
  return (
    <Stack gap="xs">
      {asOf !== null && (
        <Text size="sm" c="dimmed">
          {said.asked} <Time at={asOf} isExact />
        </Text>
      )}
      <DataTable
        label={said.floats}
        columns={columns}
        rows={floats.data?.rows}
        rowKey={({ provider, currency }) => `${provider} ${currency}`}
        error={floats.error}
        onRetry={() => void floats.refetch()}
        empty={
          <EmptyState icon="ledger" title={said.none}>
            {said.noneHint}
          </EmptyState>
        }
      />
    </Stack>
  );
}

function useColumns(): readonly Column<Float>[] {
  const said = useWords(WORDS);
  return useMemo(() => {
    const amount = (of: (float: Float) => string | null, missing: string) => (float: Float) => {
      const text = of(float);
      return text === null ? missing : <Money amount={text} currency={float.currency} />;
    };
    return [
      {
        id: 'provider',
        header: said.provider,
        isHeading: true,
        sortBy: ({ provider }) => provider,
        cell: ({ provider }) => <ProviderName code={provider} />,
      },
      {
        id: 'operator',
        header: said.operator,
        align: 'end',
        onPhone: 'below',
        cell: amount((one) => one.operator, said.silent),
      },
      {
        id: 'books',
        header: said.books,
        align: 'end',
        onPhone: 'below',
        cell: amount((one) => one.books, said.unread),
      },
      {
        id: 'difference',
        header: said.difference,
        align: 'end',
        onPhone: 'below',
        cell: amount((one) => one.difference, ''),
      },
      {
        id: 'unexplained',
        header: said.unexplained,
        align: 'end',
        onPhone: 'below',
        cell: amount((one) => one.unexplained, ''),
      },
      {
        id: 'min',
        header: said.min,
        align: 'end',
        onPhone: 'below',
        cell: (float) =>
          float.min !== null && (
            <Stack gap={2} align="flex-end">
              {amount((one) => one.min, '')(float)}
              {float.isBelowMin && (
                <StateBadge state="BELOW" tone="trouble">
                  {said.below}
                </StateBadge>
              )}
            </Stack>
          ),
      },
    ];
  }, [said]);
}

const WORDS = words({
  en: {
    floats: 'Float at operators',
    asked: 'Updated',
    provider: 'Provider',
    operator: 'Operator balance',
    books: 'Our balance',
    difference: 'Difference',
    unexplained: 'Unexplained',
    min: 'Minimum',
    below: 'Below minimum',
    silent: 'Not available',
    unread: 'Not available',
    none: 'No operator balances yet',
    noneHint: 'Workers read them every few minutes.',
  },
  fr: {
    floats: 'Fonds chez les opérateurs',
    asked: 'Mis à jour le',
    provider: 'Opérateur',
    operator: 'Solde opérateur',
    books: 'Notre solde',
    difference: 'Différence',
    unexplained: 'Écart inexpliqué',
    min: 'Minimum',
    below: 'Sous le minimum',
    silent: 'Non disponible',
    unread: 'Non disponible',
    none: 'Aucun solde d’opérateur',
    noneHint: 'Les processus de travail les lisent toutes les quelques minutes.',
  },
});
