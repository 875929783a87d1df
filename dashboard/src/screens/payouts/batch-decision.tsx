import { Alert, Group, Stack, Text } from '@mantine/core';
import { useAct } from '../../api/acts.ts';
import { answer, api } from '../../api/client.ts';
import { useWords, words } from '../../language.tsx';
import { useMerchant } from '../../me.ts';
import { ConfirmButton } from '../../parts/confirm-button.tsx';
import { Icon } from '../../parts/icon.tsx';
import type { Batch } from './batch-words.ts';
import { CancelButton } from './cancel-button.tsx';

/** What whoever looks at a batch that waits can do about it. */
export function BatchDecision({ batch }: { readonly batch: Batch }) {
  const said = useWords(WORDS);
  const { may } = useMerchant();
  const canApprove = may('payouts:approve') && !batch.isOwn;
  const canSend = may('payouts:prepare') && !batch.needsApproval && !canApprove;
  const hint = batch.needsApproval ? (batch.isOwn ? said.ownHint : said.approvalHint) : said.aloneHint;
  return (
    <Alert
      variant="default"
      icon={<Icon name="approve" />}
      title={batch.needsApproval ? said.needsApproval : said.ready}
    >
      <Stack gap="sm">
        <Text size="sm">{hint}</Text>
        <Group gap="xs">
          {canApprove && <StartButton batch={batch} how="approve" />}
          {canSend && <StartButton batch={batch} how="send" />}
          {may('payouts:prepare') && <CancelButton batch={batch} />}
        </Group>
      </Stack>
    </Alert>
  );
}

function StartButton({ batch, how }: { readonly batch: Batch; readonly how: 'approve' | 'send' }) {
  const said = useWords(WORDS);
  const { merchantId } = useMerchant();
  const params = { path: { merchantId, batchId: batch.batchId } };
  const start = useAct({
    act: () =>
      answer(
        how === 'approve'
          ? api.POST('/console/api/merchants/{merchantId}/payout-batches/{batchId}/approve', { params })
          : api.POST('/console/api/merchants/{merchantId}/payout-batches/{batchId}/send', { params }),
      ),
    done: said.started,
  });
  return (
    <ConfirmButton
      label={said[how]}
      variant="filled"
      isDangerous={false}
      question={said.question(batch.count)}
      isPending={start.isPending}
      onConfirm={() => start.mutateAsync(undefined)}
    />
  );
}

const WORDS = words({
  en: {
    needsApproval: 'This batch waits for a second person',
    ready: 'This batch is ready to be sent',
    approvalHint: 'Look at who is paid how much. What you approve is sent at once.',
    ownHint: 'You prepared it, so another person must approve it. They find it under Payouts.',
    aloneHint: 'It is within the limit of a day, so no second person is needed.',
    approve: 'Approve and send',
    send: 'Send now',
    question: (count: number) =>
      count === 1
        ? 'One payout is sent at once. What has reached a recipient cannot be called back.'
        : `${count} payouts are sent at once. What has reached a recipient cannot be called back.`,
    started: 'The payouts are being sent.',
  },
  fr: {
    needsApproval: 'Ce lot attend une seconde personne',
    ready: 'Ce lot est prêt à être envoyé',
    approvalHint: 'Regardez qui reçoit combien. Ce que vous approuvez est envoyé aussitôt.',
    ownHint: 'Vous l’avez préparé : une autre personne doit l’approuver. Elle le trouve sous Versements.',
    aloneHint: 'Il est dans la limite du jour : aucune seconde personne n’est nécessaire.',
    approve: 'Approuver et envoyer',
    send: 'Envoyer maintenant',
    question: (count: number) =>
      count === 1
        ? 'Un versement est envoyé aussitôt. Ce qui a atteint son bénéficiaire ne peut être rappelé.'
        : `${count} versements sont envoyés aussitôt. Ce qui a atteint son bénéficiaire ne peut être rappelé.`,
    started: 'Les versements sont en cours d’envoi.',
  },
});
