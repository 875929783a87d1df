import { Anchor } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { reading } from '../../api/queries.ts';
import { useWords, words } from '../../language.tsx';
import { useCursor } from '../../parts/cursor.ts';
import { FieldList } from '../../parts/field-list.tsx';
import { useNames } from '../../parts/names.tsx';
import { Money } from '../../parts/money.tsx';
import { Page } from '../../parts/page.tsx';
import { ACCOUNT_WORDS } from './account-words.ts';
import { MovementTable } from './movement-table.tsx';

/** One account, and what moved on it. */
export function LedgerAccountScreen() {
  const { accountId = '' } = useParams({ strict: false });
  const said = useWords(WORDS);
  const types = useWords(ACCOUNT_WORDS);
  const names = useNames();
  const { cursor, pagingOf } = useCursor();
  const movements = useQuery({
    ...reading('/console/api/host/accounts/{accountId}/movements', {
      params: { path: { accountId }, query: cursor === undefined ? {} : { cursor } },
    }),
    placeholderData: keepPreviousData,
  });
  const account = movements.data?.account;
  return (
    <Page
      title={account === undefined ? said.account : (types[account.type] ?? account.type)}
      hint={
        <Anchor inherit renderRoot={(props) => <Link {...props} to="/host/ledger" />}>
          {said.ledger}
        </Anchor>
      }
    >
      {account !== undefined && (
        <FieldList
          fields={[
            { label: said.owner, value: account.merchant ?? said.platform },
            {
              label: said.where,
              value:
                account.provider === null ? names.country(account.country) : names.provider(account.provider),
            },
            {
              label: said.balance,
              value: <Money amount={account.balance} currency={account.currency} isStrong />,
            },
            {
              label: said.held,
              value:
                account.held === null ? null : <Money amount={account.held} currency={account.currency} />,
            },
          ]}
        />
      )}
      <MovementTable
        rows={movements.data?.rows}
        paging={pagingOf(movements.data?.next ?? null)}
        error={movements.error}
        onRetry={() => void movements.refetch()}
      />
    </Page>
  );
}

const WORDS = words({
  en: {
    account: 'Account',
    ledger: 'Ledger',
    owner: 'Owner',
    platform: 'Platform',
    where: 'Country or provider',
    balance: 'Balance',
    held: 'Reserved',
  },
  fr: {
    account: 'Compte',
    ledger: 'Comptabilité',
    owner: 'Propriétaire',
    platform: 'La plateforme',
    where: 'Pays ou opérateur',
    balance: 'Solde',
    held: 'Réservé',
  },
});
