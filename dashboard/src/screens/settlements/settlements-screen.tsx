import { Stack, Tabs, Text } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { answer, api } from '../../api/client.ts';
import { reading } from '../../api/queries.ts';
import { useWords, words } from '../../language.tsx';
import { useHost } from '../../me.ts';
import { WaitingApprovals } from '../../parts/approval-list.tsx';
import { useCursor } from '../../parts/cursor.ts';
import { CountryName } from '../../parts/country-name.tsx';
import { DataTable, type Column } from '../../parts/data-table.tsx';
import { EmptyState } from '../../parts/empty-state.tsx';
import { Masked } from '../../parts/masked.tsx';
import { Money } from '../../parts/money.tsx';
import { useNames } from '../../parts/names.tsx';
import { Page } from '../../parts/page.tsx';
import { Time } from '../../parts/time.tsx';
import { walletLabel } from '../../parts/wallet-name.ts';
import { Decide, type HostSettlement } from './decide.tsx';
import { Outcome } from './outcome.tsx';
import { Stops } from './stops.tsx';

type Status = 'REQUESTED' | 'DECIDED';

const KINDS = ['SETTLEMENT'] as const;

export function SettlementsScreen() {
  const t = useWords(WORDS);
  return (
    <Page title={t.title} hint={t.hint}>
      <Tabs defaultValue="REQUESTED" keepMounted={false}>
        <Tabs.List mb="sm">
          <Tabs.Tab value="REQUESTED">{t.REQUESTED}</Tabs.Tab>
          <Tabs.Tab value="DECIDED">{t.DECIDED}</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="REQUESTED">
          <Stack gap="lg">
            <Settlements status="REQUESTED" />
            <WaitingApprovals kinds={KINDS} />
          </Stack>
        </Tabs.Panel>
        <Tabs.Panel value="DECIDED">
          <Settlements status="DECIDED" />
        </Tabs.Panel>
      </Tabs>
    </Page>
  );
}

function Settlements({ status }: { readonly status: Status }) {
  const t = useWords(WORDS);
  const { cursor, pagingOf } = useCursor();
  const settlements = useQuery({
    ...reading('/console/api/host/settlements', {
      params: { query: { status, ...(cursor === undefined ? {} : { cursor }) } },
    }),
    placeholderData: keepPreviousData,
  });
  const columns = useColumns(status);
  return (
    <DataTable
      label={t[status]}
      columns={columns}
      rows={settlements.data?.rows}
      rowKey={({ settlementId }) => settlementId}
      skeletonRows={3}
      paging={pagingOf(settlements.data?.next ?? null)}
      error={settlements.error}
      onRetry={() => void settlements.refetch()}
      empty={
        <EmptyState icon="payouts" title={t.none}>
          {t.noneHint}
        </EmptyState>
      }
    />
  );
}

function useColumns(status: Status): readonly Column<HostSettlement>[] {
  const t = useWords(WORDS);
  const names = useNames();
  const { may } = useHost();
  const mayMove = may('money:move');
  return useMemo(
    () => [
      {
        id: 'merchant',
        header: t.merchant,
        isHeading: true,
        cell: ({ merchant, requestedAt, ...settlement }) => (
          <Stack gap={0}>
            <span>{merchant}</span>
            <Text component="span" size="xs" c="dimmed">
              <CountryName code={settlement.country}>{walletLabel(settlement, names)}</CountryName> ·{' '}
              <Time at={requestedAt} />
            </Text>
          </Stack>
        ),
      },
      {
        id: 'amount',
        header: t.amount,
        align: 'end',
        cell: ({ amount, currency }) => <Money amount={amount} currency={currency} />,
      },
      {
        id: 'bank',
        header: t.bank,
        onPhone: 'plain',
        cell: ({ bank, number, settlementId }) => (
          <Stack gap={0} style={{ overflowWrap: 'anywhere' }}>
            <span>{bank}</span>
            {mayMove ? <Masked masked={number} reveal={() => accountOf(settlementId)} /> : number}
          </Stack>
        ),
      },
      ...(status === 'REQUESTED'
        ? [
            {
              id: 'stops',
              header: t.stops,
              cell: (settlement: HostSettlement) => <Stops settlement={settlement} />,
            },
          ]
        : []),
      ...(status === 'DECIDED'
        ? [
            {
              id: 'status',
              header: t.status,
              cell: (settlement: HostSettlement) => <Outcome settlement={settlement} />,
            },
          ]
        : []),
      ...(status === 'REQUESTED' && mayMove
        ? [
            {
              id: 'acts',
              header: t.acts,
              isActions: true,
              cell: (settlement: HostSettlement) => <Decide settlement={settlement} />,
            },
          ]
        : []),
    ],
    [t, names, mayMove, status],
  );
}

/** The whole account, for the person who pays. */
async function accountOf(settlementId: string): Promise<string> {
  const { holder, number } = await answer(
    api.POST('/console/api/host/settlements/{settlementId}/account', { params: { path: { settlementId } } }),
  );
  return `${number} · ${holder}`;
}

const WORDS = words({
  en: {
    title: 'Settlements',
    hint: 'Pay what may be paid at the bank first, then record the bank’s reference. Another person approves.',
    REQUESTED: 'Requested',
    DECIDED: 'Decided',
    merchant: 'Merchant and wallet',
    amount: 'Amount',
    bank: 'Bank account',
    stops: 'Pay now?',
    status: 'Status',
    acts: 'Actions',
    none: 'No settlements',
    noneHint: 'Merchants request them from their registered bank account.',
  },
  fr: {
    title: 'Règlements',
    hint: 'Payez d’abord ce qui peut l’être, puis saisissez la référence bancaire. Une autre personne approuve.',
    REQUESTED: 'Demandés',
    DECIDED: 'Décidés',
    merchant: 'Marchand et portefeuille',
    amount: 'Montant',
    bank: 'Compte bancaire',
    stops: 'Payer maintenant ?',
    status: 'Statut',
    acts: 'Actions',
    none: 'Aucun règlement',
    noneHint: 'Les marchands les demandent vers leur compte bancaire enregistré.',
  },
});
