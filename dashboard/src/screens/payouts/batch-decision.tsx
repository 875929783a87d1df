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
    ready: 'Ready to send',
    approvalHint: 'Check recipients and amounts. Payouts are sent as soon as you approve.',
    ownHint: 'You prepared it, so another person must approve it. They find it under Approvals.',
    aloneHint: 'It is within the daily limit, so no second approver is needed.',
    request: 'Send for approval',
    requested: 'Sent for approval.',
    send: 'Send now',
    question: (count: number) =>
      count === 1
        ? 'One payout is sent now. Completed payouts cannot be reversed.'
        : `${count} payouts are sent now. Completed payouts cannot be reversed.`,
    started: 'Sending payouts.',
  },
  fr: {
    needsApproval: 'Approbation requise',
    ready: 'Prêt à être envoyé',
    approvalHint:
      'Vérifiez les bénéficiaires et les montants. Les versements partent dès que vous approuvez.',
    ownHint: 'Vous l’avez préparé : une autre personne doit l’approuver. Elle le trouve sous Approbations.',
    aloneHint: 'Il est dans la limite du jour : aucune seconde approbation n’est nécessaire.',
    request: 'Demander l’approbation',
    requested: 'Envoyé pour approbation.',
    send: 'Envoyer maintenant',
    question: (count: number) =>
      count === 1
        ? 'Un versement part maintenant. Un versement effectué ne peut être annulé.'
        : `${count} versements partent maintenant. Un versement effectué ne peut être annulé.`,
    started: 'Envoi des versements en cours.',
  },
});
