import { Text } from '@mantine/core';
import { useMemo } from 'react';
import { useLanguage, useWords, words } from '../../language.tsx';
import { DataTable, type Column } from '../../parts/data-table.tsx';
import { EmptyState } from '../../parts/empty-state.tsx';
import { groupDigits, Money } from '../../parts/money.tsx';
import { useNames } from '../../parts/names.tsx';
import type { Batch } from './batch-words.ts';

type Sum = Batch['wallets'][number];

/** What payouts take from which wallet, and what is there. */
export function WalletSums({ wallets }: { readonly wallets: readonly Sum[] }) {
  const said = useWords(WORDS);
  const { language } = useLanguage();
  const names = useNames();
  const columns = useMemo(
    (): readonly Column<Sum>[] => [
      {
        id: 'wallet',
        header: said.wallet,
        isHeading: true,
        cell: ({ country, currency, provider }) =>
          [
            `${names.country(country)} (${currency})`,
            ...(provider === null ? [] : [names.provider(provider)]),
          ].join(' · '),
      },
      {
        id: 'count',
        header: said.count,
        align: 'end',
        cell: ({ count }) => groupDigits(String(count), language),
      },
      {
        id: 'amount',
        header: said.amount,
        align: 'end',
        onPhone: 'end',
        cell: ({ amount, currency }) => <Money amount={amount} currency={currency} isStrong />,
      },
      {
        id: 'fee',
        header: said.fee,
        align: 'end',
        cell: ({ fee, currency }) => <Money amount={fee} currency={currency} />,
      },
      {
        id: 'available',
        header: said.available,
        align: 'end',
        cell: ({ available, currency }) => (
          <Text component="span" inherit c="dimmed">
            <Money amount={available} currency={currency} />
          </Text>
        ),
      },
    ],
    [said, language, names],
  );
  return (
    <DataTable
      label={said.label}
      columns={columns}
      rows={wallets}
      rowKey={({ country, currency, provider }) => `${country} ${currency} ${provider}`}
      empty={<EmptyState icon="wallet" title={said.none} />}
    />
  );
}

const WORDS = words({
  en: {
    label: 'Totals by wallet',
    wallet: 'Wallet',
    count: 'Payouts',
    amount: 'Amount',
    fee: 'Fees',
    available: 'Available now',
    none: 'No payouts',
  },
  fr: {
    label: 'Totaux par portefeuille',
    wallet: 'Portefeuille',
    count: 'Versements',
    amount: 'Montant',
    fee: 'Frais',
    available: 'Disponible maintenant',
    none: 'Aucun versement',
  },
});
