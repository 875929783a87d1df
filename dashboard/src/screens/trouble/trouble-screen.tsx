import { Stack, Tabs, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import type { AnswerOf } from '../../api/client.ts';
import { reading } from '../../api/queries.ts';
import { useWords, words } from '../../language.tsx';
import { Copied } from '../../parts/copied.tsx';
import { DataTable, type Column } from '../../parts/data-table.tsx';
import { EmptyState } from '../../parts/empty-state.tsx';
import { KIND_WORDS, KINDS } from '../../parts/kind-words.ts';
import { Money } from '../../parts/money.tsx';
import { Page } from '../../parts/page.tsx';
import { StateBadge } from '../../parts/state-badge.tsx';
import { Time } from '../../parts/time.tsx';
import { UnclearPayments } from './unclear-payments.tsx';

export function TroubleScreen() {
  const said = useWords(WORDS);
  return (
    <Page title={said.title} hint={said.hint}>
      <Tabs defaultValue="unclear" keepMounted={false}>
        <Tabs.List mb="sm">
          <Tabs.Tab value="unclear">{said.unclear}</Tabs.Tab>
          <Tabs.Tab value="late">{said.late}</Tabs.Tab>
          <Tabs.Tab value="lanes">{said.lanes}</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="unclear">
          <UnclearPayments />
        </Tabs.Panel>
        <Tabs.Panel value="late">
          <LatePayments />
        </Tabs.Panel>
        <Tabs.Panel value="lanes">
          <EndpointQueues />
        </Tabs.Panel>
      </Tabs>
    </Page>
  );
}

type Late = AnswerOf<'listLatePayments'>['rows'][number];

function LatePayments() {
  const said = useWords(WORDS);
  const kinds = useWords(KIND_WORDS);
  const late = useQuery({ ...reading('/console/api/host/late-payments', {}), refetchInterval: 10_000 });
  const columns = useMemo(
    (): readonly Column<Late>[] => [
      {
        id: 'payment',
        header: said.payment,
        isHeading: true,
        cell: ({ kind, paymentId }) => (
          <Stack gap={0}>
            <span>{kinds[kind]}</span>
            <Copied value={paymentId} short={paymentId.slice(0, 8)} />
          </Stack>
        ),
      },
      { id: 'merchant', header: said.merchant, cell: ({ merchant }) => merchant },
      { id: 'state', header: said.state, cell: ({ state }) => <StateBadge state={state} /> },
      {
        id: 'amount',
        header: said.amount,
        align: 'end',
        cell: ({ amount, currency }) => <Money amount={amount} currency={currency} />,
      },
      {
        id: 'due',
        header: said.due,
        cell: ({ nextAction, dueAt }) => (
          <span>
            {said[nextAction === 'SUBMIT' ? 'SUBMIT' : 'ENQUIRE']}, <Time at={dueAt} />
          </span>
        ),
      },
    ],
    [said, kinds],
  );
  return (
    <DataTable
      label={said.late}
      columns={columns}
      rows={late.data?.rows}
      rowKey={({ merchantId, kind, paymentId }) => [merchantId, kind, paymentId].join()}
      error={late.error}
      onRetry={() => void late.refetch()}
      empty={
        <EmptyState icon="check" title={said.noneLate}>
          {said.noneLateHint}
        </EmptyState>
      }
    />
  );
}

type EndpointQueue = AnswerOf<'listTroubledEndpointQueues'>['rows'][number];

function EndpointQueues() {
  const said = useWords(WORDS);
  const kinds = useWords(KIND_WORDS);
  const lanes = useQuery({ ...reading('/console/api/host/endpoint-queues', {}), refetchInterval: 10_000 });
  const columns = useMemo(
    (): readonly Column<EndpointQueue>[] => [
      { id: 'host', header: said.address, isHeading: true, cell: ({ host }) => host },
      { id: 'merchant', header: said.merchant, cell: ({ merchant }) => merchant },
      {
        id: 'kind',
        header: said.about,
        cell: ({ kind }) => kinds[KINDS.find((one) => one === kind) ?? 'DEPOSIT'],
      },
      { id: 'state', header: said.state, cell: (lane) => <EndpointQueueState lane={lane} /> },
      {
        id: 'waiting',
        header: said.waiting,
        cell: ({ waitingSince }) => (waitingSince === null ? said.nothingWaits : <Time at={waitingSince} />),
      },
    ],
    [said, kinds],
  );
  return (
    <DataTable
      label={said.lanes}
      columns={columns}
      rows={lanes.data?.rows}
      rowKey={({ merchantId, kind }) => `${merchantId} ${kind}`}
      error={lanes.error}
      onRetry={() => void lanes.refetch()}
      empty={
        <EmptyState icon="check" title={said.noneFailing}>
          {said.noneFailingHint}
        </EmptyState>
      }
    />
  );
}

function EndpointQueueState({ lane }: { readonly lane: EndpointQueue }) {
  const said = useWords(WORDS);
  const { disabledAt, pausedUntil, failingSince, failureCount } = lane;
  const state = disabledAt !== null ? 'off' : pausedUntil !== null ? 'paused' : 'failing';
  return (
    <Stack gap={2} align="flex-start">
      <StateBadge state={state} tone={state === 'off' ? 'failure' : 'trouble'}>
        {said[state]}
      </StateBadge>
      <Text component="span" size="xs" c="dimmed">
        {said.failures(failureCount)}
        {failingSince !== null && ' · '}
        {failingSince !== null && <Time at={failingSince} />}
      </Text>
    </Stack>
  );
}

const WORDS = words({
  en: {
    title: 'Stuck',
    hint: 'Payments without a clear answer, steps past their time, and callback addresses that fail.',
    unclear: 'In reconciliation',
    late: 'Late steps',
    lanes: 'Callback addresses',
    payment: 'Payment',
    merchant: 'Merchant',
    state: 'State',
    amount: 'Amount',
    due: 'Was due',
    SUBMIT: 'to be sent',
    ENQUIRE: 'to be asked about',
    address: 'Address',
    about: 'About',
    waiting: 'Waits since',
    nothingWaits: 'nothing waits',
    off: 'switched off',
    paused: 'paused',
    failing: 'failing',
    failures: (count: number) => `${count} failures`,
    noneLate: 'Every step was taken in its time',
    noneLateHint:
      'A step that is more than a minute late appears here: then workers are missing or overloaded.',
    noneFailing: 'Every address takes its callbacks',
    noneFailingHint: 'An address that refuses or does not answer appears here until it takes one again.',
  },
  fr: {
    title: 'Bloqués',
    hint: 'Paiements sans réponse claire, étapes en retard et adresses de rappel en échec.',
    unclear: 'En réconciliation',
    late: 'Étapes en retard',
    lanes: 'Adresses de rappel',
    payment: 'Paiement',
    merchant: 'Marchand',
    state: 'État',
    amount: 'Montant',
    due: 'Prévu',
    SUBMIT: 'à envoyer',
    ENQUIRE: 'à vérifier',
    address: 'Adresse',
    about: 'Sujet',
    waiting: 'En attente depuis',
    nothingWaits: 'rien n’attend',
    off: 'désactivée',
    paused: 'en pause',
    failing: 'en échec',
    failures: (count: number) => `${count} échecs`,
    noneLate: 'Chaque étape s’est faite à temps',
    noneLateHint: 'Une étape en retard de plus d’une minute apparaît ici : il manque alors des processus.',
    noneFailing: 'Chaque adresse reçoit ses rappels',
    noneFailingHint: 'Une adresse qui refuse ou se tait apparaît ici jusqu’à ce qu’elle en accepte un.',
  },
});
