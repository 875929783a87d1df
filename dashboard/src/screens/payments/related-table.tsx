import { useMemo } from 'react';
import { useWords, words } from '../../language.tsx';
import { useMerchant } from '../../me.ts';
import { DataTable, type Column } from '../../parts/data-table.tsx';
import { Money } from '../../parts/money.tsx';
import { PaymentLink } from '../../parts/payment-link.tsx';
import { StateBadge } from '../../parts/state-badge.tsx';
import { Time } from '../../parts/time.tsx';
import { STATE_WORDS } from '../../parts/state-words.ts';
import { ONE_OF_KIND, type Story } from './payment-words.ts';

type Related = Story['related'][number];

/** The refunds of a deposit, the deposit of a refund, the parts of a split, the attempts of a checkout. */
export function RelatedTable(props: { readonly related: readonly Related[]; readonly currency: string }) {
  const { related, currency } = props;
  const said = useWords(WORDS);
  const kinds = useWords(ONE_OF_KIND);
  const states = useWords(STATE_WORDS);
  const { merchantId } = useMerchant();
  const columns = useMemo(
    (): readonly Column<Related>[] => [
      {
        id: 'payment',
        header: said.payment,
        isHeading: true,
        cell: ({ kind, paymentId }) => (
          <PaymentLink payment={{ merchantId, kind, paymentId }}>
            {kinds[kind]} {paymentId.slice(0, 8)}
          </PaymentLink>
        ),
      },
      {
        id: 'state',
        header: said.state,
        onPhone: 'plain',
        cell: ({ state }) => <StateBadge state={state}>{states[state]}</StateBadge>,
      },
      {
        id: 'amount',
        header: said.amount,
        align: 'end',
        cell: ({ amount }) => <Money amount={amount} currency={currency} />,
      },
      {
        id: 'created',
        header: said.created,
        onPhone: 'plain',
        cell: ({ createdAt }) => <Time at={createdAt} isExact />,
      },
    ],
    [said, kinds, states, merchantId, currency],
  );
  return (
    <DataTable
      label={said.label}
      columns={columns}
      rows={related}
      rowKey={({ kind, paymentId }) => `${kind} ${paymentId}`}
      empty={null}
    />
  );
}

const WORDS = words({
  en: {
    label: 'Related payments',
    payment: 'Payment',
    state: 'Status',
    amount: 'Amount',
    created: 'Created',
  },
  fr: { label: 'Paiements liés', payment: 'Paiement', state: 'Statut', amount: 'Montant', created: 'Créé' },
});
