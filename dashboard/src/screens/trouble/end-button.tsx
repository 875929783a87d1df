import { notifications } from '@mantine/notifications';
import { Radio, Stack, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useAct } from '../../api/acts.ts';
import { answer, api } from '../../api/client.ts';
import { useWords, words } from '../../language.tsx';
import { ReasonButton } from '../../parts/reason-button.tsx';
import type { Unclear } from './unclear-payments.tsx';

/** Ends a payment by what a person found out. */
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
    onDone: ({ by, state }) => {
      const message = by === 'OPERATOR' ? said.byOperator(state) : said.ended(state);
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
    hint: 'The operator is asked once more. A clear answer counts for more than yours; otherwise this is final.',
    outcome: 'What became of it',
    COMPLETED: 'It was paid',
    FAILED: 'It was not paid',
    transaction: 'The operator’s number of the transaction',
    ended: (state: string) => `The payment is ${state}.`,
    byOperator: (state: string) => `The operator answered after all: the payment is ${state}.`,
  },
  fr: {
    end: 'Clore',
    hint:
      'L’opérateur est interrogé encore une fois. Sa réponse claire compte plus que la vôtre ; sinon, ' +
      'c’est définitif.',
    outcome: 'Ce qui s’est passé',
    COMPLETED: 'Il a été payé',
    FAILED: 'Il n’a pas été payé',
    transaction: 'Numéro de transaction de l’opérateur',
    ended: (state: string) => `Le paiement est ${state}.`,
    byOperator: (state: string) => `L’opérateur a répondu finalement : le paiement est ${state}.`,
  },
});
