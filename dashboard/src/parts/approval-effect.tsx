import { List, Stack, Text } from '@mantine/core';
import { useLanguage, useWords, words } from '../language.tsx';
import type { Approval } from './approval-acts.tsx';
import { Money } from './money.tsx';
import { postingTitle } from './posting-words.ts';

type EffectProps = {
  readonly approval: Pick<Approval, 'effect'>;
  /** Whether it is shown to somebody who is about to approve, who must know that it can still change. */
  readonly isDeciding?: boolean;
};

/** What approving a request posts at this moment, and what the merchant's wallet has and owes then. */
export function ApprovalEffect({ approval: { effect }, isDeciding = false }: EffectProps) {
  const t = useWords(WORDS);
  const { language } = useLanguage();
  if (effect === null) return null;
  const { postings, currency, available, owed } = effect;
  return (
    <Stack gap={2} maw={300}>
      <Text component="span" size="sm" fw={600}>
        {t.title(currency)}
      </Text>
      {postings.length === 0 ? (
        <Text component="span" size="sm">
          {t.nothing}
        </Text>
      ) : (
        <List size="sm" spacing={0}>
          {postings.map((posting, index) => (
            <List.Item
              key={`${index} ${posting.debit} ${posting.credit}`}
              style={{ overflowWrap: 'anywhere' }}
            >
              {postingTitle(posting, language)}
            </List.Item>
          ))}
        </List>
      )}
      <Text component="span" size="sm">
        {t.available} <Money amount={available} currency={currency} />
      </Text>
      <Text component="span" size="sm">
        {t.owed} <Money amount={owed} currency={currency} />
      </Text>
      {isDeciding && (
        <Text component="span" size="xs" c="dimmed">
          {t.moment}
        </Text>
      )}
    </Stack>
  );
}

const WORDS = words({
  en: {
    title: (currency: string) => `Posted if approved now (${currency})`,
    nothing: 'Nothing: it only closes the case.',
    available: 'The merchant’s wallet then has available:',
    owed: 'The merchant then owes:',
    moment: 'What is posted follows the wallet at the moment of approval. The audit log keeps it.',
  },
  fr: {
    title: (currency: string) => `Écritures si vous approuvez maintenant (${currency})`,
    nothing: 'Aucune : le dossier est seulement clos.',
    available: 'Disponible ensuite dans le portefeuille du marchand :',
    owed: 'Dû ensuite par le marchand :',
    moment:
      'Les écritures dépendent du portefeuille au moment de l’approbation. Le journal d’audit les conserve.',
  },
});
