import { Anchor, Button, Group } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useMemo, useState } from 'react';
import type { AnswerOf } from '../../api/client.ts';
import { reading } from '../../api/queries.ts';
import { useWords, words } from '../../language.tsx';
import { useMerchant } from '../../me.ts';
import { CountryName } from '../../parts/country-name.tsx';
import { DataTable, type Column } from '../../parts/data-table.tsx';
import { EmptyState } from '../../parts/empty-state.tsx';
import { Money } from '../../parts/money.tsx';
import { Page } from '../../parts/page.tsx';
import { SmallCode, useNames } from '../../parts/names.tsx';
import { isEmpty, walletCode, walletLabel } from '../../parts/wallet-name.ts';

type Wallet = AnswerOf<'listWallets'>['wallets'][number];

export function WalletsScreen() {
  const said = useWords(WORDS);
  const { merchantId } = useMerchant();
  const wallets = useQuery(
    reading('/console/api/merchants/{merchantId}/wallets', { params: { path: { merchantId } } }),
  );
  const [isAll, setAll] = useState(false);
  const all = wallets.data?.wallets;
  const filled = all?.filter((wallet) => !isEmpty(wallet));
  const emptyCount = (all?.length ?? 0) - (filled?.length ?? 0);
  const columns = useColumns(merchantId);
  return (
    <Page title={said.title} hint={said.hint}>
      <DataTable
        label={said.title}
        columns={columns}
        rows={isAll || filled?.length === 0 ? all : filled}
        rowKey={walletCode}
        skeletonRows={3}
        error={wallets.error}
        onRetry={() => void wallets.refetch()}
        empty={
          <EmptyState icon="wallet" title={said.none}>
            {said.noneHint}
          </EmptyState>
        }
      />
      {emptyCount > 0 && filled?.length !== 0 && (
        <Group>
          <Button variant="subtle" size="xs" onClick={() => setAll(!isAll)}>
            {isAll ? said.hide : said.show(emptyCount)}
          </Button>
        </Group>
      )}
    </Page>
  );
}

function addressOf(merchantId: string, wallet: Wallet): string {
  return `/m/${merchantId}/wallets/${walletCode(wallet)}`;
}

function useColumns(merchantId: string): readonly Column<Wallet>[] {
  const said = useWords(WORDS);
  const names = useNames();
  return useMemo(
    () => [
      {
        id: 'wallet',
        header: said.wallet,
        isHeading: true,
        sortBy: (wallet) => walletLabel(wallet, names),
        cell: (wallet) => (
          <>
            <Anchor component={Link} to={addressOf(merchantId, wallet)} inherit>
              <CountryName code={wallet.country}>{walletLabel(wallet, names)}</CountryName>
            </Anchor>
            <SmallCode>{walletCode(wallet)}</SmallCode>
          </>
        ),
      },
      {
        id: 'available',
        header: said.available,
        align: 'end',
        cell: ({ available, currency }) => <Money amount={available} currency={currency} isStrong />,
      },
      {
        id: 'held',
        header: said.held,
        align: 'end',
        cell: ({ held, currency }) => <Money amount={held} currency={currency} />,
      },
    ],
    [said, names, merchantId],
  );
}

const WORDS = words({
  en: {
    title: 'Wallets',
    hint: 'Available balances. Pending payouts are reserved until they finish.',
    wallet: 'Wallet',
    available: 'Available',
    held: 'Reserved',
    none: 'No wallets yet',
    noneHint: 'A wallet appears when a provider of its country is enabled for you.',
    show: (count: number) => `Show ${count} empty wallets`,
    hide: 'Hide empty wallets',
  },
  fr: {
    title: 'Portefeuilles',
    hint: 'Soldes disponibles. Les versements en cours restent réservés jusqu’à leur fin.',
    wallet: 'Portefeuille',
    available: 'Disponible',
    held: 'Réservé',
    none: 'Aucun portefeuille pour le moment',
    noneHint: 'Un portefeuille apparaît quand un opérateur de son pays est activé pour vous.',
    show: (count: number) => `Afficher ${count} portefeuilles vides`,
    hide: 'Masquer les portefeuilles vides',
  },
});
