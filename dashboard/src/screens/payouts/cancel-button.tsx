import { Stack, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useAct } from '../../api/acts.ts';
import { answer, api } from '../../api/client.ts';
import { useWords, words } from '../../language.tsx';
import { useMerchant } from '../../me.ts';
import { ConfirmButton } from '../../parts/confirm-button.tsx';
import type { Batch } from './batch-words.ts';

/** Cancels a batch that waits, or stops what is not yet sent of one that is being sent. */
export function CancelButton({ batch }: { readonly batch: Batch }) {
  const said = useWords(WORDS);
  const { merchantId } = useMerchant();
  const [reason, setReason] = useState('');
  const cancel = useAct({
    act: () =>
      answer(
        api.POST('/console/api/merchants/{merchantId}/payout-batches/{batchId}/cancel', {
          params: { path: { merchantId, batchId: batch.batchId } },
          body: reason.trim() === '' ? {} : { reason: reason.trim() },
        }),
      ),
    done: said.cancelled,
  });
  const isWaiting = batch.status === 'WAITING';
  return (
    <ConfirmButton
      label={isWaiting ? said.discard : said.stop}
      question={
        <Stack gap="sm">
          <Text>{isWaiting ? said.discardQuestion : said.stopQuestion}</Text>
          <TextInput
            label={said.reason}
            maxLength={500}
            value={reason}
            onChange={(event) => setReason(event.currentTarget.value)}
          />
        </Stack>
      }
      isPending={cancel.isPending}
      onConfirm={() => cancel.mutateAsync(undefined)}
    />
  );
}

const WORDS = words({
  en: {
    discard: 'Cancel batch',
    stop: 'Stop sending',
    discardQuestion: 'No payout of this batch will be sent.',
    stopQuestion: 'Payouts that are not sent yet will never be sent. Those in progress continue.',
    reason: 'Reason (optional, recorded)',
    cancelled: 'No more payouts of this batch are sent.',
  },
  fr: {
    discard: 'Annuler le lot',
    stop: 'Arrêter l’envoi',
    discardQuestion: 'Aucun versement de ce lot ne sera envoyé.',
    stopQuestion: 'Les versements non envoyés ne le seront jamais. Ceux en cours continuent.',
    reason: 'Motif (facultatif, enregistré)',
    cancelled: 'Plus aucun versement de ce lot n’est envoyé.',
  },
});
