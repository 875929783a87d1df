import { Alert, Group, Stack, Text } from '@mantine/core';
import { useAct } from '../../api/acts.ts';
import { answer, api } from '../../api/client.ts';
import { useWords, words } from '../../language.tsx';
import { useMerchant } from '../../me.ts';
import { ApprovalActs } from '../../parts/approval-acts.tsx';
import { ConfirmButton } from '../../parts/confirm-button.tsx';
import { Icon } from '../../parts/icon.tsx';
import type { Batch } from './batch-words.ts';
import { CancelButton } from './cancel-button.tsx';

/** What the reader can do about a batch that waits. */
export function BatchDecision({ batch }: { readonly batch: Batch }) {
  const said = useWords(WORDS);
  const { may } = useMerchant();
  const { needsApproval, isOwn, approval } = batch;
  const hint = needsApproval ? (isOwn ? said.ownHint : said.approvalHint) : said.aloneHint;
  return (
    <Alert
      variant="default"
      icon={<Icon name="approve" />}
      title={needsApproval ? said.needsApproval : said.ready}
    >
      <Stack gap="sm">
        <Text size="sm">{hint}</Text>
        <Group gap="xs">
          {approval !== null && !isOwn && <ApprovalActs approval={approval} />}
          {approval === null && may('payouts:prepare') && <SendButton batch={batch} />}
          {(approval === null || isOwn) && may('payouts:prepare') && <CancelButton batch={batch} />}
        </Group>
      </Stack>
    </Alert>
  );
}

/** Where an approval is needed by now, it is requested. */
function SendButton({ batch }: { readonly batch: Batch }) {
  const said = useWords(WORDS);
  const { merchantId } = useMerchant();
  const params = { path: { merchantId, batchId: batch.batchId } };
  const send = useAct({
    act: () =>
      answer(api.POST('/console/api/merchants/{merchantId}/payout-batches/{batchId}/send', { params })),
    done: ({ outcome }) => (outcome === 'REQUESTED' ? said.requested : said.started),
  });
  return (
    <ConfirmButton
      label={batch.needsApproval ? said.request : said.send}
      variant="filled"
      isDangerous={false}
      question={batch.needsApproval ? said.ownHint : said.question(batch.count)}
      isPending={send.isPending}
      onConfirm={() => send.mutateAsync(undefined)}
    />
  );
}

const WORDS = words({
  en: {
    needsApproval: 'Approval needed',
    ready: 'This batch is ready to be sent',
    approvalHint: 'Check recipients and amounts. Payouts are sent as soon as you approve.',
    ownHint: 'You prepared it, so another person must approve it. They find it under Approvals.',
    aloneHint: 'It is within the limit of a day, so no second approver is needed.',
    request: 'Send for approval',
    requested: 'Sent for approval.',
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
    ownHint: 'Vous l’avez préparé : une autre personne doit l’approuver. Elle le trouve sous Approbations.',
    aloneHint: 'Il est dans la limite du jour : aucune seconde personne n’est nécessaire.',
    request: 'Demander l’approbation',
    requested: 'Demandé. Une autre personne doit l’approuver.',
    send: 'Envoyer maintenant',
    question: (count: number) =>
      count === 1
        ? 'Un versement est envoyé aussitôt. Ce qui a atteint son bénéficiaire ne peut être rappelé.'
        : `${count} versements sont envoyés aussitôt. Ce qui a atteint son bénéficiaire ne peut être rappelé.`,
    started: 'Les versements sont en cours d’envoi.',
  },
});
