import { Button, Modal, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import type { AnswerOf } from '../api/client.ts';
import { reading } from '../api/queries.ts';
import { useWords, words } from '../language.tsx';
import { DataTable, type Column } from './data-table.tsx';
import { Money } from './money.tsx';
import { PaymentLink } from './payment-link.tsx';
import { EFFECT_WORDS } from './report-effects.ts';
import { STATE_WORDS } from './state-words.ts';
import { Time } from './time.tsx';

type Proposal = AnswerOf<'listProposedLines'>['rows'][number];
type ShownLine = Pick<Proposal, 'lineNo' | 'line' | 'payment'>;

/** The first lines of a report that wait for its approval, each beside our payment: for those who are to approve it. */
export function ProposedLinesButton({ reportId }: { readonly reportId: string }) {
  const t = useWords(WORDS);
  const [isOpen, { open, close }] = useDisclosure();
  return (
    <>
      <Button variant="default" size="xs" onClick={open}>
        {t.show}
      </Button>
      <Modal opened={isOpen} onClose={close} title={t.title} centered size="xl">
        <ProposedLines reportId={reportId} />
      </Modal>
    </>
  );
}

function ProposedLines({ reportId }: { readonly reportId: string }) {
  const t = useWords(WORDS);
  const lines = useQuery(
    reading('/console/api/host/operator-reports/{reportId}/proposals', { params: { path: { reportId } } }),
  );
  return (
    <Stack gap="sm">
      <Text size="sm">{t.hint}</Text>
      <DataTable
        label={t.title}
        columns={useColumns()}
        rows={lines.data?.rows}
        rowKey={({ lineNo, effect }) => `${effect} ${lineNo}`}
        skeletonRows={3}
        error={lines.error}
        onRetry={() => void lines.refetch()}
        empty={<Text size="sm">{t.none}</Text>}
      />
    </Stack>
  );
}

function useColumns(): readonly Column<Proposal>[] {
  const t = useWords(WORDS);
  const effects = useWords(EFFECT_WORDS);
  const lineColumns = useLineColumns();
  return useMemo(
    (): readonly Column<Proposal>[] => [
      {
        id: 'effect',
        header: t.effect,
        isHeading: true,
        cell: ({ effect, lineNo }) => (
          <Stack gap={0}>
            <span>{effects[effect].line}</span>
            <Small>{t.lineNo(lineNo)}</Small>
          </Stack>
        ),
      },
      ...lineColumns,
    ],
    [t, effects, lineColumns],
  );
}

/** A line as it was read, and our payment beside it. */
export function useLineColumns(): readonly Column<ShownLine>[] {
  const t = useWords(WORDS);
  const states: Readonly<Record<string, string>> = useWords(STATE_WORDS);
  return useMemo(
    () => [
      {
        id: 'line',
        header: t.line,
        cell: ({ line }) => (
          <Stack gap={0} style={{ overflowWrap: 'anywhere' }}>
            <span>
              {t.directions[line.direction]} <Money amount={line.amount} currency={line.currency} />,{' '}
              {states[line.status] ?? line.status}
            </span>
            <Small>
              <Time at={line.occurredAt} isExact /> · {line.transactionId ?? line.reference}
            </Small>
          </Stack>
        ),
      },
      {
        id: 'payment',
        header: t.payment,
        cell: ({ payment }) =>
          payment === null ? (
            t.noPayment
          ) : (
            <Stack gap={0} style={{ overflowWrap: 'anywhere' }}>
              <span>
                <PaymentLink payment={payment} />{' '}
                <Money amount={payment.amount} currency={payment.currency} />,{' '}
                {states[payment.state] ?? payment.state}
              </span>
              <Small>{payment.merchant}</Small>
            </Stack>
          ),
      },
    ],
    [t, states],
  );
}

function Small({ children }: { readonly children: React.ReactNode }) {
  return (
    <Text component="span" size="xs" c="dimmed">
      {children}
    </Text>
  );
}

const WORDS = words({
  en: {
    show: 'View lines',
    title: 'Lines of the report',
    hint: 'The first lines of each sort, as they were read, beside our payments.',
    effect: 'When approved',
    line: 'Line',
    lineNo: (line: number) => `Line ${line}`,
    directions: { IN: 'In', OUT: 'Out' },
    payment: 'Our payment',
    noPayment: 'Not known here',
    none: 'Nothing waits any more.',
  },
  fr: {
    show: 'Voir les lignes',
    title: 'Lignes du relevé',
    hint: 'Les premières lignes de chaque sorte, telles qu’elles ont été lues, à côté de nos paiements.',
    effect: 'Une fois approuvé',
    line: 'Ligne',
    lineNo: (line: number) => `Ligne ${line}`,
    directions: { IN: 'Entrée', OUT: 'Sortie' },
    payment: 'Notre paiement',
    noPayment: 'Inconnu ici',
    none: 'Plus rien n’attend.',
  },
});
