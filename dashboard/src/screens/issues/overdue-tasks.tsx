import { Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import type { AnswerOf } from '../../api/client.ts';
import { reading } from '../../api/queries.ts';
import { useWords, words } from '../../language.tsx';
import { Copied } from '../../parts/copied.tsx';
import { DataTable, type Column } from '../../parts/data-table.tsx';
import { EmptyState } from '../../parts/empty-state.tsx';
import { Money } from '../../parts/money.tsx';
import { PaymentLink } from '../../parts/payment-link.tsx';
import { StateBadge } from '../../parts/state-badge.tsx';
import { STATE_WORDS, stateName } from '../../parts/state-words.ts';
import { Time } from '../../parts/time.tsx';

type Late = AnswerOf<'listLatePayments'>['rows'][number];

/** Payments whose next task should have been done before now, the most overdue first. */
export function OverdueTasks() {
  const t = useWords(WORDS);
  const states = useWords(STATE_WORDS);
  const late = useQuery({ ...reading('/console/api/host/late-payments', {}), refetchInterval: 10_000 });
  const columns = useMemo(
    (): readonly Column<Late>[] => [
      {
        id: 'payment',
        header: t.payment,
        isHeading: true,
        cell: (payment) => (
          <Stack gap={0} align="flex-start">
            <PaymentLink payment={payment} />
            <Copied value={payment.paymentId} short={payment.paymentId.slice(0, 8)} />
          </Stack>
        ),
      },
      { id: 'merchant', header: t.merchant, onPhone: 'plain', cell: ({ merchant }) => merchant },
      {
        id: 'status',
        header: t.status,
        onPhone: 'plain',
        cell: ({ state }) => <StateBadge state={state}>{stateName(state, states)}</StateBadge>,
      },
      {
        id: 'amount',
        header: t.amount,
        align: 'end',
        cell: ({ amount, currency }) => <Money amount={amount} currency={currency} />,
      },
      {
        id: 'task',
        header: t.task,
        onPhone: 'plain',
        cell: ({ nextAction }) => t[nextAction === 'SUBMIT' ? 'SUBMIT' : 'ENQUIRE'],
      },
      { id: 'due', header: t.due, cell: ({ dueAt }) => <Time at={dueAt} /> },
    ],
    [t, states],
  );
  return (
    <DataTable
      label={t.label}
      columns={columns}
      rows={late.data?.rows}
      rowKey={({ merchantId, kind, paymentId }) => [merchantId, kind, paymentId].join()}
      error={late.error}
      onRetry={() => void late.refetch()}
      empty={
        <EmptyState icon="check" title={t.none}>
          {t.noneHint}
        </EmptyState>
      }
    />
  );
}

const WORDS = words({
  en: {
    label: 'Overdue tasks',
    payment: 'Payment',
    merchant: 'Merchant',
    status: 'Status',
    amount: 'Amount',
    task: 'Task',
    SUBMIT: 'Send to operator',
    ENQUIRE: 'Check status',
    due: 'Due',
    none: 'No overdue tasks',
    noneHint:
      'A task more than a minute late is listed here. It means that workers are missing or overloaded.',
  },
  fr: {
    label: 'Tâches en retard',
    payment: 'Paiement',
    merchant: 'Marchand',
    status: 'Statut',
    amount: 'Montant',
    task: 'Tâche',
    SUBMIT: 'Envoyer à l’opérateur',
    ENQUIRE: 'Vérifier le statut',
    due: 'Échéance',
    none: 'Aucune tâche en retard',
    noneHint:
      'Une tâche en retard de plus d’une minute apparaît ici : il manque des processus de travail, ' +
      'ou ils sont surchargés.',
  },
});
