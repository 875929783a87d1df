import { Alert, Stack, Text } from '@mantine/core';
import { useMemo } from 'react';
import { useLanguage, useWords, words } from '../../language.tsx';
import { DataTable, type Column } from '../../parts/data-table.tsx';
import { formatDay } from '../../parts/days.ts';
import { EmptyState } from '../../parts/empty-state.tsx';
import { Icon } from '../../parts/icon.tsx';
import { Money } from '../../parts/money.tsx';
import { MOVEMENT_WORDS } from '../../parts/movement-words.ts';
import { Section } from '../../parts/page.tsx';
import { PaymentLink } from '../../parts/payment-link.tsx';
import { DIFFERENCE_WORDS, type Difference } from './close-words.ts';
import type { Close } from './day-screen.tsx';

/** Each with the payment behind it. */
export function Differences({ close }: { readonly close: Close }) {
  const t = useWords(WORDS);
  const { differences, differenceCount, currency, figures } = close;
  const unreadable = figures.unreadableLineCount;
  const columns = useColumns(currency);
  return (
    <Section title={t.title} hint={t.hint}>
      {unreadable > 0 && (
        <Alert variant="default" icon={<Icon name="trouble" />} title={t.unreadable(unreadable)}>
          <Text size="sm">{t.unreadableHint}</Text>
        </Alert>
      )}
      <DataTable
        label={t.title}
        columns={columns}
        rows={differences}
        rowKey={({ kind, reference, transactionId, sinceDay, payment }) =>
          [kind, reference, transactionId, sinceDay, payment?.paymentId].join(' ')
        }
        empty={
          <EmptyState icon="approve" title={t.none}>
            {unreadable > 0 ? t.noneReadHint : t.noneHint}
          </EmptyState>
        }
      />
      {differenceCount > differences.length && (
        <Text size="sm" c="dimmed">
          {t.more(differenceCount - differences.length)}
        </Text>
      )}
    </Section>
  );
}

function useColumns(currency: string): readonly Column<Difference>[] {
  const t = useWords(WORDS);
  const kinds = useWords(DIFFERENCE_WORDS);
  const types = useWords(MOVEMENT_WORDS);
  const { language } = useLanguage();
  return useMemo(
    () => [
      {
        id: 'payment',
        header: t.payment,
        isHeading: true,
        cell: ({ payment, reference, transactionId }) => (
          <Stack gap={0} style={{ overflowWrap: 'anywhere' }}>
            {payment !== null && (
              <PaymentLink payment={payment}>
                {types[payment.kind] ?? payment.kind} {payment.paymentId.slice(0, 8)}
              </PaymentLink>
            )}
            {[reference, transactionId].map(
              (text) =>
                text !== null &&
                text !== '' && (
                  <Text key={text} component="span" size="xs" c="dimmed">
                    {text}
                  </Text>
                ),
            )}
          </Stack>
        ),
      },
      {
        id: 'amount',
        header: t.amount,
        align: 'end',
        cell: ({ amount }) => <Money amount={amount} currency={currency} />,
      },
      {
        id: 'kind',
        header: t.what,
        onPhone: 'plain',
        cell: ({ kind }) => (
          <Stack gap={0}>
            <span>{kinds[kind].name}</span>
            <Text component="span" size="xs" c="dimmed">
              {kinds[kind].advice}
            </Text>
          </Stack>
        ),
      },
      {
        id: 'day',
        header: t.day,
        cell: ({ otherDay, sinceDay }) => formatDay(otherDay ?? sinceDay, language),
      },
    ],
    [t, kinds, types, language, currency],
  );
}

const WORDS = words({
  en: {
    title: 'Differences',
    hint: 'The operator’s or the bank’s amount less ours. Each stays listed until it is gone.',
    payment: 'Payment',
    amount: 'Difference',
    what: 'What to do',
    day: 'Day',
    none: 'No differences',
    noneHint: 'Books, report and bank agree.',
    noneReadHint: 'Books, bank and the lines that could be read agree.',
    unreadable: (count: number) =>
      `${count} ${count === 1 ? 'line' : 'lines'} of the operator’s reports could not be read`,
    unreadableHint:
      'They may be about this day. Upload a corrected report for the whole day under Files, or sign with a note.',
    more: (count: number) => `… and ${count} more. The export has all of them.`,
  },
  fr: {
    title: 'Écarts',
    hint: 'Le montant de l’opérateur ou de la banque moins le nôtre. Chacun reste listé tant qu’il existe.',
    payment: 'Paiement',
    amount: 'Écart',
    what: 'Que faire',
    day: 'Journée',
    none: 'Aucun écart',
    noneHint: 'Comptes, relevé et banque concordent.',
    noneReadHint: 'Comptes, banque et lignes lues concordent.',
    unreadable: (count: number) =>
      `${count} ${count < 2 ? 'ligne illisible' : 'lignes illisibles'} dans les relevés de l’opérateur`,
    unreadableHint:
      'Elles peuvent concerner cette journée. Importez sous Fichiers un relevé corrigé de toute la journée, ' +
      'ou signez avec une note.',
    more: (count: number) => `… et ${count} de plus. L’export les contient tous.`,
  },
});
