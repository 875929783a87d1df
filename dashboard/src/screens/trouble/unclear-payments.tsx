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
import { KIND_WORDS } from '../../parts/kind-words.ts';
import { Money } from '../../parts/money.tsx';
import { Time } from '../../parts/time.tsx';
import { EndButton } from './end-button.tsx';
import { EvidenceButton } from './evidence-button.tsx';

export type Unclear = AnswerOf<'listUnclearPayments'>['rows'][number];

/** Payments whose operator says nothing clear, the oldest first. */
export function UnclearPayments() {
  const said = useWords(WORDS);
  const { may } = useHost();
  const { cursor, pagingOf } = useCursor();
  const unclear = useQuery({
    ...reading('/console/api/host/unclear-payments', {
      params: { query: cursor === undefined ? {} : { cursor } },
    }),
    placeholderData: keepPreviousData,
  });
  const columns = useColumns(may('cases:resolve'));
  return (
    <DataTable
      label={said.unclear}
      columns={columns}
      rows={unclear.data?.rows}
      rowKey={({ merchantId, kind, paymentId }) => [merchantId, kind, paymentId].join()}
      paging={{ ...pagingOf(unclear.data?.next ?? null), isTimeless: true }}
      error={unclear.error}
      onRetry={() => void unclear.refetch()}
      empty={
        <EmptyState icon="check" title={said.none}>
          {said.noneHint}
        </EmptyState>
      }
    />
  );
}

function useColumns(mayResolve: boolean): readonly Column<Unclear>[] {
  const said = useWords(WORDS);
  const kinds = useWords(KIND_WORDS);
  return useMemo(
    () => [
      {
        id: 'payment',
        header: said.payment,
        isHeading: true,
        cell: ({ kind, paymentId }) => (
          <Stack gap={0}>
            <span>{kinds[kind]}</span>
            <Copied value={paymentId} short={paymentId.slice(0, 8)} />
          </Stack>
        ),
      },
      {
        id: 'merchant',
        header: said.merchant,
        cell: ({ merchant, provider }) => (
          <Stack gap={0}>
            <span>{merchant}</span>
            <Text component="span" size="xs" c="dimmed">
              {provider}
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
      { id: 'told', header: said.told, cell: (payment) => <Told payment={payment} /> },
      ...(mayResolve ? [{ id: 'acts', header: said.acts, isActions: true, cell: renderActs }] : []),
    ],
    [said, kinds, mayResolve],
  );
}

function renderActs(payment: Unclear) {
  return (
    <Group gap="xs" wrap="nowrap">
      <EvidenceButton payment={payment} />
      <EndButton payment={payment} />
    </Group>
  );
}

function Told({ payment }: { readonly payment: Unclear }) {
  const said = useWords(WORDS);
  const { lastSaid, nextEnquiryAt, openCases } = payment;
  return (
    <Stack gap={0} fz="sm" style={{ overflowWrap: 'anywhere' }}>
      <span>{lastSaid?.replaceAll('_', ' ').toLowerCase() ?? said.nothing}</span>
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
    unclear: 'Payments in reconciliation',
    payment: 'Payment',
    merchant: 'Merchant',
    amount: 'Amount',
    since: 'Since',
    told: 'The operator said',
    nothing: 'nothing yet',
    openCase: 'A case is open.',
    next: 'Asked again',
    acts: 'Find out and end',
    none: 'Every payment has a clear answer',
    noneHint: 'A payment whose operator says nothing clear in its time appears here, with what it said.',
  },
  fr: {
    unclear: 'Paiements en réconciliation',
    payment: 'Paiement',
    merchant: 'Marchand',
    amount: 'Montant',
    since: 'Depuis',
    told: 'L’opérateur a dit',
    nothing: 'rien encore',
    openCase: 'Un litige est ouvert.',
    next: 'Redemandé',
    acts: 'Vérifier et clore',
    none: 'Chaque paiement a une réponse claire',
    noneHint: 'Un paiement sans réponse claire de l’opérateur apparaît ici, avec ce qui a été dit.',
  },
});
