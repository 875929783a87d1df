import { Anchor, Button, SegmentedControl, Stack } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useMemo, useState } from 'react';
import { reading } from '../../api/queries.ts';
import { useLanguage, useWords, words } from '../../language.tsx';
import { useMerchant } from '../../me.ts';
import { useCursor } from '../../parts/cursor.ts';
import { DataTable, type Column } from '../../parts/data-table.tsx';
import { EmptyState } from '../../parts/empty-state.tsx';
import { Icon } from '../../parts/icon.tsx';
import { groupDigits, Money } from '../../parts/money.tsx';
import { Page } from '../../parts/page.tsx';
import { StateBadge } from '../../parts/state-badge.tsx';
import { Time } from '../../parts/time.tsx';
import { BATCH_TONES, BATCH_WORDS, type ListedBatch } from './batch-words.ts';

export function BatchesScreen() {
  const said = useWords(WORDS);
  const { merchantId, may } = useMerchant();
  const [show, setShow] = useState('all');
  const { cursor, pagingOf, restart } = useCursor();
  const batches = useQuery({
    ...reading('/console/api/merchants/{merchantId}/payout-batches', {
      params: {
        path: { merchantId },
        query: {
          ...(show === 'waiting' && { status: 'WAITING' as const }),
          ...(cursor !== undefined && { cursor }),
        },
      },
    }),
    placeholderData: keepPreviousData,
  });
  const columns = useColumns(merchantId);
  return (
    <Page title={said.title} hint={said.hint} actions={may('payouts:prepare') && <NewButtons />}>
      <Stack gap="sm">
        <SegmentedControl
          aria-label={said.show}
          data={[
            { value: 'all', label: said.all },
            { value: 'waiting', label: said.waiting },
          ]}
          value={show}
          onChange={(value) => {
            restart();
            setShow(value);
          }}
          style={{ alignSelf: 'flex-start' }}
        />
        <DataTable
          label={said.title}
          columns={columns}
          rows={batches.data?.rows}
          rowKey={({ batchId }) => batchId}
          error={batches.error}
          onRetry={() => void batches.refetch()}
          paging={pagingOf(batches.data?.next ?? null)}
          empty={
            <EmptyState icon="payouts" title={show === 'all' ? said.none : said.noneWaiting}>
              {said.noneHint}
            </EmptyState>
          }
        />
      </Stack>
    </Page>
  );
}

function NewButtons() {
  const said = useWords(WORDS);
  const { merchantId } = useMerchant();
  return (
    <>
      <Button
        variant="default"
        leftSection={<Icon name="plus" sizePx={16} />}
        renderRoot={(props) => <Link to="/m/$merchantId/payouts/new" params={{ merchantId }} {...props} />}
      >
        {said.one}
      </Button>
      <Button
        leftSection={<Icon name="upload" sizePx={16} />}
        renderRoot={(props) => <Link to="/m/$merchantId/payouts/file" params={{ merchantId }} {...props} />}
      >
        {said.file}
      </Button>
    </>
  );
}

function useColumns(merchantId: string): readonly Column<ListedBatch>[] {
  const said = useWords(WORDS);
  const statuses = useWords(BATCH_WORDS);
  const { language } = useLanguage();
  return useMemo(
    () => [
      {
        id: 'title',
        header: said.batch,
        isHeading: true,
        cell: ({ batchId, title }) => (
          <Anchor
            renderRoot={(props) => (
              <Link to="/m/$merchantId/payouts/$batchId" params={{ merchantId, batchId }} {...props} />
            )}
          >
            {title}
          </Anchor>
        ),
      },
      {
        id: 'status',
        header: said.status,
        onPhone: 'plain',
        cell: ({ status, needsApproval }) => (
          <StateBadge state={status} tone={BATCH_TONES[status]}>
            {status === 'WAITING' && needsApproval ? said.forApproval : statuses[status]}
          </StateBadge>
        ),
      },
      {
        id: 'count',
        header: said.count,
        align: 'end',
        cell: ({ count }) => groupDigits(String(count), language),
      },
      {
        id: 'amount',
        header: said.amount,
        align: 'end',
        onPhone: 'end',
        cell: ({ sums }) => (
          <Stack gap={0} align="flex-end">
            {sums.map(({ country, currency, provider, amount }) => (
              <Money key={`${country} ${currency} ${provider}`} amount={amount} currency={currency} />
            ))}
          </Stack>
        ),
      },
      { id: 'by', header: said.by, onPhone: 'plain', cell: ({ preparedBy }) => preparedBy },
      { id: 'at', header: said.at, onPhone: 'plain', cell: ({ preparedAt }) => <Time at={preparedAt} /> },
    ],
    [said, statuses, language, merchantId],
  );
}

const WORDS = words({
  en: {
    title: 'Payouts',
    hint: 'Payouts created in the dashboard. API payouts are listed under Payments.',
    one: 'New payout',
    file: 'Upload CSV',
    show: 'Show',
    all: 'All',
    waiting: 'Not sent',
    batch: 'Batch',
    status: 'Status',
    forApproval: 'Pending approval',
    count: 'Payouts',
    amount: 'Amount',
    by: 'Prepared by',
    at: 'Created',
    none: 'No payouts yet',
    noneWaiting: 'No unsent payouts',
    noneHint: 'Create one with “New payout”, or many with “Upload CSV”. Another person approves them.',
  },
  fr: {
    title: 'Versements',
    hint: 'Versements créés dans le tableau de bord. Ceux de l’API sont sous Paiements.',
    one: 'Nouveau versement',
    file: 'Importer un CSV',
    show: 'Afficher',
    all: 'Tous',
    waiting: 'Non envoyés',
    batch: 'Lot',
    status: 'Statut',
    forApproval: 'En attente d’approbation',
    count: 'Versements',
    amount: 'Montant',
    by: 'Préparé par',
    at: 'Créé',
    none: 'Aucun versement pour le moment',
    noneWaiting: 'Aucun versement non envoyé',
    noneHint:
      'Créez-en un avec « Nouveau versement », ou plusieurs avec « Importer un CSV ». Une autre personne les approuve.',
  },
});
