import { Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import type { AnswerOf } from '../../api/client.ts';
import { reading } from '../../api/queries.ts';
import { useWords, words } from '../../language.tsx';
import { useHost } from '../../me.ts';
import { Copied } from '../../parts/copied.tsx';
import { DataTable, type Column } from '../../parts/data-table.tsx';
import { EmptyState } from '../../parts/empty-state.tsx';
import { BEARER_WORDS } from '../../parts/lost-payment-words.ts';
import { Money } from '../../parts/money.tsx';
import { useNames } from '../../parts/names.tsx';
import { Time } from '../../parts/time.tsx';
import { DecideLostButton } from './decide-lost-button.tsx';

export type LostPayment = AnswerOf<'listLostPayments'>['rows'][number];
type Decided = AnswerOf<'listLostPayments'>['decided'][number];

/** Payments that a restore lost and no merchant has sent again, and what people decided about others. */
export function LostPayments() {
  const said = useWords(WORDS);
  const { may } = useHost();
  const lost = useQuery(reading('/console/api/host/lost-payments', {}));
  const columns = useLostColumns(may('money:move'));
  const decidedColumns = useDecidedColumns();
  const decided = lost.data?.decided ?? [];
  return (
    <Stack>
      <DataTable
        label={said.label}
        columns={columns}
        rows={lost.data?.rows}
        rowKey={({ provider, reference, direction }) => [provider, reference, direction].join()}
        error={lost.error}
        onRetry={() => void lost.refetch()}
        empty={
          <EmptyState icon="check" title={said.none}>
            {said.noneHint}
          </EmptyState>
        }
      />
      {decided.length > 0 && (
        <>
          <Title order={2} size="h4">
            {said.decided}
          </Title>
          <DataTable
            label={said.decided}
            columns={decidedColumns}
            rows={decided}
            rowKey={({ provider, reference, direction }) => [provider, reference, direction].join()}
            empty={null}
          />
        </>
      )}
    </Stack>
  );
}

type Shared = Pick<
  LostPayment,
  'reference' | 'provider' | 'direction' | 'amount' | 'currency' | 'occurredAt'
>;

function usePaymentColumns<Row extends Shared>(): readonly Column<Row>[] {
  const said = useWords(WORDS);
  const names = useNames();
  return useMemo(
    () => [
      {
        id: 'reference',
        header: said.reference,
        isHeading: true,
        cell: ({ reference }) => <Copied value={reference} short={reference.slice(0, 12)} />,
      },
      {
        id: 'provider',
        header: said.provider,
        onPhone: 'plain',
        cell: ({ provider, direction }) => (
          <Stack gap={0}>
            <span>{names.provider(provider)}</span>
            <Text component="span" size="xs" c="dimmed">
              {said[direction]}
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
      { id: 'at', header: said.at, cell: ({ occurredAt }) => <Time at={occurredAt} /> },
    ],
    [said, names],
  );
}

function useLostColumns(mayDecide: boolean): readonly Column<LostPayment>[] {
  const said = useWords(WORDS);
  const shared = usePaymentColumns<LostPayment>();
  return useMemo(
    () => [
      ...shared,
      { id: 'status', header: said.status, cell: (lost) => said[statusOf(lost)] },
      ...(mayDecide
        ? [
            {
              id: 'acts',
              header: said.acts,
              isActions: true,
              cell: (lost: LostPayment) =>
                statusOf(lost) === 'standing' ? <DecideLostButton lost={lost} /> : null,
            },
          ]
        : []),
    ],
    [said, shared, mayDecide],
  );
}

function statusOf({ isStanding, isRequested }: LostPayment): 'standing' | 'requested' | 'unapproved' {
  if (!isStanding) return 'unapproved';
  return isRequested ? 'requested' : 'standing';
}

function useDecidedColumns(): readonly Column<Decided>[] {
  const said = useWords(WORDS);
  const bearers = useWords(BEARER_WORDS);
  const shared = usePaymentColumns<Decided>();
  return useMemo(
    () => [
      ...shared,
      {
        id: 'bearer',
        header: said.bearer,
        onPhone: 'plain',
        cell: ({ bearer, bearerMerchant, bearerMerchantId, direction }) =>
          bearerMerchant ?? bearerMerchantId ?? bearers[bearer](direction),
      },
      { id: 'decidedAt', header: said.decidedAt, cell: ({ decidedAt }) => <Time at={decidedAt} /> },
      {
        id: 'back',
        header: said.back,
        onPhone: 'plain',
        cell: ({ postedBackAt, merchantId, bearerMerchantId }) =>
          postedBackAt === null ? null : (
            <Stack gap={0}>
              <Time at={postedBackAt} />
              {bearerMerchantId !== null && merchantId !== bearerMerchantId && (
                <Text component="span" size="xs" c="red">
                  {said.wrong}
                </Text>
              )}
            </Stack>
          ),
      },
    ],
    [said, bearers, shared],
  );
}

const WORDS = words({
  en: {
    label: 'Lost payments',
    reference: 'Reference',
    provider: 'Provider',
    IN: 'To us',
    OUT: 'From us',
    amount: 'Amount',
    at: 'Moved',
    status: 'Status',
    standing: 'Its merchant can send it again; or decide whose it is.',
    requested: 'A decision is pending approval.',
    unapproved: 'The report that names it is pending approval.',
    acts: 'Actions',
    decided: 'Decided',
    bearer: 'Whose it is',
    decidedAt: 'Decided',
    back: 'Sent again, posted back',
    wrong: 'It belongs to another merchant. Correct the wallet by a manual transfer.',
    none: 'No lost payments',
    noneHint:
      'After a restore, payments are listed here that an operator’s report names and no merchant has sent again.',
  },
  fr: {
    label: 'Paiements perdus',
    reference: 'Référence',
    provider: 'Fournisseur',
    IN: 'Reçu',
    OUT: 'Envoyé',
    amount: 'Montant',
    at: 'Exécuté',
    status: 'Statut',
    standing: 'Son marchand peut le renvoyer ; ou décidez à qui il est.',
    requested: 'Une décision attend une approbation.',
    unapproved: 'Le relevé qui le nomme attend une approbation.',
    acts: 'Actions',
    decided: 'Décidés',
    bearer: 'À qui il est',
    decidedAt: 'Décidé',
    back: 'Renvoyé, contrepassé',
    wrong: 'Il est à un autre marchand. Corrigez le portefeuille par un mouvement manuel.',
    none: 'Aucun paiement perdu',
    noneHint:
      'Après une restauration, les paiements qu’un relevé d’opérateur nomme et qu’aucun marchand n’a renvoyés ' +
      'apparaissent ici.',
  },
});
