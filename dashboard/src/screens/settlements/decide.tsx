import { Checkbox, Group, Stack, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useAct } from '../../api/acts.ts';
import { answer, api, type AnswerOf } from '../../api/client.ts';
import { useWords, words } from '../../language.tsx';
import { ConfirmButton } from '../../parts/confirm-button.tsx';
import { ReasonButton } from '../../parts/reason-button.tsx';

export type HostSettlement = AnswerOf<'listSettlements'>['rows'][number];

/** Records that the bank has paid it, or rejects it. Another person approves either. */
export function Decide({ settlement }: { readonly settlement: HostSettlement }) {
  const t = useWords(WORDS);
  if (settlement.approval !== null)
    return (
      <Text size="sm" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
        {t.pending(settlement.approval.requestedBy)}
      </Text>
    );
  return (
    <Group gap="xs" wrap="nowrap">
      <PaidButton settlement={settlement} />
      <RejectButton settlement={settlement} />
    </Group>
  );
}

function PaidButton({ settlement: { settlementId, stops } }: { readonly settlement: HostSettlement }) {
  const t = useWords(WORDS);
  const [reference, setReference] = useState('');
  const [bankHasPaid, setBankHasPaid] = useState(false);
  const pay = useAct({
    act: () =>
      answer(
        api.POST('/console/api/host/settlements/{settlementId}/paid', {
          params: { path: { settlementId } },
          body: { reference: reference.trim(), ...(bankHasPaid && { bankHasPaid }) },
        }),
      ),
    done: t.requested,
  });
  return (
    <ConfirmButton
      label={t.paid}
      isDangerous={false}
      isPending={pay.isPending}
      onConfirm={() => pay.mutateAsync(undefined)}
      question={
        <Stack>
          <Text>{t.paidQuestion}</Text>
          <TextInput
            label={t.reference}
            required
            maxLength={100}
            value={reference}
            onChange={(event) => setReference(event.currentTarget.value)}
          />
          {stops.length > 0 && (
            <Checkbox
              label={t.bankHasPaid}
              description={t.bankHasPaidHint}
              required
              checked={bankHasPaid}
              onChange={(event) => setBankHasPaid(event.currentTarget.checked)}
            />
          )}
        </Stack>
      }
    />
  );
}

function RejectButton({ settlement: { settlementId } }: { readonly settlement: HostSettlement }) {
  const t = useWords(WORDS);
  const reject = useAct({
    act: (reason: string) =>
      answer(
        api.POST('/console/api/host/settlements/{settlementId}/reject', {
          params: { path: { settlementId } },
          body: { reason },
        }),
      ),
    done: t.requested,
  });
  return (
    <ReasonButton
      label={t.reject}
      isPending={reject.isPending}
      isDangerous
      onConfirm={(reason) => reject.mutateAsync(reason)}
    >
      {t.rejectQuestion}
    </ReasonButton>
  );
}

const WORDS = words({
  en: {
    paid: 'Record as paid',
    reject: 'Reject',
    reference: 'Bank reference',
    paidQuestion: 'The money leaves the wallet when another person has approved.',
    bankHasPaid: 'The bank has already paid this settlement',
    bankHasPaidHint:
      'It must not be paid now. If it was not paid either, cancel this, and reject it or wait.',
    rejectQuestion:
      'The money is available again when another person has approved. The merchant sees the reason.',
    pending: (by: string) => `Pending approval, requested by ${by}`,
    requested: 'Sent for approval.',
  },
  fr: {
    paid: 'Enregistrer comme payé',
    reject: 'Refuser',
    reference: 'Référence bancaire',
    paidQuestion: 'L’argent quitte le portefeuille dès qu’une autre personne a approuvé.',
    bankHasPaid: 'La banque a déjà payé ce règlement',
    bankHasPaidHint:
      'Il ne doit pas être payé maintenant. S’il ne l’a pas été, annulez, puis refusez-le ou attendez.',
    rejectQuestion:
      'L’argent redevient disponible dès qu’une autre personne a approuvé. Le marchand voit le motif.',
    pending: (by: string) => `En attente d’approbation, demandé par ${by}`,
    requested: 'Envoyé pour approbation.',
  },
});
