import { Group, Stack, Text } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import type { AnswerOf } from '../../api/client.ts';
import { reading } from '../../api/queries.ts';
import { useWords, words } from '../../language.tsx';
import { useHost } from '../../me.ts';
import { Copied } from '../../parts/copied.tsx';
import { useCursor } from '../../parts/cursor.ts';
import { DataTable, type Column } from '../../parts/data-table.tsx';
import { EmptyState } from '../../parts/empty-state.tsx';
import { useNames } from '../../parts/names.tsx';
import { Money } from '../../parts/money.tsx';
import { useDetailText } from '../../parts/payment-event-words.ts';
import { PaymentLink } from '../../parts/payment-link.tsx';
import { Time } from '../../parts/time.tsx';
import { HistoryButton } from './history-button.tsx';
import { ResolveButton } from './resolve-button.tsx';

export type Unresolved = AnswerOf<'listUnclearPayments'>['rows'][number];

/** Payments whose operator gave no clear result, the oldest first. */
export function UnresolvedPayments() {
  const said = useWords(WORDS);
  const { may } = useHost();
  const { cursor, pagingOf } = useCursor();
  const payments = useQuery({
    ...reading('/console/api/host/unclear-payments', {
      params: { query: cursor === undefined ? {} : { cursor } },
    }),
    placeholderData: keepPreviousData,
  });
  const columns = useColumns(may('cases:resolve'));
  return (
    <DataTable
      label={said.label}
      columns={columns}
      rows={payments.data?.rows}
      rowKey={({ merchantId, kind, paymentId }) => [merchantId, kind, paymentId].join()}
      paging={pagingOf(payments.data?.next ?? null)}
      error={payments.error}
      onRetry={() => void payments.refetch()}
      empty={
        <EmptyState icon="check" title={said.none}>
          {said.noneHint}
        </EmptyState>
      }
    />
  );
}

function useColumns(mayResolve: boolean): readonly Column<Unresolved>[] {
  const said = useWords(WORDS);
  const names = useNames();
  return useMemo(
    () => [
      {
        id: 'payment',
        header: said.payment,
        isHeading: true,
        cell: (payment) => (
          <Stack gap={0} align="flex-start">
            <PaymentLink payment={payment} />
            <Copied value={payment.paymentId} short={payment.paymentId.slice(0, 8)} />
          </Stack>
        ),
      },
      {
        id: 'merchant',
        header: said.merchant,
        onPhone: 'plain',
        cell: ({ merchant, provider }) => (
          <Stack gap={0}>
            <span>{merchant}</span>
            <Text component="span" size="xs" c="dimmed">
              {names.provider(provider)}
            </Text>
          </Stack>
        ),
      },
      {
        id: 'amount',
        header: said.amount,
        align: 'end',
        cell: ({ amount, currency }) => <Money amount={amount} currency={currency} />,
      },
      { id: 'since', header: said.since, cell: ({ createdAt }) => <Time at={createdAt} /> },
      { id: 'told', header: said.told, onPhone: 'plain', cell: (payment) => <Told payment={payment} /> },
      ...(mayResolve ? [{ id: 'acts', header: said.acts, isActions: true, cell: renderActs }] : []),
    ],
    [said, names, mayResolve],
  );
}

function renderActs(payment: Unresolved) {
  return (
    <Group gap="xs" wrap="nowrap">
      <HistoryButton payment={payment} />
      <ResolveButton payment={payment} />
    </Group>
  );
}

function Told({ payment }: { readonly payment: Unresolved }) {
  const said = useWords(WORDS);
  const detailText = useDetailText();
  const { lastSaid, nextEnquiryAt, openCases } = payment;
  return (
    <Stack gap={0} fz="sm" style={{ overflowWrap: 'anywhere' }}>
      <span>{lastSaid === null ? said.nothing : detailText(lastSaid)}</span>
      {openCases.length > 0 && <span>{said.openCase}</span>}
      {nextEnquiryAt !== null && (
        <Text component="span" inherit c="dimmed">
          {said.next} <Time at={nextEnquiryAt} />
        </Text>
      )}
    </Stack>
  );
}

const WORDS = words({
  en: {
    label: 'Payments with unknown outcome',
    payment: 'Payment',
    merchant: 'Merchant',
    amount: 'Amount',
    since: 'Created',
    told: 'Last operator response',
    nothing: 'None yet',
    openCase: 'A case is open.',
    next: 'Next status check',
    acts: 'Actions',
    none: 'No payments with unknown outcome',
    noneHint: 'A payment is listed here when its operator gives no clear result in time.',
  },
  fr: {
    label: 'Paiements à l’issue inconnue',
    payment: 'Paiement',
    merchant: 'Marchand',
    amount: 'Montant',
    since: 'Créé',
    told: 'Dernière réponse de l’opérateur',
    nothing: 'Aucune',
    openCase: 'Un dossier est ouvert.',
    next: 'Prochaine vérification',
    acts: 'Actions',
    none: 'Aucun paiement à l’issue inconnue',
    noneHint: 'Un paiement apparaît ici quand son opérateur ne donne pas de résultat clair à temps.',
  },
});
