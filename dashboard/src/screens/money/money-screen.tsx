import { Group, Stack, Tabs, Text } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import type { AnswerOf } from '../../api/client.ts';
import { reading } from '../../api/queries.ts';
import { useWords, words } from '../../language.tsx';
import { useHost } from '../../me.ts';
import { useCursor } from '../../parts/cursor.ts';
import { DataTable, type Column } from '../../parts/data-table.tsx';
import { EmptyState } from '../../parts/empty-state.tsx';
import { Money } from '../../parts/money.tsx';
import { Page } from '../../parts/page.tsx';
import { StateBadge } from '../../parts/state-badge.tsx';
import { Time } from '../../parts/time.tsx';
import { FloatButton } from './float-button.tsx';
import { MoneyActs } from './money-acts.tsx';
import { RequestButton } from './request-button.tsx';
import { TYPE_WORDS } from './order-words.ts';

export type MoneyOrder = AnswerOf<'listMoneyOrders'>['rows'][number];

export function MoneyScreen() {
  const said = useWords(WORDS);
  const { may } = useHost();
  return (
    <Page title={said.title} hint={said.hint} actions={may('money:move') && <Actions />}>
      <Tabs defaultValue="OPEN" keepMounted={false}>
        <Tabs.List mb="sm">
          <Tabs.Tab value="OPEN">{said.open}</Tabs.Tab>
          <Tabs.Tab value="DECIDED">{said.decided}</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="OPEN">
          <Orders status="OPEN" />
        </Tabs.Panel>
        <Tabs.Panel value="DECIDED">
          <Orders status="DECIDED" />
        </Tabs.Panel>
      </Tabs>
    </Page>
  );
}

function Actions() {
  return (
    <Group gap="xs">
      <FloatButton />
      <RequestButton />
    </Group>
  );
}

function Orders({ status }: { readonly status: 'OPEN' | 'DECIDED' }) {
  const said = useWords(WORDS);
  const { cursor, pagingOf } = useCursor();
  const orders = useQuery({
    ...reading('/console/api/host/money-orders', {
      params: { query: { status, ...(cursor === undefined ? {} : { cursor }) } },
    }),
    placeholderData: keepPreviousData,
  });
  const columns = useColumns(status);
  const isOpen = status === 'OPEN';
  return (
    <DataTable
      label={isOpen ? said.open : said.decided}
      columns={columns}
      rows={orders.data?.rows}
      rowKey={({ orderId }) => orderId}
      paging={{ ...pagingOf(orders.data?.next ?? null), isTimeless: isOpen }}
      error={orders.error}
      onRetry={() => void orders.refetch()}
      empty={
        <EmptyState icon="move" title={isOpen ? said.nothingOpen : said.nothingDecided}>
          {said.nothingHint}
        </EmptyState>
      }
    />
  );
}

function useColumns(status: 'OPEN' | 'DECIDED'): readonly Column<MoneyOrder>[] {
  const said = useWords(WORDS);
  const types = useWords(TYPE_WORDS);
  return useMemo(
    () => [
      { id: 'type', header: said.type, isHeading: true, cell: ({ type }) => types[type] },
      {
        id: 'merchant',
        header: said.merchant,
        cell: ({ merchant, country, walletProvider }) => (
          <Stack gap={0}>
            <span>{merchant}</span>
            <Text component="span" size="xs" c="dimmed">
              {walletProvider ?? country}
            </Text>
          </Stack>
        ),
      },
      {
        id: 'amount',
        header: said.amount,
        align: 'end',
        cell: ({ amount, currency }) => <Money amount={amount} currency={currency} isStrong />,
      },
      {
        id: 'asked',
        header: said.asked,
        cell: ({ requestedBy, requestedAt, reference, reason }) => (
          <Who
            by={requestedBy}
            at={requestedAt}
            reason={[reference, reason].filter((part) => part !== null).join(' · ') || null}
          />
        ),
      },
      status === 'OPEN'
        ? { id: 'acts', header: said.acts, isActions: true, cell: (order) => <MoneyActs order={order} /> }
        : { id: 'decision', header: said.decision, cell: ({ decision }) => <Decision decision={decision} /> },
    ],
    [said, types, status],
  );
}

type WhoProps = { readonly by: string; readonly at: string; readonly reason: string | null };

function Who({ by, at, reason }: WhoProps) {
  return (
    <Stack gap={0} style={{ overflowWrap: 'anywhere' }}>
      <span>{by}</span>
      <Text component="span" size="xs" c="dimmed">
        <Time at={at} />
        {reason !== null && ` · ${reason}`}
      </Text>
    </Stack>
  );
}

function Decision({ decision }: Pick<MoneyOrder, 'decision'>) {
  const said = useWords(WORDS);
  if (decision === null) return null;
  return (
    <Stack gap={2} align="flex-start">
      <StateBadge state={decision.type}>{said[decision.type]}</StateBadge>
      <Who {...decision} />
    </Stack>
  );
}

const WORDS = words({
  en: {
    title: 'Move money',
    hint: 'Top-ups, settlements and corrections. One person asks, another approves; only then money moves.',
    open: 'Waiting',
    decided: 'Decided',
    type: 'What',
    merchant: 'Merchant',
    amount: 'Amount',
    asked: 'Asked by',
    decision: 'Decision',
    acts: 'Decide',
    APPROVED: 'approved',
    REJECTED: 'rejected',
    WITHDRAWN: 'taken back',
    nothingOpen: 'Nothing waits for a second person',
    nothingDecided: 'Nothing was decided yet',
    nothingHint: 'What one of you asks for appears here until another decides.',
  },
  fr: {
    title: 'Mouvements manuels',
    hint:
      'Approvisionnements, règlements et corrections. L’un demande, l’autre approuve ; alors seulement ' +
      'l’argent bouge.',
    open: 'En attente',
    decided: 'Décidés',
    type: 'Quoi',
    merchant: 'Marchand',
    amount: 'Montant',
    asked: 'Demandé par',
    decision: 'Décision',
    acts: 'Décider',
    APPROVED: 'approuvé',
    REJECTED: 'refusé',
    WITHDRAWN: 'retiré',
    nothingOpen: 'Rien n’attend une deuxième personne',
    nothingDecided: 'Rien n’a encore été décidé',
    nothingHint: 'Ce que l’un de vous demande apparaît ici jusqu’à ce qu’un autre décide.',
  },
});
