import { Text } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import type { AnswerOf } from '../../api/client.ts';
import { reading } from '../../api/queries.ts';
import { useWords, words } from '../../language.tsx';
import { useMerchant } from '../../me.ts';
import { useCursor } from '../../parts/cursor.ts';
import { CountryName } from '../../parts/country-name.tsx';
import { DataTable, type Column } from '../../parts/data-table.tsx';
import { EmptyState } from '../../parts/empty-state.tsx';
import { Money } from '../../parts/money.tsx';
import { useNames } from '../../parts/names.tsx';
import { Page, Section } from '../../parts/page.tsx';
import { Time } from '../../parts/time.tsx';
import { walletLabel } from '../../parts/wallet-name.ts';
import { BankAccounts } from './bank-accounts.tsx';
import { Outcome } from './outcome.tsx';
import { RequestButton } from './request-button.tsx';

type Settlement = AnswerOf<'listMerchantSettlements'>['rows'][number];

export function SettlementScreen() {
  const t = useWords(WORDS);
  const { may } = useMerchant();
  return (
    <Page title={t.title} hint={t.hint} actions={may('payouts:prepare') && <RequestButton />}>
      <BankAccounts />
      <Settlements />
    </Page>
  );
}

function Settlements() {
  const t = useWords(WORDS);
  const { merchantId } = useMerchant();
  const { cursor, pagingOf } = useCursor();
  const settlements = useQuery({
    ...reading('/console/api/merchants/{merchantId}/settlements', {
      params: { path: { merchantId }, query: cursor === undefined ? {} : { cursor } },
    }),
    placeholderData: keepPreviousData,
  });
  const columns = useColumns();
  return (
    <Section title={t.requests}>
      <DataTable
        label={t.requests}
        columns={columns}
        rows={settlements.data?.rows}
        rowKey={({ settlementId }) => settlementId}
        skeletonRows={2}
        paging={pagingOf(settlements.data?.next ?? null)}
        error={settlements.error}
        onRetry={() => void settlements.refetch()}
        empty={
          <EmptyState icon="merchants" title={t.none}>
            {t.noneHint}
          </EmptyState>
        }
      />
    </Section>
  );
}

function useColumns(): readonly Column<Settlement>[] {
  const t = useWords(WORDS);
  const names = useNames();
  return useMemo(
    () => [
      {
        id: 'requested',
        header: t.requested,
        isHeading: true,
        cell: ({ requestedAt, requestedBy }) => (
          <>
            <Time at={requestedAt} />
            <Text size="xs" c="dimmed">
              {requestedBy}
            </Text>
          </>
        ),
      },
      {
        id: 'wallet',
        header: t.wallet,
        cell: (settlement) => (
          <CountryName code={settlement.country}>{walletLabel(settlement, names)}</CountryName>
        ),
      },
      { id: 'bank', header: t.bank, cell: ({ bank, number }) => `${bank} ${number}` },
      {
        id: 'amount',
        header: t.amount,
        align: 'end',
        cell: ({ amount, currency }) => <Money amount={amount} currency={currency} />,
      },
      { id: 'status', header: t.status, cell: (settlement) => <Outcome settlement={settlement} /> },
    ],
    [t, names],
  );
}

const WORDS = words({
  en: {
    title: 'Settlement',
    hint: 'Money of your wallets to your bank. What you request is reserved until the platform has paid it.',
    requests: 'Requests',
    requested: 'Requested',
    wallet: 'Wallet',
    bank: 'Bank account',
    amount: 'Amount',
    status: 'Status',
    none: 'No settlements yet',
    noneHint: 'Register a bank account, wait for the end of its cooling-off, then request a settlement.',
  },
  fr: {
    title: 'Règlement',
    hint:
      'L’argent de vos portefeuilles vers votre banque. Le montant demandé reste réservé jusqu’au paiement par la ' +
      'plateforme.',
    requests: 'Demandes',
    requested: 'Demandé',
    wallet: 'Portefeuille',
    bank: 'Compte bancaire',
    amount: 'Montant',
    status: 'Statut',
    none: 'Aucun règlement pour le moment',
    noneHint:
      'Enregistrez un compte bancaire, attendez la fin du délai de précaution, puis demandez un règlement.',
  },
});
