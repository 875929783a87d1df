import { Anchor, Paper, SimpleGrid, Stack, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useWords, words } from '../../language.tsx';
import { useMerchant } from '../../me.ts';
import { EmptyState } from '../../parts/empty-state.tsx';
import { Money } from '../../parts/money.tsx';
import { isEmpty, walletCode, walletLabel } from '../../parts/wallet-name.ts';
import type { Overview } from './overview-screen.tsx';

type Wallet = NonNullable<Overview['wallets']>[number];

/** Wallets with something in them; the others are on their own screen. */
export function Balances({ wallets }: { readonly wallets: readonly Wallet[] }) {
  const said = useWords(WORDS);
  const filled = wallets.filter((wallet) => !isEmpty(wallet));
  if (filled.length === 0) {
    return (
      <EmptyState icon="wallet" title={said.empty}>
        {said.emptyHint}
      </EmptyState>
    );
  }
  return (
    <SimpleGrid cols={{ base: 1, xs: 2, lg: 4 }} spacing="sm">
      {filled.map((wallet) => (
        <Tile key={walletCode(wallet)} wallet={wallet} />
      ))}
    </SimpleGrid>
  );
}

function Tile({ wallet }: { readonly wallet: Wallet }) {
  const said = useWords(WORDS);
  const { merchantId } = useMerchant();
  return (
    <Paper withBorder p="md">
      <Stack gap={4}>
        <Anchor component={Link} to={`/m/${merchantId}/wallets/${walletCode(wallet)}`} size="sm">
          {walletLabel(wallet)}
        </Anchor>
        <Text fz="lg" lh={1.2}>
          <Money amount={wallet.available} currency={wallet.currency} isStrong />
        </Text>
        {wallet.held !== '0' && (
          <Text size="sm" c="dimmed">
            {said.held} <Money amount={wallet.held} currency={wallet.currency} />
          </Text>
        )}
      </Stack>
    </Paper>
  );
}

const WORDS = words({
  en: {
    held: 'held:',
    empty: 'The wallets are empty',
    emptyHint: 'A completed deposit or a top-up by bank puts money into them.',
  },
  fr: {
    held: 'réservé :',
    empty: 'Les portefeuilles sont vides',
    emptyHint: 'Un dépôt abouti ou un approvisionnement par banque y met de l’argent.',
  },
});
