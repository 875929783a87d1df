import { notifications } from '@mantine/notifications';
import { Radio, Stack, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useAct } from '../../api/acts.ts';
import { answer, api } from '../../api/client.ts';
import { useWords, words } from '../../language.tsx';
import { ReasonButton } from '../../parts/reason-button.tsx';
import type { Unclear } from './unclear-payments.tsx';

/** Asks to end a payment by what a person found out; a second person approves it. */
export function EndButton({ payment }: { readonly payment: Unclear }) {
  const said = useWords(WORDS);
  const { merchantId, kind, paymentId } = payment;
  const [outcome, setOutcome] = useState<'COMPLETED' | 'FAILED'>('COMPLETED');
  const [transaction, setTransaction] = useState('');
  const end = useAct({
    act: (reason: string) =>
      answer(
        api.POST('/console/api/host/payments/{merchantId}/{kind}/{paymentId}/end', {
          params: { path: { merchantId, kind, paymentId } },
          body: {
            outcome,
            reason,
            ...(outcome === 'COMPLETED' ? { providerTransactionId: transaction.trim() } : {}),
          },
        }),
      ),
    onDone: ({ by, state, outcome: done }) => {
      const own = done === 'REQUESTED' ? said.asked : said.ended(state);
      const message = by === 'OPERATOR' ? said.byOperator(state) : own;
      notifications.show({ message, color: 'teal' });
    },
  });
  return (
    <ReasonButton
      label={said.end}
      isPending={end.isPending}
      isIncomplete={outcome === 'COMPLETED' && transaction.trim() === ''}
      onConfirm={(reason) => end.mutateAsync(reason)}
    >
      <Stack>
        <Text size="sm">{said.hint}</Text>
        <Radio.Group
          label={said.outcome}
          value={outcome}
          onChange={(value) => setOutcome(value === 'FAILED' ? 'FAILED' : 'COMPLETED')}
        >
          <Stack gap="xs" mt="xs">
            <Radio value="COMPLETED" label={said.COMPLETED} />
            <Radio value="FAILED" label={said.FAILED} />
          </Stack>
        </Radio.Group>
        {outcome === 'COMPLETED' && (
          <TextInput
            label={said.transaction}
            required
            maxLength={255}
            value={transaction}
            onChange={(event) => setTransaction(event.currentTarget.value)}
          />
        )}
      </Stack>
    </ReasonButton>
  );
}

const WORDS = words({
  en: {
    end: 'End',
    hint: 'We check with the operator again. If it gives no clear result, a second person must approve your request.',
    outcome: 'What became of it',
    COMPLETED: 'It was paid',
    FAILED: 'It was not paid',
    transaction: 'The operator’s number of the transaction',
    asked: 'Sent for approval. Another person must approve it.',
    ended: (state: string) => `The payment is ${state}.`,
    byOperator: (state: string) => `The operator answered after all: the payment is ${state}.`,
  },
  fr: {
    end: 'Clore',
    hint:
      'L’opérateur est interrogé encore une fois. Sans réponse claire, une seconde personne doit approuver ' +
      'votre demande.',
    outcome: 'Ce qui s’est passé',
    COMPLETED: 'Il a été payé',
    FAILED: 'Il n’a pas été payé',
    transaction: 'Numéro de transaction de l’opérateur',
    asked: 'Envoyé pour approbation. Une autre personne doit l’approuver.',
    ended: (state: string) => `Le paiement est ${state}.`,
    byOperator: (state: string) => `L’opérateur a répondu finalement : le paiement est ${state}.`,
  },
});
