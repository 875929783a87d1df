import { Group, Text } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { reading } from '../../api/queries.ts';
import { useWords, words } from '../../language.tsx';
import { useMerchant } from '../../me.ts';
import { useCursor } from '../../parts/cursor.ts';
import { DataTable, type Column } from '../../parts/data-table.tsx';
import { EmptyState } from '../../parts/empty-state.tsx';
import { Masked } from '../../parts/masked.tsx';
import { Money } from '../../parts/money.tsx';
import { StateBadge } from '../../parts/state-badge.tsx';
import type { BatchRow } from './batch-words.ts';

const LOOK_AGAIN_MS = 4_000;

type BatchRowsProps = { readonly batchId: string; readonly isMoving: boolean };

export function BatchRows({ batchId, isMoving }: BatchRowsProps) {
  const said = useWords(WORDS);
  const { merchantId } = useMerchant();
  const { cursor, pagingOf } = useCursor();
  const rows = useQuery({
    ...reading('/console/api/merchants/{merchantId}/payout-batches/{batchId}/rows', {
      params: { path: { merchantId, batchId }, query: cursor === undefined ? {} : { cursor } },
    }),
    placeholderData: keepPreviousData,
    refetchInterval: isMoving ? LOOK_AGAIN_MS : false,
  });
  const columns = useMemo(
    (): readonly Column<BatchRow>[] => [
      {
        id: 'number',
        header: said.number,
        isHeading: true,
        cell: ({ row, phoneNumber }) => <Recipient row={row} phoneNumber={phoneNumber} />,
      },
      {
        id: 'amount',
        header: said.amount,
        align: 'end',
        cell: ({ amount, currency }) => <Money amount={amount} currency={currency} />,
      },
      { id: 'provider', header: said.provider, cell: ({ provider }) => provider },
      { id: 'reference', header: said.reference, cell: ({ clientReferenceId }) => clientReferenceId ?? '' },
      {
        id: 'status',
        header: said.status,
        cell: (row) => <RowState row={row} />,
      },
    ],
    [said],
  );
  return (
    <DataTable
      label={said.label}
      columns={columns}
      rows={rows.data?.rows}
      rowKey={({ payoutId }) => payoutId}
      error={rows.error}
      onRetry={() => void rows.refetch()}
      paging={pagingOf(rows.data?.next ?? null)}
      empty={<EmptyState icon="payouts" title={said.none} />}
    />
  );
}

function Recipient({ row, phoneNumber }: Pick<BatchRow, 'row' | 'phoneNumber'>) {
  return (
    <Group gap="xs" wrap="nowrap">
      <Text component="span" inherit c="dimmed" fw={400} className="figures" miw="2.5em">
        {row}
      </Text>
      <Masked masked={phoneNumber} />
    </Group>
  );
}

/** The state of the payout, once it is one, and why it ended where it failed. */
function RowState({ row: { state, status, failureCode } }: { readonly row: BatchRow }) {
  return (
    <Group gap="xs">
      <StateBadge state={state ?? status} />
      {failureCode !== null && (
        <Text component="span" size="xs" c="dimmed">
          {failureCode}
        </Text>
      )}
    </Group>
  );
}

const WORDS = words({
  en: {
    label: 'Payouts of this batch',
    number: 'Row and phone number',
    amount: 'Amount',
    provider: 'Provider',
    reference: 'Reference',
    status: 'Status',
    none: 'No payouts',
  },
  fr: {
    label: 'Versements de ce lot',
    number: 'Ligne et numéro',
    amount: 'Montant',
    provider: 'Opérateur',
    reference: 'Référence',
    status: 'État',
    none: 'Aucun versement',
  },
});
