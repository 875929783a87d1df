import { Button, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import type { AnswerOf } from '../../api/client.ts';
import { useLanguage, useWords, words } from '../../language.tsx';
import { DataTable, type Column } from '../../parts/data-table.tsx';
import { KIND_WORDS } from '../../parts/kind-words.ts';
import { groupDigits, Money } from '../../parts/money.tsx';
import { useTimeZone } from '../../parts/time-zone.ts';
import { toQuery, type Filters } from './filters.ts';
import { paymentTotals, type ListOwner } from './payment-calls.ts';

type Total = NonNullable<AnswerOf<'totalPayments'>['totals']>[number];

type TotalsProps = { readonly owner: ListOwner; readonly filters: Filters };

/** Added up when somebody asks for it: it reads every payment that is found. */
export function Totals({ owner, filters }: TotalsProps) {
  const said = useWords(WORDS);
  const [isOpen, { toggle }] = useDisclosure();
  return (
    <Stack gap="xs" align="stretch">
      <Button
        variant="subtle"
        size="compact-sm"
        aria-expanded={isOpen}
        onClick={toggle}
        style={{ alignSelf: 'flex-start' }}
      >
        {isOpen ? said.hide : said.show}
      </Button>
      {isOpen && <TotalTable owner={owner} filters={filters} />}
    </Stack>
  );
}

function TotalTable({ owner, filters }: TotalsProps) {
  const said = useWords(WORDS);
  const timeZone = useTimeZone();
  const { language } = useLanguage();
  const columns = useColumns();
  const totals = useQuery({
    ...paymentTotals(owner, toQuery(filters, timeZone)),
    placeholderData: keepPreviousData,
  });
  if (totals.data?.totals === null) {
    return <Text size="sm">{said.more(groupDigits(String(totals.data.countMax), language))}</Text>;
  }
  return (
    <DataTable
      label={said.label}
      columns={columns}
      rows={totals.data?.totals}
      rowKey={({ kind, currency }) => `${kind} ${currency}`}
      error={totals.error}
      onRetry={() => void totals.refetch()}
      skeletonRows={2}
      empty={
        <Text size="sm" p="sm">
          {said.none}
        </Text>
      }
    />
  );
}

function useColumns(): readonly Column<Total>[] {
  const said = useWords(WORDS);
  const kinds = useWords(KIND_WORDS);
  const { language } = useLanguage();
  return useMemo(
    (): readonly Column<Total>[] => [
      {
        id: 'kind',
        header: said.kind,
        isHeading: true,
        cell: ({ kind, currency }) => `${kinds[kind]} (${currency})`,
      },
      {
        id: 'count',
        header: said.count,
        align: 'end',
        cell: ({ count }) => <span className="figures">{groupDigits(String(count), language)}</span>,
      },
      {
        id: 'amount',
        header: said.amount,
        align: 'end',
        onPhone: 'end',
        cell: ({ amount, currency }) => <Money amount={amount} currency={currency} />,
      },
      {
        id: 'completed',
        header: said.completed,
        align: 'end',
        cell: ({ completedCount, completedAmount, currency }) => (
          <span>
            <Money amount={completedAmount} currency={currency} />{' '}
            <Text span c="dimmed" size="xs">
              ({groupDigits(String(completedCount), language)})
            </Text>
          </span>
        ),
      },
      {
        id: 'fees',
        header: said.fees,
        align: 'end',
        cell: ({ completedFees, currency }) => <Money amount={completedFees} currency={currency} />,
      },
    ],
    [said, kinds, language],
  );
}

const WORDS = words({
  en: {
    show: 'Show totals',
    hide: 'Hide totals',
    label: 'Totals',
    kind: 'Type',
    count: 'Payments',
    amount: 'Amount',
    completed: 'Completed',
    fees: 'Fees (completed)',
    none: 'No payments to add up.',
    more: (count: string) =>
      `More than ${count} payments. Choose a shorter period or more filters to see totals.`,
  },
  fr: {
    show: 'Afficher les totaux',
    hide: 'Masquer les totaux',
    label: 'Totaux',
    kind: 'Type',
    count: 'Paiements',
    amount: 'Montant',
    completed: 'Réussis',
    fees: 'Frais (réussis)',
    none: 'Aucun paiement à additionner.',
    more: (count: string) =>
      `Plus de ${count} paiements. Choisissez une période plus courte ou d’autres filtres pour voir les totaux.`,
  },
});
