import { Anchor, Group, Text } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { useEffect, useMemo } from 'react';
import { reading } from '../../api/queries.ts';
import { useWords, words } from '../../language.tsx';
import { useMerchant } from '../../me.ts';
import { useCursor } from '../../parts/cursor.ts';
import { DataTable, type Column } from '../../parts/data-table.tsx';
import { EmptyState } from '../../parts/empty-state.tsx';
import { Money } from '../../parts/money.tsx';
import { Page } from '../../parts/page.tsx';
import { StateBadge } from '../../parts/state-badge.tsx';
import { Time } from '../../parts/time.tsx';
import { FilterBar } from './filter-bar.tsx';
import { countFilters, toQuery, type Filters } from './filters.ts';
import { ONE_OF_KIND, STATE_WORDS, type Summary } from './payment-words.ts';
import { ReplayButton } from './replay-button.tsx';

export function PaymentsScreen() {
  const said = useWords(WORDS);
  const { merchantId, may } = useMerchant();
  const filters = useSearch({ from: '/signed-in/m/$merchantId/payments' });
  const navigate = useNavigate();
  const narrow = (next: Filters) =>
    void navigate({ to: '/m/$merchantId/payments', params: { merchantId }, search: next });
  return (
    <Page title={said.title} hint={said.hint} actions={may('callbacks:resend') && <ReplayButton />}>
      <FilterBar filters={filters} onChange={narrow} />
      <PaymentTable filters={filters} />
    </Page>
  );
}

function PaymentTable({ filters }: { readonly filters: Filters }) {
  const said = useWords(WORDS);
  const { merchantId } = useMerchant();
  const navigate = useNavigate();
  const columns = useColumns();
  const { cursor, pagingOf, restart } = useCursor();
  // Another list begins at its top. What is shown stays until the new one is there, so that nothing jumps.
  const list = JSON.stringify([merchantId, filters]);
  useEffect(restart, [list]);
  const query = { ...toQuery(filters), ...(cursor === undefined ? {} : { cursor }) };
  const payments = useQuery({
    ...reading('/console/api/merchants/{merchantId}/payments', { params: { path: { merchantId }, query } }),
    placeholderData: keepPreviousData,
  });
  const isNarrowed = filters.search !== undefined || countFilters(filters) > 0;
  return (
    <DataTable
      label={said.title}
      columns={columns}
      rows={payments.data?.payments}
      rowKey={({ kind, paymentId }) => `${kind} ${paymentId}`}
      onOpen={({ kind, paymentId }) =>
        void navigate({
          to: '/m/$merchantId/payments/$kind/$paymentId',
          params: { merchantId, kind, paymentId },
        })
      }
      paging={pagingOf(payments.data?.next ?? null)}
      error={payments.error}
      onRetry={() => void payments.refetch()}
      skeletonRows={12}
      empty={
        <EmptyState icon={isNarrowed ? 'search' : 'payments'} title={isNarrowed ? said.nothing : said.none}>
          {isNarrowed ? said.nothingHint : said.noneHint}
        </EmptyState>
      }
    />
  );
}

function useColumns(): readonly Column<Summary>[] {
  const said = useWords(WORDS);
  const kinds = useWords(ONE_OF_KIND);
  const states = useWords(STATE_WORDS);
  const { merchantId } = useMerchant();
  return useMemo(
    (): readonly Column<Summary>[] => [
      {
        id: 'payment',
        header: said.payment,
        isHeading: true,
        cell: ({ kind, paymentId }) => (
          <Group gap="xs" wrap="nowrap">
            <Anchor
              renderRoot={(props) => (
                <Link
                  {...props}
                  to="/m/$merchantId/payments/$kind/$paymentId"
                  params={{ merchantId, kind, paymentId }}
                />
              )}
            >
              {kinds[kind]}
            </Anchor>
            <Text span c="dimmed" ff="monospace" fz="xs">
              {paymentId.slice(0, 8)}
            </Text>
          </Group>
        ),
      },
      {
        id: 'state',
        header: said.state,
        cell: ({ state }) => <StateBadge state={state}>{states[state]}</StateBadge>,
      },
      {
        id: 'amount',
        header: said.amount,
        align: 'end',
        cell: ({ amount, currency }) => <Money amount={amount} currency={currency} />,
      },
      { id: 'provider', header: said.provider, cell: ({ provider }) => provider },
      {
        id: 'phone',
        header: said.phone,
        cell: ({ phoneNumber }) => <span className="figures">{phoneNumber}</span>,
      },
      { id: 'reference', header: said.reference, cell: ({ clientReferenceId }) => clientReferenceId ?? '' },
      { id: 'created', header: said.created, cell: ({ createdAt }) => <Time at={createdAt} isExact /> },
    ],
    [said, kinds, states, merchantId],
  );
}

const WORDS = words({
  en: {
    title: 'Payments',
    hint: 'All kinds, the newest first.',
    payment: 'Payment',
    state: 'State',
    amount: 'Amount',
    provider: 'Provider',
    phone: 'Phone number',
    reference: 'Your reference',
    created: 'Created',
    none: 'No payments yet',
    noneHint: 'They appear here as soon as your server, or a payment page, has started one.',
    nothing: 'No payment like this',
    nothingHint:
      'A search finds whole values only: an identifier, a reference, a phone number, a value of the metadata. Check ' +
      'it for missing letters, or take filters away.',
  },
  fr: {
    title: 'Paiements',
    hint: 'De tous les types, le plus récent d’abord.',
    payment: 'Paiement',
    state: 'État',
    amount: 'Montant',
    provider: 'Opérateur',
    phone: 'Numéro',
    reference: 'Votre référence',
    created: 'Créé',
    none: 'Pas encore de paiement',
    noneHint: 'Ils apparaissent ici dès que votre serveur, ou une page de paiement, en a lancé un.',
    nothing: 'Aucun paiement de ce genre',
    nothingHint:
      'La recherche ne trouve que des valeurs entières : un identifiant, une référence, un numéro, une valeur ' +
      'des métadonnées. Vérifiez qu’il ne manque rien, ou retirez des filtres.',
  },
});
