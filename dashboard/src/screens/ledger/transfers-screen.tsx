import { Anchor } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { reading } from '../../api/queries.ts';
import { useWords, words } from '../../language.tsx';
import { Copied } from '../../parts/copied.tsx';
import { FieldList } from '../../parts/field-list.tsx';
import { useNames } from '../../parts/names.tsx';
import { Money } from '../../parts/money.tsx';
import { MOVEMENT_WORDS } from '../../parts/movement-words.ts';
import { Page } from '../../parts/page.tsx';
import { StateBadge } from '../../parts/state-badge.tsx';
import { STATE_WORDS, stateName } from '../../parts/state-words.ts';
import { Time } from '../../parts/time.tsx';
import { TEMPLATE_WORDS } from './account-words.ts';
import { MovementTable } from './movement-table.tsx';

/** Everything that was moved for one payment, top-up, settlement or adjustment. */
export function TransfersScreen() {
  const { owner = '', kind = '', subjectId = '' } = useParams({ strict: false });
  const said = useWords(WORDS);
  const movements = useWords(MOVEMENT_WORDS);
  const templates = useWords(TEMPLATE_WORDS);
  const states = useWords(STATE_WORDS);
  const names = useNames();
  const transfers = useQuery(
    reading('/console/api/host/transfers/{merchantId}/{kind}/{subjectId}', {
      params: { path: { merchantId: owner, kind, subjectId } },
    }),
  );
  const payment = transfers.data?.payment ?? null;
  return (
    <Page
      title={said.title(movements[kind] ?? templates[kind] ?? kind)}
      hint={
        <Anchor inherit renderRoot={(props) => <Link {...props} to="/host/ledger" />}>
          {said.ledger}
        </Anchor>
      }
    >
      <FieldList
        fields={[
          { label: said.id, value: <Copied value={subjectId} /> },
          {
            label: said.state,
            value:
              payment === null ? null : (
                <StateBadge state={payment.state}>{stateName(payment.state, states)}</StateBadge>
              ),
          },
          {
            label: said.amount,
            value: payment === null ? null : <Money amount={payment.amount} currency={payment.currency} />,
          },
          {
            label: said.fee,
            value: payment === null ? null : <Money amount={payment.fee} currency={payment.currency} />,
          },
          { label: said.provider, value: payment === null ? null : names.provider(payment.provider) },
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
    title: (kind: string) => `Transfers: ${kind}`,
    ledger: 'Ledger',
    id: 'ID',
    state: 'Status',
    amount: 'Amount',
    fee: 'Fee',
    provider: 'Provider',
    created: 'Created',
  },
  fr: {
    title: (kind: string) => `Transferts : ${kind}`,
    ledger: 'Comptabilité',
    id: 'Identifiant',
    state: 'Statut',
    amount: 'Montant',
    fee: 'Frais',
    provider: 'Opérateur',
    created: 'Créé',
  },
});
