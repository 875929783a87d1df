import { Alert, Button, Group, Skeleton, Stack, Text } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import type { AnswerOf } from '../../api/client.ts';
import { reading } from '../../api/queries.ts';
import { useWords, words } from '../../language.tsx';
import { CountryName } from '../../parts/country-name.tsx';
import { DataTable, type Column } from '../../parts/data-table.tsx';
import { EmptyState } from '../../parts/empty-state.tsx';
import { useNames } from '../../parts/names.tsx';
import { Icon } from '../../parts/icon.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { Money } from '../../parts/money.tsx';
import { Section } from '../../parts/page.tsx';
import { StateBadge } from '../../parts/state-badge.tsx';
import { Time } from '../../parts/time.tsx';
import { ACCOUNT_WORDS } from './account-words.ts';

type Books = AnswerOf<'readTrialBalance'>;

const LAST = reading('/console/api/host/trial-balance', {});
const AGAIN = reading('/console/api/host/trial-balance', { params: { query: { again: 'true' } } });

/** The balance of every type of account, and of each currency, which must be zero. */
export function TrialBalance() {
  const client = useQueryClient();
  const [isAdding, setIsAdding] = useState(false);
  const books = useQuery(LAST);
  const addUp = async () => {
    setIsAdding(true);
    try {
      const fresh = await client.fetchQuery({ ...AGAIN, staleTime: 0 });
      client.setQueryData(LAST.queryKey, fresh);
    } finally {
      setIsAdding(false);
    }
  };
  return (
    <Loaded query={books} skeleton={<Skeleton height={420} />}>
      {(data) => (
        <Stack gap="lg">
          <Verdict books={data} isAdding={isAdding} onAdd={() => void addUp()} />
          <Totals books={data} />
          <Rows books={data} />
        </Stack>
      )}
    </Loaded>
  );
}

type VerdictProps = { readonly books: Books; readonly isAdding: boolean; readonly onAdd: () => void };

function Verdict({ books, isAdding, onAdd }: VerdictProps) {
  const said = useWords(WORDS);
  const { isSound, unbalancedWallets, asOf } = books;
  return (
    <Alert
      variant="light"
      color={isSound ? 'teal' : 'red'}
      title={isSound ? said.sound : said.wrong}
      icon={<Icon name={isSound ? 'check' : 'trouble'} />}
    >
      <Group justify="space-between" gap="sm">
        <Text size="sm">
          {said.added} <Time at={asOf} isExact />. {unbalancedWallets > 0 && said.wallets(unbalancedWallets)}
        </Text>
        <Button
          variant="default"
          size="xs"
          loading={isAdding}
          leftSection={<Icon name="refresh" sizePx={14} />}
          onClick={onAdd}
        >
          {said.again}
        </Button>
      </Group>
    </Alert>
  );
}

function Totals({ books }: { readonly books: Books }) {
  const said = useWords(WORDS);
  const columns = useMemo(
    (): readonly Column<Books['totals'][number]>[] => [
      { id: 'currency', header: said.currency, isHeading: true, cell: ({ currency }) => currency },
      {
        id: 'total',
        header: said.total,
        align: 'end',
        cell: ({ total, currency }) => <Money amount={total} currency={currency} isStrong />,
      },
      {
        id: 'verdict',
        header: said.verdict,
        onPhone: 'plain',
        cell: ({ total }) => (
          <StateBadge
            state={total === '0' ? 'BALANCED' : 'WRONG'}
            tone={total === '0' ? 'success' : 'failure'}
          >
            {total === '0' ? said.balanced : said.notBalanced}
          </StateBadge>
        ),
      },
    ],
    [said],
  );
  return (
    <Section title={said.totals}>
      <DataTable
        label={said.totals}
        columns={columns}
        rows={books.totals}
        rowKey={({ currency }) => currency}
        empty={<EmptyState icon="ledger" title={said.none} />}
      />
    </Section>
  );
}

function Rows({ books }: { readonly books: Books }) {
  const said = useWords(WORDS);
  const types = useWords(ACCOUNT_WORDS);
  const names = useNames();
  const columns = useMemo(
    (): readonly Column<Books['rows'][number]>[] => [
      {
        id: 'type',
        header: said.account,
        isHeading: true,
        sortBy: ({ type }) => types[type] ?? type,
        cell: ({ type }) => types[type] ?? type,
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
        id: 'currency',
        header: said.currency,
        sortBy: ({ currency }) => currency,
        onPhone: 'hidden',
        cell: ({ currency }) => currency,
      },
      {
        id: 'balance',
        header: said.balance,
        align: 'end',
        cell: ({ balance, currency }) => <Money amount={balance} currency={currency} />,
      },
    ],
    [said, types, names],
  );
  return (
    <Section title={said.accounts}>
      <DataTable
        label={said.accounts}
        columns={columns}
        rows={books.rows}
        rowKey={({ type, country, currency, provider }) => [type, country, currency, provider].join()}
        empty={<EmptyState icon="ledger" title={said.none} />}
      />
    </Section>
  );
}

const WORDS = words({
  en: {
    sound: 'The ledger balances',
    wrong: 'The ledger does not balance',
    added: 'Calculated',
    again: 'Recalculate',
    wallets: (count: number) =>
      `${count} ${count === 1 ? 'wallet differs' : 'wallets differ'} from the sum of transfers.`,
    totals: 'Currencies',
    accounts: 'By account',
    currency: 'Currency',
    total: 'Total',
    verdict: 'Status',
    balanced: 'Balanced',
    notBalanced: 'Not balanced',
    account: 'Account',
    place: 'Country or provider',
    balance: 'Balance',
    none: 'No transfers yet',
  },
  fr: {
    sound: 'La comptabilité est équilibrée',
    wrong: 'La comptabilité n’est pas équilibrée',
    added: 'Calculé le',
    again: 'Recalculer',
    wallets: (count: number) =>
      `${count} ${count < 2 ? 'portefeuille diffère' : 'portefeuilles diffèrent'} de la somme des transferts.`,
    totals: 'Devises',
    accounts: 'Par compte',
    currency: 'Devise',
    total: 'Total',
    verdict: 'Statut',
    balanced: 'Équilibré',
    notBalanced: 'Non équilibré',
    account: 'Compte',
    place: 'Pays ou opérateur',
    balance: 'Solde',
    none: 'Aucun transfert',
  },
});
