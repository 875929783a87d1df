import { Anchor } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useMemo } from 'react';
import type { AnswerOf } from '../../api/client.ts';
import { useWords, words } from '../../language.tsx';
import { DataTable, type Column, type Paging } from '../../parts/data-table.tsx';
import { EmptyState } from '../../parts/empty-state.tsx';
import { Money } from '../../parts/money.tsx';
import { MOVEMENT_WORDS } from '../../parts/movement-words.ts';
import { ProviderName } from '../../parts/names.tsx';
import { Time } from '../../parts/time.tsx';
import { useTimeZone, zoneName } from '../../parts/time-zone.ts';

type Movement = AnswerOf<'listWalletMovements'>['rows'][number];

type MovementTableProps = {
  readonly merchantId: string;
  readonly currency: string;
  readonly rows: readonly Movement[] | undefined;
  readonly error: Error | null;
  readonly onRetry: () => void;
  readonly paging: Paging;
};

export function MovementTable({ merchantId, currency, ...rest }: MovementTableProps) {
  const said = useWords(WORDS);
  const kinds = useWords(MOVEMENT_WORDS);
  const zone = zoneName(useTimeZone());
  const columns = useMemo(
    (): readonly Column<Movement>[] => [
      {
        id: 'what',
        header: said.what,
        isHeading: true,
        cell: ({ type, payment }) =>
          payment === null ? (
            (kinds[type] ?? type)
          ) : (
            <Anchor
              component={Link}
              to={`/m/${merchantId}/payments/${payment.kind}/${payment.paymentId}`}
              inherit
            >
              {kinds[type] ?? type}
            </Anchor>
          ),
      },
      {
        id: 'when',
        header: said.when(zone),
        onPhone: 'plain',
        cell: ({ at }) => <Time at={at} isExact isZoneNamed />,
      },
      {
        id: 'provider',
        header: said.provider,
        onPhone: 'plain',
        cell: ({ payment }) => (payment === null ? '–' : <ProviderName code={payment.provider} />),
      },
      {
        id: 'amount',
        header: said.amount,
        align: 'end',
        cell: ({ amount }) => <Money amount={amount} currency={currency} />,
      },
      {
        id: 'fee',
        header: said.fee,
        align: 'end',
        cell: ({ fee }) => (fee === '0' ? '–' : <Money amount={fee} currency={currency} />),
      },
      {
        id: 'net',
        header: said.net,
        align: 'end',
        onPhone: 'end',
        cell: ({ net }) => <Money amount={net} currency={currency} />,
      },
      {
        id: 'balance',
        header: said.balance,
        align: 'end',
        cell: ({ balance }) => <Money amount={balance} currency={currency} isStrong />,
      },
    ],
    [said, kinds, zone, merchantId, currency],
  );
  return (
    <DataTable
      label={said.movements}
      columns={columns}
      rowKey={({ at, type, id }) => `${at} ${type} ${id}`}
      empty={
        <EmptyState icon="wallet" title={said.none}>
          {said.noneHint}
        </EmptyState>
      }
      {...rest}
    />
  );
}

const WORDS = words({
  en: {
    movements: 'Movements',
    what: 'Type',
    when: (zone: string) => `Time (${zone})`,
    provider: 'Provider',
    amount: 'Amount',
    fee: 'Fee',
    net: 'Net',
    balance: 'Balance',
    none: 'No movements yet',
    noneHint: 'Deposits, payouts, refunds, top-ups and settlements appear here.',
  },
  fr: {
    movements: 'Mouvements',
    what: 'Type',
    when: (zone: string) => `Heure (${zone})`,
    provider: 'Opérateur',
    amount: 'Montant',
    fee: 'Frais',
    net: 'Net',
    balance: 'Solde',
    none: 'Aucun mouvement pour le moment',
    noneHint: 'Encaissements, versements, remboursements, approvisionnements et règlements apparaissent ici.',
  },
});
