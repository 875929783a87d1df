import { Button } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { reading } from '../../api/queries.ts';
import { useWords, words } from '../../language.tsx';
import { useMerchant } from '../../me.ts';
import { useCursor } from '../../parts/cursor.ts';
import { FieldList } from '../../parts/field-list.tsx';
import { Icon } from '../../parts/icon.tsx';
import { Money } from '../../parts/money.tsx';
import { Page, Section } from '../../parts/page.tsx';
import { readWalletCode, walletCode, walletLabel } from '../../parts/wallet-name.ts';
import { MovementTable } from './movement-table.tsx';

export function MovementsScreen() {
  const said = useWords(WORDS);
  const { merchantId, may } = useMerchant();
  const { wallet: code = '' } = useParams({ strict: false });
  const name = readWalletCode(code);
  const wallets = useQuery(
    reading('/console/api/merchants/{merchantId}/wallets', { params: { path: { merchantId } } }),
  );
  const { cursor, pagingOf } = useCursor();
  const movements = useQuery({
    ...reading('/console/api/merchants/{merchantId}/movements', {
      params: { path: { merchantId }, query: { ...name, ...(cursor !== undefined && { cursor }) } },
    }),
    placeholderData: keepPreviousData,
  });
  const wallet = wallets.data?.wallets.find((one) => walletCode(one) === code);
  const shown = (amount: string | undefined) =>
    amount === undefined ? '–' : <Money amount={amount} currency={name.currency} isStrong />;
  return (
    <Page
      title={walletLabel(name)}
      hint={said.hint}
      actions={
        may('statements:make') && (
          <Button
            component={Link}
            to={`/m/${merchantId}/statements`}
            variant="default"
            leftSection={<Icon name="statement" sizePx={16} />}
          >
            {said.statements}
          </Button>
        )
      }
    >
      <FieldList
        fields={[
          { label: said.available, value: shown(wallet?.available) },
          { label: said.held, value: shown(wallet?.held) },
        ]}
      />
      <Section title={said.movements}>
        <MovementTable
          merchantId={merchantId}
          currency={name.currency}
          rows={movements.data?.rows}
          error={movements.error}
          onRetry={() => void movements.refetch()}
          paging={pagingOf(movements.data?.next ?? null)}
        />
      </Section>
    </Page>
  );
}

const WORDS = words({
  en: {
    hint: 'Everything that moved this wallet, the newest first.',
    statements: 'Statements',
    available: 'Available',
    held: 'Held',
    movements: 'Movements',
  },
  fr: {
    hint: 'Tout ce qui a mouvementé ce portefeuille, le plus récent d’abord.',
    statements: 'Relevés',
    available: 'Disponible',
    held: 'Réservé',
    movements: 'Mouvements',
  },
});
