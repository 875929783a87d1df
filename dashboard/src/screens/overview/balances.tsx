import { Anchor } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useWords, words } from '../../language.tsx';
import { useMerchant } from '../../me.ts';
import { CountryName } from '../../parts/country-name.tsx';
import { EmptyState } from '../../parts/empty-state.tsx';
import { FigureTile, FigureTiles } from '../../parts/figure-tile.tsx';
import { Money } from '../../parts/money.tsx';
import { useNames } from '../../parts/names.tsx';
import { isEmpty, walletCode, walletLabel } from '../../parts/wallet-name.ts';
import type { Overview } from './overview-screen.tsx';

type Wallet = NonNullable<Overview['wallets']>[number];

/** More are on the screen of wallets. */
const SHOWN_MAX = 4;

type BalancesProps = { readonly wallets: readonly Wallet[]; readonly firstCurrency: string | null };

/** Wallets with something in them, those of the first currency before the others. */
export function Balances({ wallets, firstCurrency }: BalancesProps) {
  const said = useWords(WORDS);
  const { merchantId } = useMerchant();
  const isOther = ({ currency }: Wallet) => Number(currency !== firstCurrency);
  const filled = wallets.filter((wallet) => !isEmpty(wallet)).toSorted((a, b) => isOther(a) - isOther(b));
  if (filled.length === 0) {
    return (
      <EmptyState icon="wallet" title={said.empty}>
        {said.emptyHint}
      </EmptyState>
    );
  }
  return (
    <>
      <FigureTiles>
        {filled.slice(0, SHOWN_MAX).map((wallet) => (
          <Tile key={walletCode(wallet)} wallet={wallet} />
        ))}
      </FigureTiles>
      {filled.length > SHOWN_MAX && (
        <Anchor component={Link} to={`/m/${merchantId}/wallets`} size="sm">
          {said.all(filled.length)}
        </Anchor>
      )}
    </>
  );
}

function Tile({ wallet }: { readonly wallet: Wallet }) {
  const said = useWords(WORDS);
  const names = useNames();
  const { merchantId } = useMerchant();
  return (
    <FigureTile
      label={
        <Anchor component={Link} to={`/m/${merchantId}/wallets/${walletCode(wallet)}`} inherit>
          <CountryName code={wallet.country}>{walletLabel(wallet, names)}</CountryName>
        </Anchor>
      }
      value={<Money amount={wallet.available} currency={wallet.currency} />}
      note={
        wallet.held !== '0' && (
          <>
            {said.held} <Money amount={wallet.held} currency={wallet.currency} />
          </>
        )
      }
    />
  );
}

const WORDS = words({
  en: {
    held: 'Reserved:',
    all: (count: number) => `All ${count} wallets with a balance`,
    empty: 'No balance yet',
    emptyHint: 'A completed deposit or a bank top-up adds money to a wallet.',
  },
  fr: {
    held: 'Réservé :',
    all: (count: number) => `Les ${count} portefeuilles avec un solde`,
    empty: 'Aucun solde pour le moment',
    emptyHint: 'Un encaissement réussi ou un approvisionnement bancaire crédite un portefeuille.',
  },
});
