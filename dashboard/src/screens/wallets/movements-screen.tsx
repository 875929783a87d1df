import { Button, Group } from '@mantine/core';
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
import { useNames } from '../../parts/names.tsx';
import { readWalletCode, walletCode, walletLabel } from '../../parts/wallet-name.ts';
import { MovementTable } from './movement-table.tsx';
import { WalletAlertButton } from './wallet-alert-button.tsx';

export function MovementsScreen() {
  const said = useWords(WORDS);
  const { merchantId, may } = useMerchant();
  const { wallet: code = '' } = useParams({ strict: false });
  const names = useNames();
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
      title={walletLabel(name, names)}
      hint={said.hint}
      actions={
        <Group gap="xs">
          {may('payouts:prepare') && wallet !== undefined && (
            <WalletAlertButton wallet={name} below={wallet.alertBelow} />
          )}
          {may('statements:make') && (
            <Button
              component={Link}
              to={`/m/${merchantId}/statements`}
              variant="default"
              leftSection={<Icon name="statement" sizePx={16} />}
            >
              {said.statements}
            </Button>
          )}
        </Group>
      }
    >
      <FieldList
        fields={[
          { label: said.available, value: shown(wallet?.available) },
          { label: said.held, value: shown(wallet?.held) },
          ...(wallet === undefined || wallet.alertBelow === null
            ? []
            : [{ label: said.alert, value: <Money amount={wallet.alertBelow} currency={name.currency} /> }]),
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
    hint: 'Every movement of this wallet, with the balance after it. Reserved amounts are part of the balance.',
    statements: 'Statements',
    available: 'Available',
    held: 'Reserved',
    alert: 'Alert below',
    movements: 'Movements',
  },
  fr: {
    hint:
      'Chaque mouvement de ce portefeuille, avec le solde qui en résulte. Les montants réservés font partie du ' +
      'solde.',
    statements: 'Relevés',
    available: 'Disponible',
    held: 'Réservé',
    alert: 'Alerte sous',
    movements: 'Mouvements',
  },
});
