import { Box, Button, Stack } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useEffect, useMemo } from 'react';
import { useWords, words } from '../../language.tsx';
import { useCursor } from '../../parts/cursor.ts';
import { DataTable, type Column } from '../../parts/data-table.tsx';
import { EmptyState } from '../../parts/empty-state.tsx';
import { Money } from '../../parts/money.tsx';
import { ProviderName, SmallCode } from '../../parts/names.tsx';
import { PaymentLink } from '../../parts/payment-link.tsx';
import { StateBadge } from '../../parts/state-badge.tsx';
import { Time } from '../../parts/time.tsx';
import { STATE_WORDS } from '../../parts/state-words.ts';
import { FilterBar } from './filter-bar.tsx';
import { useTimeZone, zoneName } from '../../parts/time-zone.ts';
import { countFilters, toQuery, type Filters } from './filters.ts';
import { paymentPage, type ListedPayment, type ListOwner } from './payment-calls.ts';
import { Totals } from './totals.tsx';

type PaymentListProps = {
  readonly owner: ListOwner;
  readonly filters: Filters;
  readonly onFilter: (filters: Filters) => void;
};

/** Payments, what they are narrowed by, and what they add up to. */
export function PaymentList({ owner, filters, onFilter }: PaymentListProps) {
  return (
    <Stack gap="sm">
      <FilterBar owner={owner} filters={filters} onChange={onFilter} />
      <Totals owner={owner} filters={filters} />
      <PaymentTable owner={owner} filters={filters} onFilter={onFilter} />
    </Stack>
  );
}

function PaymentTable({ owner, filters, onFilter }: PaymentListProps) {
  const said = useWords(WORDS);
  const timeZone = useTimeZone();
  const columns = useColumns(owner);
  const { cursor, pagingOf, restart } = useCursor();
  // Another list begins at its top. What is shown stays until the new one is there, so that nothing jumps.
  const list = JSON.stringify([owner, filters]);
  useEffect(restart, [list]);
  const query = { ...toQuery(filters, timeZone), ...(cursor === undefined ? {} : { cursor }) };
  const payments = useQuery({ ...paymentPage(owner, query), placeholderData: keepPreviousData });
  const isNarrowed = filters.search !== undefined || countFilters(filters) > 0;
  return (
    <DataTable
      label={said.title}
      columns={columns}
      rows={payments.data?.payments}
      rowKey={({ merchantId, kind, paymentId }) => `${merchantId} ${kind} ${paymentId}`}
      paging={pagingOf(payments.data?.next ?? null)}
      error={payments.error}
      onRetry={() => void payments.refetch()}
      skeletonRows={12}
      empty={
        <EmptyState
          icon={isNarrowed ? 'search' : 'payments'}
          title={isNarrowed ? said.nothing : said.none}
          action={
            isNarrowed && (
              <Button variant="default" onClick={() => onFilter({})}>
                {said.clear}
              </Button>
            )
          }
        >
          {isNarrowed ? said.nothingHint : said.noneHint}
        </EmptyState>
      }
    />
  );
}

function useColumns(owner: ListOwner): readonly Column<ListedPayment>[] {
  const said = useWords(WORDS);
  const states = useWords(STATE_WORDS);
  const zone = zoneName(useTimeZone());
  return useMemo((): readonly Column<ListedPayment>[] => {
    const payment: Column<ListedPayment> = {
      id: 'payment',
      header: said.payment,
      isHeading: true,
      cell: (one) => (
        <Box component="span" display="inline-block">
          <PaymentLink payment={one} />
          <SmallCode>{one.paymentId.slice(0, 8)}</SmallCode>
        </Box>
      ),
    };
    const merchant: Column<ListedPayment> = {
      id: 'merchant',
      header: said.merchant,
      onPhone: 'plain',
      cell: (one) => one.merchant ?? '',
    };
    return [
      payment,
      ...(owner === null ? [merchant] : []),
      {
        id: 'state',
        header: said.state,
        onPhone: 'plain',
        cell: ({ state }) => <StateBadge state={state}>{states[state]}</StateBadge>,
      },
      {
        id: 'amount',
        header: said.amount,
        align: 'end',
        cell: ({ amount, currency }) => <Money amount={amount} currency={currency} />,
      },
      {
        id: 'provider',
        header: said.provider,
        onPhone: 'plain',
        cell: ({ provider }) => <ProviderName code={provider} />,
      },
      {
        id: 'phone',
        header: said.phone,
        onPhone: 'plain',
        cell: ({ phoneNumber }) => <span className="figures">{phoneNumber}</span>,
      },
      {
        id: 'reference',
        header: owner === null ? said.reference : said.yourReference,
        onPhone: 'plain',
        cell: ({ clientReferenceId }) =>
          clientReferenceId !== null && <span style={{ overflowWrap: 'anywhere' }}>{clientReferenceId}</span>,
      },
      {
        id: 'created',
        header: said.created(zone),
        onPhone: 'plain',
        cell: ({ createdAt }) => <Time at={createdAt} isExact isZoneNamed />,
      },
    ];
  }, [said, states, zone, owner]);
}

const WORDS = words({
  en: {
    title: 'Payments',
    payment: 'Payment',
    merchant: 'Merchant',
    state: 'Status',
    amount: 'Amount',
    provider: 'Provider',
    phone: 'Phone',
    reference: 'Reference',
    yourReference: 'Your reference',
    created: (zone: string) => `Created (${zone})`,
    none: 'No payments yet',
    noneHint: 'Payments appear here when a server or a payment page creates them.',
    nothing: 'No matching payments',
    nothingHint:
      'Enter a payment ID (or its first 8 characters), a full reference, phone number or metadata value, or clear ' +
      'the filters.',
    clear: 'Clear filters',
  },
  fr: {
    title: 'Paiements',
    payment: 'Paiement',
    merchant: 'Marchand',
    state: 'Statut',
    amount: 'Montant',
    provider: 'Opérateur',
    phone: 'Numéro',
    reference: 'Référence',
    yourReference: 'Votre référence',
    created: (zone: string) => `Créé (${zone})`,
    none: 'Aucun paiement pour le moment',
    noneHint: 'Les paiements apparaissent ici dès qu’un serveur ou une page de paiement en crée.',
    nothing: 'Aucun paiement correspondant',
    nothingHint:
      'Saisissez un identifiant de paiement (ou ses 8 premiers caractères), une référence, un numéro ou une valeur ' +
      'de métadonnées en entier, ou effacez les filtres.',
    clear: 'Effacer les filtres',
  },
});
