import { Anchor } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { reading } from '../../api/queries.ts';
import { useWords, words } from '../../language.tsx';
import { Copied } from '../../parts/copied.tsx';
import { FieldList } from '../../parts/field-list.tsx';
import { Money } from '../../parts/money.tsx';
import { Page } from '../../parts/page.tsx';
import { StateBadge } from '../../parts/state-badge.tsx';
import { Time } from '../../parts/time.tsx';
import { MovementTable } from './movement-table.tsx';

/** Everything that was moved for one payment, top-up, settlement or adjustment. */
export function TransfersScreen() {
  const { owner = '', kind = '', subjectId = '' } = useParams({ strict: false });
  const said = useWords(WORDS);
  const transfers = useQuery(
    reading('/console/api/host/transfers/{merchantId}/{kind}/{subjectId}', {
      params: { path: { merchantId: owner, kind, subjectId } },
    }),
  );
  const payment = transfers.data?.payment ?? null;
  return (
    <Page
      title={said.title(kind.replaceAll('_', ' ').toLowerCase())}
      hint={
        <Anchor inherit renderRoot={(props) => <Link {...props} to="/host/ledger" />}>
          {said.ledger}
        </Anchor>
      }
    >
      <FieldList
        fields={[
          { label: said.id, value: <Copied value={subjectId} /> },
          { label: said.state, value: payment === null ? null : <StateBadge state={payment.state} /> },
          {
            label: said.amount,
            value: payment === null ? null : <Money amount={payment.amount} currency={payment.currency} />,
          },
          {
            label: said.fee,
            value: payment === null ? null : <Money amount={payment.fee} currency={payment.currency} />,
          },
          { label: said.provider, value: payment?.provider ?? null },
          { label: said.created, value: payment === null ? null : <Time at={payment.createdAt} isExact /> },
        ]}
      />
      <MovementTable
        isOfSubject
        rows={transfers.data?.rows}
        error={transfers.error}
        onRetry={() => void transfers.refetch()}
      />
    </Page>
  );
}

const WORDS = words({
  en: {
    title: (kind: string) => `Transfers of a ${kind}`,
    ledger: 'Ledger',
    id: 'Identifier',
    state: 'State',
    amount: 'Amount',
    fee: 'Fee',
    provider: 'Provider',
    created: 'Created',
  },
  fr: {
    title: (kind: string) => `Transferts : ${kind}`,
    ledger: 'Grand livre',
    id: 'Identifiant',
    state: 'État',
    amount: 'Montant',
    fee: 'Frais',
    provider: 'Opérateur',
    created: 'Créé',
  },
});
