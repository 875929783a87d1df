import { SimpleGrid } from '@mantine/core';
import { useWords, words } from '../../language.tsx';
import { FieldList } from '../../parts/field-list.tsx';
import { Money } from '../../parts/money.tsx';
import { Section } from '../../parts/page.tsx';
import type { Close } from './day-screen.tsx';

/** Our ledger, the operator's report and the bank, side by side. */
export function DayFigures({ close: { figures, currency } }: { readonly close: Close }) {
  const t = useWords(WORDS);
  const money = (amount: string, isStrong = false) => (
    <Money amount={amount} currency={currency} isStrong={isStrong} />
  );
  return (
    <SimpleGrid cols={{ base: 1, md: 3 }}>
      <Section title={t.books} hint={t.movements(figures.movementCount)}>
        <FieldList
          fields={[
            { label: t.opening, value: money(figures.opening) },
            { label: t.received, value: money(figures.received) },
            { label: t.sent, value: money(figures.sent) },
            { label: t.closing, value: money(figures.closing, true) },
          ]}
        />
      </Section>
      <Section title={t.report} hint={t.lines(figures.lineCount)}>
        <FieldList
          fields={[
            { label: t.received, value: money(figures.reportReceived) },
            { label: t.sent, value: money(figures.reportSent) },
            { label: t.brought, value: money(figures.broughtForward) },
            { label: t.carried, value: money(figures.carriedForward) },
            { label: t.unexplained, value: money(figures.unexplained, true) },
          ]}
        />
      </Section>
      <Section title={t.bank} hint={t.lines(figures.bankLineCount)}>
        <FieldList
          fields={[
            { label: t.toOperator, value: money(figures.bankReceived) },
            { label: t.fromOperator, value: money(figures.bankSent) },
            { label: t.unexplained, value: money(figures.bankUnexplained, true) },
          ]}
        />
      </Section>
    </SimpleGrid>
  );
}

const WORDS = words({
  en: {
    books: 'Our ledger',
    movements: (count: number) => (count === 1 ? '1 movement' : `${count} movements`),
    lines: (count: number) => (count === 1 ? '1 line' : `${count} lines`),
    opening: 'Opening balance',
    received: 'Received',
    sent: 'Sent',
    closing: 'Closing balance',
    report: 'Operator report',
    brought: 'Brought forward',
    carried: 'Carried forward',
    unexplained: 'Unexplained',
    bank: 'Bank',
    toOperator: 'To the operator',
    fromOperator: 'From the operator',
  },
  fr: {
    books: 'Nos comptes',
    movements: (count: number) => (count === 1 ? '1 mouvement' : `${count} mouvements`),
    lines: (count: number) => (count === 1 ? '1 ligne' : `${count} lignes`),
    opening: 'Solde d’ouverture',
    received: 'Reçu',
    sent: 'Envoyé',
    closing: 'Solde de clôture',
    report: 'Relevé de l’opérateur',
    brought: 'Report de la veille',
    carried: 'Report au lendemain',
    unexplained: 'Écart inexpliqué',
    bank: 'Banque',
    toOperator: 'Vers l’opérateur',
    fromOperator: 'Depuis l’opérateur',
  },
});
