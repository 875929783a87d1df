import { Alert, Group, Stack, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { useAct } from '../../api/acts.ts';
import { answer, api } from '../../api/client.ts';
import { reading } from '../../api/queries.ts';
import { useWords, words } from '../../language.tsx';
import { useHost } from '../../me.ts';
import { WaitingApprovals } from '../../parts/approval-list.tsx';
import { Copied } from '../../parts/copied.tsx';
import { useCursor } from '../../parts/cursor.ts';
import { DataTable, type Column } from '../../parts/data-table.tsx';
import { EmptyState } from '../../parts/empty-state.tsx';
import { Money } from '../../parts/money.tsx';
import { useNames } from '../../parts/names.tsx';
import { PaymentLink } from '../../parts/payment-link.tsx';
import { ReasonButton } from '../../parts/reason-button.tsx';
import { REVIEW_REASON_WORDS, type Review } from '../../parts/review-words.ts';
import { Time } from '../../parts/time.tsx';

const WAITING_KINDS = ['REVIEW'] as const;

/** Payments that people look at before they are sent. */
export function Reviews() {
  const t = useWords(WORDS);
  const { may } = useHost();
  const { cursor, pagingOf } = useCursor();
  const reviews = useQuery({
    ...reading('/console/api/host/reviews', {
      params: { query: cursor === undefined ? {} : { cursor } },
    }),
    placeholderData: keepPreviousData,
  });
  const columns = useColumns(may('risk:write'));
  const { otherCells = [], missingCells = [] } = reviews.data ?? {};
  return (
    <Stack gap="lg">
      {otherCells.map(({ cell, count }) => (
        <Alert key={cell} color="yellow" title={t.elsewhere(cell, count)} />
      ))}
      {missingCells.length > 0 && <Alert color="yellow" title={t.missing(missingCells.join(', '))} />}
      <DataTable
        label={t.label}
        columns={columns}
        rows={reviews.data?.rows}
        rowKey={({ merchantId, kind, paymentId }) => `${merchantId} ${kind} ${paymentId}`}
        skeletonRows={3}
        paging={pagingOf(reviews.data?.next ?? null)}
        error={reviews.error}
        onRetry={() => void reviews.refetch()}
        empty={
          <EmptyState icon="shield" title={t.none}>
            {t.noneHint}
          </EmptyState>
        }
      />
      <WaitingApprovals kinds={WAITING_KINDS} />
    </Stack>
  );
}

function useColumns(mayDecide: boolean): readonly Column<Review>[] {
  const t = useWords(WORDS);
  const reasons = useWords(REVIEW_REASON_WORDS);
  const names = useNames();
  return useMemo(
    () => [
      {
        id: 'payment',
        header: t.payment,
        isHeading: true,
        cell: (payment) => (
          <Stack gap={2} align="flex-start">
            <PaymentLink payment={payment} />
            <Copied value={payment.paymentId} short={payment.paymentId.slice(0, 8)} />
            <Text component="span" size="xs" c="dimmed">
              <Time at={payment.createdAt} />
            </Text>
          </Stack>
        ),
      },
      {
        id: 'merchant',
        header: t.merchant,
        onPhone: 'plain',
        cell: ({ merchant, provider, phoneNumber }) => (
          <Stack gap={0}>
            <span>{merchant}</span>
            <Text component="span" size="xs" c="dimmed">
              {phoneNumber} · {names.provider(provider)}
            </Text>
          </Stack>
        ),
      },
      {
        id: 'amount',
        header: t.amount,
        align: 'end',
        cell: ({ amount, currency }) => <Money amount={amount} currency={currency} />,
      },
      {
        id: 'why',
        header: t.why,
        onPhone: 'plain',
        cell: ({ reasons: why, reason, endsAt }) => (
          <Stack gap={0} fz="sm" style={{ overflowWrap: 'anywhere' }}>
            {why.map((one) => (
              <span key={one}>{reasons[one]}</span>
            ))}
            {reason !== null && (
              <Text component="span" inherit c="dimmed">
                {reason}
              </Text>
            )}
            {endsAt !== null && (
              <Text component="span" inherit c="dimmed">
                {t.ends} <Time at={endsAt} />
              </Text>
            )}
          </Stack>
        ),
      },
      ...(mayDecide
        ? [
            {
              id: 'acts',
              header: t.acts,
              isActions: true,
              cell: (review: Review) => <Decide review={review} />,
            },
          ]
        : []),
    ],
    [t, reasons, names, mayDecide],
  );
}

function Decide({ review }: { readonly review: Review }) {
  const t = useWords(WORDS);
  if (review.approval !== null)
    return (
      <Text size="sm" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
        {t.pending(review.approval.requestedBy)}
      </Text>
    );
  return (
    <Group gap="xs" wrap="nowrap">
      <DecideButton review={review} decision="RELEASE" />
      <DecideButton review={review} decision="REJECT" />
    </Group>
  );
}

type Decision = { readonly review: Review; readonly decision: 'RELEASE' | 'REJECT' };

function DecideButton({ review: { merchantId, kind, paymentId }, decision }: Decision) {
  const t = useWords(WORDS);
  const decide = useAct({
    act: (reason: string) =>
      answer(
        api.POST('/console/api/host/reviews', { body: { merchantId, kind, paymentId, decision, reason } }),
      ),
    onDone: () => notifications.show({ message: t.requested }),
  });
  return (
    <ReasonButton
      label={t[decision]}
      isPending={decide.isPending}
      isDangerous={decision === 'REJECT'}
      onConfirm={(reason) => decide.mutateAsync(reason)}
    >
      {t.questions[decision]}
    </ReasonButton>
  );
}

const WORDS = words({
  en: {
    label: 'Review queue',
    payment: 'Payment',
    merchant: 'Merchant and recipient',
    amount: 'Amount',
    why: 'Held because',
    ends: 'Released automatically',
    acts: 'Actions',
    none: 'No payments to review',
    noneHint: 'Payments that screening or a review rule holds wait here until two people decide.',
    RELEASE: 'Release',
    REJECT: 'Reject',
    questions: {
      RELEASE: 'The payment is sent when another person has approved.',
      REJECT: 'The payment is stopped when another person has approved. The money stays in the wallet.',
    },
    elsewhere: (cell: string, count: number) =>
      `${count} more in cell ${cell}: decide in the dashboard of that cell`,
    missing: (cells: string) => `Cell ${cells} does not answer: what waits there is not known`,
    pending: (by: string) => `Pending approval, requested by ${by}`,
    requested: 'Sent for approval. The payment waits until another person decides.',
  },
  fr: {
    label: 'File de contrôle',
    payment: 'Paiement',
    merchant: 'Marchand et bénéficiaire',
    amount: 'Montant',
    why: 'Retenu car',
    ends: 'Libéré automatiquement',
    acts: 'Actions',
    none: 'Aucun paiement à contrôler',
    noneHint:
      'Les paiements retenus par le filtrage ou par une règle attendent ici la décision de deux personnes.',
    RELEASE: 'Libérer',
    REJECT: 'Refuser',
    questions: {
      RELEASE: 'Le paiement part dès qu’une autre personne a approuvé.',
      REJECT:
        'Le paiement est arrêté dès qu’une autre personne a approuvé. L’argent reste dans le portefeuille.',
    },
    elsewhere: (cell: string, count: number) =>
      `${count} de plus dans la cellule ${cell} : décidez dans le tableau de bord de cette cellule`,
    missing: (cells: string) => `La cellule ${cells} ne répond pas : on ne sait pas ce qui y attend`,
    pending: (by: string) => `En attente d’approbation, demandé par ${by}`,
    requested: 'Envoyé pour approbation. Le paiement attend la décision d’une autre personne.',
  },
});
