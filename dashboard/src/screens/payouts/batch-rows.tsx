import { Button, Group, Stack, Text } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { useAct } from '../../api/acts.ts';
import { answer, api, type AnswerOf } from '../../api/client.ts';
import { reading } from '../../api/queries.ts';
import { useWords, words } from '../../language.tsx';
import { useMerchant } from '../../me.ts';
import { useCursor } from '../../parts/cursor.ts';
import { DataTable, type Column } from '../../parts/data-table.tsx';
import { EmptyState } from '../../parts/empty-state.tsx';
import { FAILED_PAYMENT_WORDS } from '../../parts/failed-payment-words.ts';
import { Masked } from '../../parts/masked.tsx';
import { Money } from '../../parts/money.tsx';
import { ProviderName } from '../../parts/names.tsx';
import { PaymentLink } from '../../parts/payment-link.tsx';
import { StateBadge } from '../../parts/state-badge.tsx';
import { STATE_WORDS, stateName } from '../../parts/state-words.ts';
import type { Batch, BatchRow } from './batch-words.ts';
import { HolderLine, type Holder } from './holder.tsx';
import { useHolders } from './use-holders.ts';

const LOOK_AGAIN_MS = 4_000;

type BatchRowsProps = { readonly batch: Batch; readonly isMoving: boolean };

export function BatchRows({ batch, isMoving }: BatchRowsProps) {
  const { batchId, status } = batch;
  const said = useWords(WORDS);
  const { merchantId, may } = useMerchant();
  const { cursor, pagingOf } = useCursor();
  const path = { merchantId, batchId };
  const page = cursor === undefined ? {} : { cursor };
  const rows = useQuery({
    ...reading('/console/api/merchants/{merchantId}/payout-batches/{batchId}/rows', {
      params: { path, query: page },
    }),
    placeholderData: keepPreviousData,
    refetchInterval: isMoving ? LOOK_AGAIN_MS : false,
  });
  // By payout: another page must be asked for again, and nothing is kept after the screen.
  const [revealed, setRevealed] = useState<ReadonlyMap<string, BatchRow>>(new Map());
  const reveal = useAct({
    act: () =>
      answer(
        api.POST('/console/api/merchants/{merchantId}/payout-batches/{batchId}/rows/reveal', {
          params: { path },
          body: page,
        }),
      ) as Promise<AnswerOf<'listPayoutBatchRows'>>,
    done: said.revealed,
    onDone: (shown) =>
      setRevealed(new Map([...revealed, ...shown.rows.map((row) => [row.payoutId, row] as const)])),
  });
  const { holders, check } = useHolders(batchId);
  const unchecked = rows.data?.rows.filter(({ payoutId }) => !holders.has(payoutId)) ?? [];
  const isHidden = rows.data?.rows.some(({ payoutId }) => !revealed.has(payoutId)) === true;
  const columns = useMemo(
    (): readonly Column<BatchRow>[] => [
      {
        id: 'number',
        header: said.number,
        isHeading: true,
        cell: (row) => (
          <Recipient row={row} shown={revealed.get(row.payoutId)} holder={holders.get(row.payoutId)} />
        ),
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
      { id: 'reference', header: said.reference, cell: ({ clientReferenceId }) => clientReferenceId ?? '' },
      {
        id: 'status',
        header: said.status,
        onPhone: 'plain',
        cell: (row) => <RowState row={row} />,
      },
    ],
    [said, revealed, holders],
  );
  return (
    <Stack gap="xs">
      <Group gap="xs">
        {may('payments:reveal') && isHidden && (
          <Button
            size="xs"
            variant="default"
            loading={reveal.isPending}
            onClick={() => reveal.mutate(undefined)}
          >
            {said.reveal}
          </Button>
        )}
        {may('payouts:prepare') && status === 'WAITING' && unchecked.length > 0 && (
          <Button
            size="xs"
            variant="default"
            loading={check.isPending}
            onClick={() => check.mutate(unchecked)}
          >
            {said.check}
          </Button>
        )}
      </Group>
      {holders.size > 0 && (
        <Text c="dimmed" size="sm">
          {said.checkHint}
        </Text>
      )}
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
    </Stack>
  );
}

type RecipientProps = {
  readonly row: BatchRow;
  readonly shown: BatchRow | undefined;
  readonly holder: Holder | undefined;
};

/** The name, where the file has it, and the number: masked, unless somebody asked for it. A payout can be opened. */
function Recipient({ row, shown, holder }: RecipientProps) {
  const { merchantId } = useMerchant();
  const { recipientName } = shown ?? row;
  const number =
    shown === undefined ? (
      <Masked masked={row.phoneNumber} />
    ) : (
      <span className="figures">{shown.phoneNumber}</span>
    );
  return (
    <Group gap="xs" wrap="nowrap" align="flex-start">
      <Text component="span" inherit c="dimmed" fw={400} className="figures" miw="2.5em">
        {row.row}
      </Text>
      <Stack gap={0}>
        {recipientName !== null && <span style={{ overflowWrap: 'anywhere' }}>{recipientName}</span>}
        {row.state === null ? (
          number
        ) : (
          <PaymentLink payment={{ merchantId, kind: 'PAYOUT', paymentId: row.payoutId }}>
            {number}
          </PaymentLink>
        )}
        {holder !== undefined && <HolderLine holder={holder} />}
      </Stack>
    </Group>
  );
}

/** The status of the payout, once it is one, and why it failed. */
function RowState({ row: { state, status, failureCode } }: { readonly row: BatchRow }) {
  const { statuses } = useWords(WORDS);
  const states = useWords(STATE_WORDS);
  const failures = useWords(FAILED_PAYMENT_WORDS);
  const shown = state ?? status;
  return (
    <Group gap="xs">
      <StateBadge state={shown}>{statuses[shown] ?? stateName(shown, states)}</StateBadge>
      {failureCode !== null && (
        <Text component="span" size="xs" c="dimmed">
          {failures[failureCode] ?? failureCode}
        </Text>
      )}
    </Group>
  );
}

type Words = Readonly<
  Record<'label' | 'number' | 'amount' | 'provider' | 'reference' | 'status' | 'none', string> &
    Record<'reveal' | 'revealed' | 'check' | 'checkHint', string>
> & {
  /** Of a row before it is a payout. */
  readonly statuses: Readonly<Record<string, string>>;
};

const WORDS = words<Words>({
  en: {
    label: 'Payouts of this batch',
    number: 'Recipient',
    amount: 'Amount',
    provider: 'Provider',
    reference: 'Reference',
    status: 'Status',
    none: 'No payouts',
    reveal: 'Show phone numbers',
    check: 'Check account holders',
    checkHint:
      'Operators show the first letters of names. What is not known or not active does not stop a payout.',
    revealed: 'Personal data shown. This was recorded in the audit log.',
    statuses: {
      WAITING: 'Not sent',
      CLAIMED: 'Sending',
      REJECTED: 'Rejected',
      CANCELLED: 'Not sent',
    },
  },
  fr: {
    label: 'Versements de ce lot',
    number: 'Bénéficiaire',
    amount: 'Montant',
    provider: 'Opérateur',
    reference: 'Référence',
    status: 'Statut',
    none: 'Aucun versement',
    reveal: 'Afficher les numéros',
    check: 'Vérifier les titulaires',
    checkHint:
      'Les opérateurs donnent les premières lettres des noms. Un titulaire inconnu ou inactif n’empêche pas le ' +
      'versement.',
    revealed: 'Données personnelles affichées. Cela a été enregistré dans le journal d’audit.',
    statuses: {
      WAITING: 'Non envoyé',
      CLAIMED: 'Envoi en cours',
      REJECTED: 'Rejeté',
      CANCELLED: 'Non envoyé',
    },
  },
});
