import { Group, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useAct } from '../api/acts.ts';
import { answer, api, type AnswerOf } from '../api/client.ts';
import { useWords, words } from '../language.tsx';
import { hostScope, merchantScope, useMe, type Me } from '../me.ts';
import { KIND_OF_APPROVAL_WORDS } from './approval-words.ts';
import { ConfirmButton } from './confirm-button.tsx';

export type Approval = AnswerOf<'listApprovals'>['approvals'][number];

type ActsProps = {
  readonly approval: Approval;
  /** Somebody may join by this link, where it is not mailed. */
  readonly onInvited: (invited: { readonly email: string; readonly link: string }) => void;
};

/** What somebody can do about what waits: whoever asked takes it back, everybody else decides. */
export function ApprovalActs({ approval, onInvited }: ActsProps) {
  const me = useMe();
  const said = useWords(WORDS);
  if (approval.isOwn) return <Withdraw approval={approval} />;
  if (approval.isConfirmedByMe || !mayDecide(me, approval)) {
    return (
      <Text component="span" size="sm" c="dimmed">
        {said.others}
      </Text>
    );
  }
  return (
    <Group gap="xs" wrap="nowrap">
      <Approve approval={approval} onInvited={onInvited} />
      <Refuse approval={approval} />
    </Group>
  );
}

function mayDecide(me: Me, { merchantId, isPlatform }: Approval): boolean {
  return isPlatform || merchantId === null
    ? hostScope(me).permissions.includes('host-team:write')
    : merchantScope(me, merchantId).permissions.includes('approvals:decide');
}

function Approve({ approval, onInvited }: ActsProps) {
  const said = useWords(WORDS);
  const kinds = useWords(KIND_OF_APPROVAL_WORDS);
  const { kind, subject, askedBy } = approval;
  const approve = useAct({
    act: () => call(approval, 'approve'),
    onDone: (given) => {
      const isConfirmed = 'outcome' in given && given.outcome === 'CONFIRMED';
      notifications.show({ message: isConfirmed ? said.confirmed : said.approved, color: 'teal' });
      if ('link' in given && given.link !== null) onInvited({ email: subject ?? '', link: given.link });
    },
  });
  return (
    <ConfirmButton
      label={said.approve}
      variant="filled"
      isDangerous={false}
      question={
        <>
          <Text>{kinds[kind].effect(subject ?? '')}</Text>
          <Text size="sm" c="dimmed">
            {approval.approvalsNeeded > 1 ? said.ofCommand(askedBy) : said.sure(askedBy)}
          </Text>
        </>
      }
      isPending={approve.isPending}
      onConfirm={() => approve.mutateAsync(undefined)}
    />
  );
}

function Refuse({ approval }: Pick<ActsProps, 'approval'>) {
  const said = useWords(WORDS);
  const refuse = useAct({ act: () => call(approval, 'refuse'), done: said.refused });
  return (
    <ConfirmButton
      label={said.refuse}
      question={said.refuseQuestion}
      isPending={refuse.isPending}
      onConfirm={() => refuse.mutateAsync(undefined)}
    />
  );
}

function Withdraw({ approval }: Pick<ActsProps, 'approval'>) {
  const said = useWords(WORDS);
  const withdraw = useAct({ act: () => call(approval, 'withdraw'), done: said.withdrawn });
  return (
    <ConfirmButton
      label={said.withdraw}
      question={said.withdrawQuestion}
      isPending={withdraw.isPending}
      onConfirm={() => withdraw.mutateAsync(undefined)}
    />
  );
}

/** What concerns a merchant is decided at the merchant, except what only the platform's people decide. */
async function call(
  { merchantId, approvalId, isPlatform }: Approval,
  act: 'approve' | 'refuse' | 'withdraw',
) {
  return isPlatform || merchantId === null
    ? answer(
        api.POST(`/console/api/host/approvals/{approvalId}/${act}`, { params: { path: { approvalId } } }),
      )
    : answer(
        api.POST(`/console/api/merchants/{merchantId}/approvals/{approvalId}/${act}`, {
          params: { path: { merchantId, approvalId } },
        }),
      );
}

const WORDS = words({
  en: {
    approve: 'Approve',
    sure: (by: string) => `Asked for by ${by}. Make sure that they did, and why, before you agree.`,
    ofCommand: (by: string) => `Requested on the command line as “${by}”. Two people must approve it.`,
    approved: 'It is done.',
    confirmed: 'Approved by you. Another person must approve it too.',
    refuse: 'Refuse',
    refuseQuestion: 'Nobody can approve it any more. It can be asked for again.',
    refused: 'It was refused. Nothing has changed.',
    withdraw: 'Take back',
    withdrawQuestion: 'Nobody can approve it any more. You can ask again.',
    withdrawn: 'It was taken back.',
    others: 'Others decide.',
  },
  fr: {
    approve: 'Approuver',
    sure: (by: string) =>
      `Demandé par ${by}. Assurez-vous que c’est bien le cas, et pourquoi, avant d’accepter.`,
    ofCommand: (by: string) =>
      `Demandé en ligne de commande au nom de « ${by} ». Deux personnes doivent l’approuver.`,
    approved: 'C’est fait.',
    confirmed: 'Approuvé par vous. Une autre personne doit aussi l’approuver.',
    refuse: 'Refuser',
    refuseQuestion: 'Personne ne pourra plus l’approuver. Cela pourra être redemandé.',
    refused: 'Refusé. Rien n’a changé.',
    withdraw: 'Retirer',
    withdrawQuestion: 'Personne ne pourra plus l’approuver. Vous pourrez redemander.',
    withdrawn: 'La demande est retirée.',
    others: 'D’autres décident.',
  },
});
