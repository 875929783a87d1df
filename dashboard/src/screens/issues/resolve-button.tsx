import { notifications } from '@mantine/notifications';
import { Radio, Stack, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useAct } from '../../api/acts.ts';
import { answer, api } from '../../api/client.ts';
import { useWords, words } from '../../language.tsx';
import { ReasonButton } from '../../parts/reason-button.tsx';
import { STATE_WORDS, stateName } from '../../parts/state-words.ts';
import type { Unresolved } from './unresolved-payments.tsx';

/** Requests to end a payment with what a person found out; a second approver agrees. */
export function ResolveButton({ payment }: { readonly payment: Unresolved }) {
  const said = useWords(WORDS);
  const states = useWords(STATE_WORDS);
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
      const own = done === 'REQUESTED' ? said.asked : said.ended(stateName(state, states));
      const message = by === 'OPERATOR' ? said.byOperator(stateName(state, states)) : own;
      notifications.show({ message, color: 'teal' });
    },
  });
  return (
    <ReasonButton
      label={said.resolve}
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
    resolve: 'Resolve',
    hint:
      'We check with the operator once more. If it gives no clear result, your decision is final ' +
      'as soon as a second approver agrees.',
    outcome: 'Outcome',
    COMPLETED: 'Paid',
    FAILED: 'Not paid',
    transaction: 'Operator transaction ID',
    asked: 'Sent for approval.',
    ended: (status: string) => `Payment status: ${status}`,
    byOperator: (status: string) => `The operator gave a clear result. Payment status: ${status}`,
  },
  fr: {
    resolve: 'Résoudre',
    hint:
      'L’opérateur est interrogé encore une fois. Sans résultat clair, votre décision est définitive ' +
      'dès qu’une seconde personne l’approuve.',
    outcome: 'Issue',
    COMPLETED: 'Payé',
    FAILED: 'Non payé',
    transaction: 'Identifiant de transaction de l’opérateur',
    asked: 'Envoyé pour approbation.',
    ended: (status: string) => `Statut du paiement : ${status}`,
    byOperator: (status: string) => `L’opérateur a donné un résultat clair. Statut du paiement : ${status}`,
  },
});
