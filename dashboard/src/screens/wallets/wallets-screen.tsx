import { Anchor, Button, Group } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { useMemo, useState } from 'react';
import type { AnswerOf } from '../../api/client.ts';
import { reading } from '../../api/queries.ts';
import { useWords, words } from '../../language.tsx';
import { useMerchant } from '../../me.ts';
import { DataTable, type Column } from '../../parts/data-table.tsx';
import { EmptyState } from '../../parts/empty-state.tsx';
import { Money } from '../../parts/money.tsx';
import { Page } from '../../parts/page.tsx';
import { isEmpty, walletCode, walletLabel } from '../../parts/wallet-name.ts';

type Wallet = AnswerOf<'listWallets'>['wallets'][number];

export function WalletsScreen() {
  const said = useWords(WORDS);
  const { merchantId } = useMerchant();
  const navigate = useNavigate();
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
        onOpen={(wallet) => void navigate({ to: addressOf(merchantId, wallet) })}
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
  return useMemo(
    () => [
      {
        id: 'wallet',
        header: said.wallet,
        isHeading: true,
        sortBy: walletLabel,
        cell: (wallet) => (
          <Anchor component={Link} to={addressOf(merchantId, wallet)} inherit>
            {walletLabel(wallet)}
          </Anchor>
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
    [said, merchantId],
  );
}

const WORDS = words({
  en: {
    title: 'Wallets',
    hint: 'What you have. Payments under way hold what they will take until they end.',
    wallet: 'Wallet',
    available: 'Available',
    held: 'Held',
    none: 'There are no wallets yet',
    noneHint: 'A wallet is there as soon as a provider of its country is activated for you.',
    show: (count: number) => `Show ${count} empty wallets`,
    hide: 'Hide empty wallets',
  },
  fr: {
    title: 'Portefeuilles',
    hint: 'Ce que vous avez. Les paiements en cours réservent ce qu’ils prendront jusqu’à leur fin.',
    wallet: 'Portefeuille',
    available: 'Disponible',
    held: 'Réservé',
    none: 'Il n’y a pas encore de portefeuille',
    noneHint: 'Un portefeuille existe dès qu’un opérateur de son pays est activé pour vous.',
    show: (count: number) => `Afficher ${count} portefeuilles vides`,
    hide: 'Masquer les portefeuilles vides',
  },
});
