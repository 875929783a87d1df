import { Anchor, Group } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useMemo } from 'react';
import { useAct } from '../../api/acts.ts';
import { answer, api, type AnswerOf } from '../../api/client.ts';
import { reading } from '../../api/queries.ts';
import { useWords, words } from '../../language.tsx';
import { useMerchant } from '../../me.ts';
import { ConfirmButton } from '../../parts/confirm-button.tsx';
import { useCursor } from '../../parts/cursor.ts';
import { DataTable, type Column } from '../../parts/data-table.tsx';
import { EmptyState } from '../../parts/empty-state.tsx';
import { Money } from '../../parts/money.tsx';
import { Page } from '../../parts/page.tsx';
import { StateBadge } from '../../parts/state-badge.tsx';
import { Time } from '../../parts/time.tsx';
import { NewLinkButton } from './new-link-button.tsx';
import { ShareButton } from './share-button.tsx';

export type PaymentLink = AnswerOf<'listPaymentLinks'>['rows'][number];

export function PaymentLinksScreen() {
  const said = useWords(WORDS);
  const { merchantId, may } = useMerchant();
  const { cursor, pagingOf } = useCursor();
  const links = useQuery({
    ...reading('/console/api/merchants/{merchantId}/payment-links', {
      params: { path: { merchantId }, query: cursor === undefined ? {} : { cursor } },
    }),
    placeholderData: keepPreviousData,
  });
  const columns = useColumns();
  return (
    <Page title={said.title} hint={said.hint} actions={may('payment-links:write') && <NewLinkButton />}>
      <DataTable
        label={said.title}
        columns={columns}
        rows={links.data?.rows}
        rowKey={({ linkId }) => linkId}
        skeletonRows={3}
        error={links.error}
        onRetry={() => void links.refetch()}
        paging={pagingOf(links.data?.next ?? null)}
        empty={
          <EmptyState icon="external" title={said.none}>
            {said.noneHint}
          </EmptyState>
        }
      />
    </Page>
  );
}

function useColumns(): readonly Column<PaymentLink>[] {
  const said = useWords(WORDS);
  const { merchantId, may } = useMerchant();
  const mayWrite = may('payment-links:write');
  return useMemo(
    () => [
      {
        id: 'description',
        header: said.description,
        isHeading: true,
        // Payments carry the link's identifier as their reference.
        cell: ({ description, linkId }) => (
          <Anchor
            component={Link}
            to={`/m/${merchantId}/payments?query=${linkId}`}
            inherit
            title={said.payments}
          >
            {description}
          </Anchor>
        ),
      },
      {
        id: 'amount',
        header: said.amount,
        align: 'end',
        cell: ({ amount, currency }) => <Money amount={amount} currency={currency} />,
      },
      {
        id: 'status',
        header: said.status,
        onPhone: 'plain',
        cell: ({ status }) => (
          <StateBadge state={status} tone={status === 'ACTIVE' ? 'success' : 'quiet'}>
            {said.statuses[status]}
          </StateBadge>
        ),
      },
      { id: 'created', header: said.created, cell: ({ createdAt }) => <Time at={createdAt} /> },
      {
        id: 'expires',
        header: said.expires,
        cell: ({ expiresAt }) => (expiresAt === null ? said.never : <Time at={expiresAt} />),
      },
      {
        id: 'acts',
        header: said.acts,
        isActions: true,
        cell: (link) =>
          link.status === 'ACTIVE' && (
            <Group gap="xs">
              <ShareButton link={link} />
              {mayWrite && <DeactivateButton link={link} />}
            </Group>
          ),
      },
    ],
    [said, merchantId, mayWrite],
  );
}

function DeactivateButton({ link: { linkId } }: { readonly link: PaymentLink }) {
  const said = useWords(WORDS);
  const { merchantId } = useMerchant();
  const deactivate = useAct({
    act: () =>
      answer(
        api.POST('/console/api/merchants/{merchantId}/payment-links/{linkId}/deactivate', {
          params: { path: { merchantId, linkId } },
        }),
      ),
    done: said.deactivated,
  });
  return (
    <ConfirmButton
      label={said.deactivate}
      question={said.deactivateHint}
      isPending={deactivate.isPending}
      onConfirm={() => deactivate.mutateAsync(undefined)}
    />
  );
}

const WORDS = words({
  en: {
    title: 'Payment links',
    hint: 'Share a link or a QR code. Each visit starts a new payment, so one link can be paid many times.',
    description: 'Description',
    payments: 'See its payments',
    amount: 'Amount',
    status: 'Status',
    statuses: { ACTIVE: 'Active', EXPIRED: 'Expired', DEACTIVATED: 'Deactivated' },
    created: 'Created',
    expires: 'Expires',
    never: 'Never',
    acts: 'Actions',
    deactivate: 'Deactivate',
    deactivateHint: 'The link stops working for new payments. Payments already started can finish.',
    deactivated: 'Link deactivated.',
    none: 'No payment links yet',
    noneHint: 'Create one with “New link”, then share its address or print its QR code.',
  },
  fr: {
    title: 'Liens de paiement',
    hint:
      'Partagez un lien ou un code QR. Chaque visite commence un nouveau paiement : un lien peut être payé plusieurs ' +
      'fois.',
    description: 'Description',
    payments: 'Voir ses paiements',
    amount: 'Montant',
    status: 'Statut',
    statuses: { ACTIVE: 'Actif', EXPIRED: 'Expiré', DEACTIVATED: 'Désactivé' },
    created: 'Créé',
    expires: 'Expire',
    never: 'Jamais',
    acts: 'Actions',
    deactivate: 'Désactiver',
    deactivateHint: 'Le lien ne permet plus de nouveaux paiements. Ceux déjà commencés peuvent se terminer.',
    deactivated: 'Lien désactivé.',
    none: 'Aucun lien de paiement pour le moment',
    noneHint: 'Créez-en un avec « Nouveau lien », puis partagez son adresse ou imprimez son code QR.',
  },
});
