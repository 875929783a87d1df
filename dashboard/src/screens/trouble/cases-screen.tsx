import { Stack, Tabs, Text } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import type { AnswerOf } from '../../api/client.ts';
import { reading } from '../../api/queries.ts';
import { useWords, words } from '../../language.tsx';
import { useHost } from '../../me.ts';
import { Copied } from '../../parts/copied.tsx';
import { useCursor } from '../../parts/cursor.ts';
import { DataTable, type Column } from '../../parts/data-table.tsx';
import { EmptyState } from '../../parts/empty-state.tsx';
import { KIND_WORDS } from '../../parts/kind-words.ts';
import { Money } from '../../parts/money.tsx';
import { Page } from '../../parts/page.tsx';
import { StateBadge } from '../../parts/state-badge.tsx';
import { Time } from '../../parts/time.tsx';
import { CaseActs } from './case-acts.tsx';
import { EVIDENCE_WORDS, isResolution, RESOLUTION_WORDS } from './case-words.ts';

export type Case = AnswerOf<'listCases'>['rows'][number];

export function CasesScreen() {
  const said = useWords(WORDS);
  return (
    <Page title={said.title} hint={said.hint}>
      <Tabs defaultValue="OPEN" keepMounted={false}>
        <Tabs.List mb="sm">
          <Tabs.Tab value="OPEN">{said.open}</Tabs.Tab>
          <Tabs.Tab value="RESOLVED">{said.resolved}</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="OPEN">
          <Cases status="OPEN" />
        </Tabs.Panel>
        <Tabs.Panel value="RESOLVED">
          <Cases status="RESOLVED" />
        </Tabs.Panel>
      </Tabs>
    </Page>
  );
}

function Cases({ status }: { readonly status: 'OPEN' | 'RESOLVED' }) {
  const said = useWords(WORDS);
  const { may } = useHost();
  const { cursor, pagingOf } = useCursor();
  const cases = useQuery({
    ...reading('/console/api/host/cases', {
      params: { query: { status, ...(cursor === undefined ? {} : { cursor }) } },
    }),
    placeholderData: keepPreviousData,
  });
  const isOpen = status === 'OPEN';
  const columns = useColumns(isOpen && may('cases:resolve'));
  return (
    <DataTable
      label={isOpen ? said.open : said.resolved}
      columns={columns}
      rows={cases.data?.rows}
      rowKey={({ caseId }) => caseId}
      paging={{ ...pagingOf(cases.data?.next ?? null), isTimeless: isOpen }}
      error={cases.error}
      onRetry={() => void cases.refetch()}
      empty={
        <EmptyState icon="shield" title={isOpen ? said.noneOpen : said.noneResolved}>
          {said.noneHint}
        </EmptyState>
      }
    />
  );
}

function useColumns(mayResolve: boolean): readonly Column<Case>[] {
  const said = useWords(WORDS);
  const kinds = useWords(KIND_WORDS);
  const evidences = useWords(EVIDENCE_WORDS);
  return useMemo(
    () => [
      {
        id: 'evidence',
        header: said.what,
        isHeading: true,
        cell: ({ evidence, openedAt, providerTransactionId }) => (
          <Stack gap={0}>
            <span>{evidences[evidence] ?? evidence}</span>
            <Text component="span" size="xs" c="dimmed">
              <Time at={openedAt} />
            </Text>
            {providerTransactionId !== null && (
              <Copied value={providerTransactionId} short={providerTransactionId.slice(0, 12)} />
            )}
          </Stack>
        ),
      },
      {
        id: 'payment',
        header: said.payment,
        cell: ({ kind, paymentId, payment }) => (
          <Stack gap={2} align="flex-start">
            <span>
              {kinds[kind]} <StateBadge state={payment.state} />
            </span>
            <Copied value={paymentId} short={paymentId.slice(0, 8)} />
          </Stack>
        ),
      },
      {
        id: 'merchant',
        header: said.merchant,
        cell: ({ merchant, payment }) => (
          <Stack gap={0}>
            <span>{merchant}</span>
            <Text component="span" size="xs" c="dimmed">
              {payment.provider}
            </Text>
          </Stack>
        ),
      },
      {
        id: 'amount',
        header: said.amount,
        align: 'end',
        cell: ({ payment }) => <Money amount={payment.amount} currency={payment.currency} />,
      },
      { id: 'resolution', header: said.resolution, cell: (found) => <Requested found={found} /> },
      ...(mayResolve
        ? [
            {
              id: 'acts',
              header: said.acts,
              isActions: true,
              cell: (found: Case) => <CaseActs found={found} />,
            },
          ]
        : []),
    ],
    [said, kinds, evidences, mayResolve],
  );
}

function Requested({ found: { approval, needsAmount, payment } }: { readonly found: Case }) {
  const said = useWords(WORDS);
  const resolutions = useWords(RESOLUTION_WORDS);
  if (approval === null) return <Text c="dimmed">{said.nothing}</Text>;
  const { details, requestedBy, reason, status, decision } = approval;
  const { resolution = '', amount = '' } = details;
  return (
    <Stack gap={0} fz="sm" style={{ overflowWrap: 'anywhere' }}>
      <span>
        {isResolution(resolution) ? resolutions[resolution] : resolution}
        {needsAmount && ' · '}
        {needsAmount && <Money amount={amount} currency={payment.currency} />}
      </span>
      <Text component="span" inherit c="dimmed">
        {requestedBy}
        {reason !== null && `: ${reason}`}
      </Text>
      {status === 'APPROVED' && decision !== null && (
        <Text component="span" inherit c="dimmed">
          {said.approved(decision.by)} <Time at={decision.at} />
        </Text>
      )}
    </Stack>
  );
}

const WORDS = words({
  en: {
    title: 'Cases',
    hint: 'Operators said something else than what is recorded. One person requests a resolution, another approves.',
    open: 'Open',
    resolved: 'Resolved',
    what: 'What happened',
    payment: 'Payment',
    merchant: 'Merchant',
    amount: 'Amount',
    resolution: 'Resolution',
    nothing: 'none yet',
    approved: (by: string) => `approved by ${by}`,
    acts: 'Resolve',
    noneOpen: 'No case is open',
    noneResolved: 'No case was resolved yet',
    noneHint:
      'When an operator contradicts a final payment, the money is set aside and a case is opened here.',
  },
  fr: {
    title: 'Litiges',
    hint: 'Des opérateurs contredisent ce qui est enregistré. L’un demande une solution, l’autre l’approuve.',
    open: 'Ouverts',
    resolved: 'Résolus',
    what: 'Ce qui s’est passé',
    payment: 'Paiement',
    merchant: 'Marchand',
    amount: 'Montant',
    resolution: 'Solution',
    nothing: 'aucune',
    approved: (by: string) => `approuvé par ${by}`,
    acts: 'Résoudre',
    noneOpen: 'Aucun litige n’est ouvert',
    noneResolved: 'Aucun litige n’a été résolu',
    noneHint:
      'Si un opérateur contredit un paiement terminé, l’argent est mis de côté et un litige s’ouvre ici.',
  },
});
