import { List, Text } from '@mantine/core';
import { useWords, words } from '../../language.tsx';
import { Money } from '../../parts/money.tsx';
import { Section } from '../../parts/page.tsx';
import { Time } from '../../parts/time.tsx';
import type { Close } from './day-screen.tsx';

/** Signatures of this day that were taken back: by whom, when and why. */
export function Reopened({ close: { reopened, currency } }: { readonly close: Close }) {
  const t = useWords(WORDS);
  if (reopened.length === 0) return null;
  return (
    <Section title={t.title} hint={t.hint}>
      <List size="sm" spacing="xs">
        {reopened.map((one) => (
          <List.Item key={one.reopenedAt} style={{ overflowWrap: 'anywhere' }}>
            <Text size="sm">
              {t.reopened(one.requestedBy, one.approvedBy)} <Time at={one.reopenedAt} isExact />
            </Text>
            <Text size="sm">{one.reason}</Text>
            <Text size="xs" c="dimmed">
              {t.signed} <Time at={one.closedAt} isExact />. {t.unexplained}{' '}
              <Money amount={one.unexplained} currency={currency} />, {t.differences(one.differenceCount)}.
              SHA-256 <span className="code">{one.contentHash}</span>
            </Text>
          </List.Item>
        ))}
      </List>
    </Section>
  );
}

const WORDS = words({
  en: {
    title: 'Reopened',
    hint: 'Signatures that two people took back. What was signed stays in the record.',
    reopened: (one: string, other: string) => `Reopened by ${one} and ${other}`,
    signed: 'Was signed',
    unexplained: 'Unexplained:',
    differences: (count: number) => (count === 1 ? '1 difference' : `${count} differences`),
  },
  fr: {
    title: 'Rouverte',
    hint: 'Signatures que deux personnes ont retirées. Ce qui a été signé reste consigné.',
    reopened: (one: string, other: string) => `Rouverte par ${one} et ${other}`,
    signed: 'Avait été signée',
    unexplained: 'Écart inexpliqué :',
    differences: (count: number) => (count < 2 ? `${count} écart` : `${count} écarts`),
  },
});
