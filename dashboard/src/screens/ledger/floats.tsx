import { Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import type { AnswerOf } from '../../api/client.ts';
import { reading } from '../../api/queries.ts';
import { useWords, words } from '../../language.tsx';
import { DataTable, type Column } from '../../parts/data-table.tsx';
import { EmptyState } from '../../parts/empty-state.tsx';
import { Money } from '../../parts/money.tsx';
import { StateBadge } from '../../parts/state-badge.tsx';
import { Time } from '../../parts/time.tsx';

type Float = AnswerOf<'readFloats'>['rows'][number];

/** What operators say they hold for us, beside what our books say. */
export function Floats() {
  const said = useWords(WORDS);
  const floats = useQuery({ ...reading('/console/api/host/floats', {}), refetchInterval: 30_000 });
  const columns = useColumns();
  const asOf = floats.data?.rows.length === 0 ? null : (floats.data?.asOf ?? null);
  return (
    <Stack gap="xs">
      {asOf !== null && (
        <Text size="sm" c="dimmed">
          {said.asked} <Time at={asOf} />
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
        cell: ({ provider }) => provider,
      },
      {
        id: 'operator',
        header: said.operator,
        align: 'end',
        cell: amount((one) => one.operator, said.silent),
      },
      { id: 'books', header: said.books, align: 'end', cell: amount((one) => one.books, said.unread) },
      { id: 'difference', header: said.difference, align: 'end', cell: amount((one) => one.difference, '') },
      {
        id: 'unexplained',
        header: said.unexplained,
        align: 'end',
        cell: amount((one) => one.unexplained, ''),
      },
      {
        id: 'min',
        header: said.min,
        align: 'end',
        cell: (float) => (
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
    floats: 'Money at operators',
    asked: 'Operators were asked',
    provider: 'Provider',
    operator: 'They say',
    books: 'Our books',
    difference: 'Difference',
    unexplained: 'Not in flight',
    min: 'Wanted',
    below: 'too little',
    silent: 'does not tell',
    unread: 'not added up yet',
    none: 'Operators were not asked yet',
    noneHint: 'Workers ask every few minutes, once the books were added up.',
  },
  fr: {
    floats: 'Argent chez les opérateurs',
    asked: 'Opérateurs interrogés',
    provider: 'Opérateur',
    operator: 'Ils disent',
    books: 'Nos livres',
    difference: 'Différence',
    unexplained: 'Hors transit',
    min: 'Souhaité',
    below: 'trop peu',
    silent: 'ne dit rien',
    unread: 'pas encore additionné',
    none: 'Les opérateurs n’ont pas encore été interrogés',
    noneHint: 'Ils le sont toutes les quelques minutes, une fois les livres additionnés.',
  },
});
