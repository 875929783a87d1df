import { Anchor, Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useMemo, useState } from 'react';
import type { AnswerOf } from '../../api/client.ts';
import { reading } from '../../api/queries.ts';
import { useWords, words } from '../../language.tsx';
import { CountryName } from '../../parts/country-name.tsx';
import { DataTable, type Column } from '../../parts/data-table.tsx';
import { EmptyState } from '../../parts/empty-state.tsx';
import { useNames } from '../../parts/names.tsx';
import { MerchantSelect, type ChosenMerchant } from '../../parts/merchant-select.tsx';
import { Money } from '../../parts/money.tsx';
import { ACCOUNT_WORDS } from './account-words.ts';

type Account = AnswerOf<'listAccounts'>['rows'][number];

const SCREEN = '/host/ledger/accounts/$accountId';

/** The platform's accounts, or those of a merchant. */
export function Accounts() {
  const said = useWords(WORDS);
  const [merchant, setMerchant] = useState<ChosenMerchant | null>(null);
  const query = merchant === null ? {} : { merchantId: merchant.merchantId };
  const accounts = useQuery(reading('/console/api/host/accounts', { params: { query } }));
  const columns = useColumns();
  return (
    <Stack gap="sm">
      <MerchantSelect chosen={merchant} onChange={setMerchant} all={said.platform} />
      <DataTable
        label={said.accounts}
        columns={columns}
        rows={accounts.data?.rows}
        rowKey={({ accountId }) => accountId}
        error={accounts.error}
        onRetry={() => void accounts.refetch()}
        empty={
          <EmptyState icon="ledger" title={said.none}>
            {said.noneHint}
          </EmptyState>
        }
      />
    </Stack>
  );
}

function useColumns(): readonly Column<Account>[] {
  const said = useWords(WORDS);
  const types = useWords(ACCOUNT_WORDS);
  const names = useNames();
  return useMemo(
    () => [
      {
        id: 'type',
        header: said.account,
        isHeading: true,
        sortBy: ({ type }) => types[type] ?? type,
        cell: ({ type, accountId }) => (
          <Anchor inherit renderRoot={(props) => <Link {...props} to={SCREEN} params={{ accountId }} />}>
            {types[type] ?? type}
          </Anchor>
        ),
      },
      {
        id: 'place',
        header: said.place,
        sortBy: ({ country, provider }) => `${country} ${provider ?? ''}`,
        onPhone: 'plain',
        cell: ({ country, provider }) => (
          <CountryName code={country}>{provider === null ? null : names.provider(provider)}</CountryName>
        ),
      },
      {
        id: 'balance',
        header: said.balance,
        align: 'end',
        cell: ({ balance, currency }) => <Money amount={balance} currency={currency} />,
      },
      {
        id: 'held',
        header: said.held,
        align: 'end',
        cell: ({ held, currency }) => (held === null ? '' : <Money amount={held} currency={currency} />),
      },
    ],
    [said, types, names],
  );
}

const WORDS = words({
  en: {
    accounts: 'Accounts',
    platform: 'Platform',
    account: 'Account',
    place: 'Country or provider',
    balance: 'Balance',
    held: 'Reserved',
    none: 'No accounts yet',
    noneHint: 'An account is created with its first transfer.',
  },
  fr: {
    accounts: 'Comptes',
    platform: 'La plateforme',
    account: 'Compte',
    place: 'Pays ou opérateur',
    balance: 'Solde',
    held: 'Réservé',
    none: 'Aucun compte',
    noneHint: 'Un compte est créé avec son premier transfert.',
  },
});
