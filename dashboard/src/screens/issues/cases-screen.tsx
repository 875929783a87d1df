import { Stack, Tabs, Text } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import type { AnswerOf } from '../../api/client.ts';
import { reading } from '../../api/queries.ts';
import { useWords, words } from '../../language.tsx';
import { useHost } from '../../me.ts';
import { ApprovalEffect } from '../../parts/approval-effect.tsx';
import { EVIDENCE_WORDS, isResolution, RESOLUTION_WORDS } from '../../parts/case-words.ts';
import { Copied } from '../../parts/copied.tsx';
import { useCursor } from '../../parts/cursor.ts';
import { DataTable, type Column } from '../../parts/data-table.tsx';
import { EmptyState } from '../../parts/empty-state.tsx';
import { useNames } from '../../parts/names.tsx';
import { Money } from '../../parts/money.tsx';
import { MOVEMENT_WORDS } from '../../parts/movement-words.ts';
import { PaymentLink } from '../../parts/payment-link.tsx';
import { Page } from '../../parts/page.tsx';
import { StateBadge } from '../../parts/state-badge.tsx';
import { STATE_WORDS, stateName } from '../../parts/state-words.ts';
import { useTab } from '../../parts/tab.ts';
import { Time } from '../../parts/time.tsx';
import { CaseActs } from './case-acts.tsx';

export type Case = AnswerOf<'listCases'>['rows'][number];

export function CasesScreen() {
  const said = useWords(WORDS);
  const [tab, setTab] = useTab(['OPEN', 'RESOLVED']);
  return (
    <Page title={said.title} hint={said.hint}>
      <Tabs value={tab} onChange={setTab} keepMounted={false}>
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
      paging={pagingOf(cases.data?.next ?? null)}
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
  const kinds = useWords(MOVEMENT_WORDS);
  const states = useWords(STATE_WORDS);
  const names = useNames();
  const evidences = useWords(EVIDENCE_WORDS);
  return useMemo(
    () => [
      {
        id: 'evidence',
        header: said.what,
        isHeading: true,
        cell: ({ evidence, openedAt, providerTransactionId, ...payment }) => (
          <Stack gap={0} align="flex-start">
            <PaymentLink payment={payment}>{evidences[evidence] ?? evidence}</PaymentLink>
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
        onPhone: 'plain',
        cell: ({ kind, paymentId, payment }) => (
          <Stack gap={2} align="flex-start">
            <span>
              {kinds[kind] ?? kind}{' '}
              <StateBadge state={payment.state}>{stateName(payment.state, states)}</StateBadge>
            </span>
            <Copied value={paymentId} short={paymentId.slice(0, 8)} />
          </Stack>
        ),
      },
      {
        id: 'merchant',
        header: said.merchant,
        onPhone: 'plain',
        cell: ({ merchant, payment }) => (
          <Stack gap={0}>
            <span>{merchant}</span>
            <Text component="span" size="xs" c="dimmed">
              {names.provider(payment.provider)}
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
    [said, kinds, states, names, evidences, mayResolve],
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
      <ApprovalEffect approval={approval} />
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
    title: 'Discrepancies',
    hint: 'The operator’s record differs from ours. One person requests a resolution, another approves it.',
    open: 'Open cases',
    resolved: 'Resolved cases',
    what: 'Case',
    payment: 'Payment',
    merchant: 'Merchant',
    amount: 'Amount',
    resolution: 'Resolution',
    nothing: 'None yet',
    approved: (by: string) => `Approved by ${by}`,
    acts: 'Actions',
    noneOpen: 'No open cases',
    noneResolved: 'No resolved cases',
    noneHint: 'When an operator contradicts a final payment, the money is set aside and a case opens here.',
  },
  fr: {
    title: 'Dossiers',
    hint: 'Les données de l’opérateur diffèrent des nôtres. Une personne demande une solution, une autre l’approuve.',
    open: 'Dossiers ouverts',
    resolved: 'Dossiers résolus',
    what: 'Dossier',
    payment: 'Paiement',
    merchant: 'Marchand',
    amount: 'Montant',
    resolution: 'Solution',
    nothing: 'Aucune',
    approved: (by: string) => `Approuvé par ${by}`,
    acts: 'Actions',
    noneOpen: 'Aucun dossier ouvert',
    noneResolved: 'Aucun dossier résolu',
    noneHint:
      'Si un opérateur contredit un paiement terminé, l’argent est mis de côté et un dossier s’ouvre ici.',
  },
});
