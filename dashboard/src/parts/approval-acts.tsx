import { Group, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useAct } from '../api/acts.ts';
import { answer, api, type AnswerOf } from '../api/client.ts';
import { useWords, words } from '../language.tsx';
import { ApprovalEffect } from './approval-effect.tsx';
import { KIND_OF_APPROVAL_WORDS, moneyQuestion, titleOf } from './approval-words.ts';
import { ConfirmButton } from './confirm-button.tsx';
import { useReader } from './detail-values.ts';
import { ReasonButton } from './reason-button.tsx';

export type Approval = AnswerOf<'listApprovals'>['rows'][number];

type ActsProps = {
  readonly approval: Approval;
  /** A person may join by this link, where it is not mailed. */
  readonly onInvited?: (invited: { readonly email: string; readonly link: string }) => void;
};

/** What the reader can do about a pending request: the requester withdraws it, others approve or reject it. */
export function ApprovalActs({ approval, onInvited }: ActsProps) {
  const said = useWords(WORDS);
  if (approval.isOwn) return <Withdraw approval={approval} />;
  if (!approval.mayDecide) {
    return (
      <Text component="span" size="sm" c="dimmed">
        {said.others}
      </Text>
    );
  }
  return (
    <Group gap="xs" wrap="nowrap">
      <Approve approval={approval} {...(onInvited === undefined ? {} : { onInvited })} />
      <Reject approval={approval} />
    </Group>
  );
}

function Approve({ approval, onInvited }: ActsProps) {
  const said = useWords(WORDS);
  const reader = useReader();
  const kinds = useWords(KIND_OF_APPROVAL_WORDS);
  const { kind, requestedBy, details, hash } = approval;
  const approve = useAct({
    act: () => {
      const { merchantId, approvalId, isPlatform } = approval;
      const body = { hash };
      return isPlatform || merchantId === null
        ? answer(
            api.POST('/console/api/host/approvals/{approvalId}/approve', {
              params: { path: { approvalId } },
              body,
            }),
          )
        : answer(
            api.POST('/console/api/merchants/{merchantId}/approvals/{approvalId}/approve', {
              params: { path: { merchantId, approvalId } },
              body,
            }),
          );
    },
    onDone: ({ outcome, link }) => {
      notifications.show({
        message: outcome === 'CONFIRMED' ? said.confirmed : said.approved,
        color: 'teal',
      });
      if (link !== null) onInvited?.({ email: details['email'] ?? '', link });
    },
  });
  return (
    <ConfirmButton
      label={said.approve}
      variant="filled"
      isDangerous={false}
      question={
        <>
          <Text>
            {kind === 'MONEY'
              ? moneyQuestion(approval, reader)
              : kinds[kind].effect(titleOf(approval, reader))}
          </Text>
          <ApprovalEffect approval={approval} isDeciding />
          <Text size="sm" c="dimmed">
            {approval.approvalsNeeded > 1 ? said.ofCommand(requestedBy) : said.sure(requestedBy)}
          </Text>
        </>
      }
      isPending={approve.isPending}
      onConfirm={() => approve.mutateAsync(undefined)}
    />
  );
}

function Reject({ approval }: Pick<ActsProps, 'approval'>) {
  const said = useWords(WORDS);
  const reject = useAct({
    act: (reason: string | null) => {
      const { merchantId, approvalId, isPlatform } = approval;
      const body = reason === null ? {} : { reason };
      return isPlatform || merchantId === null
        ? answer(
            api.POST('/console/api/host/approvals/{approvalId}/reject', {
              params: { path: { approvalId } },
              body,
            }),
          )
        : answer(
            api.POST('/console/api/merchants/{merchantId}/approvals/{approvalId}/reject', {
              params: { path: { merchantId, approvalId } },
              body,
            }),
          );
    },
    done: said.rejected,
  });
  return approval.rejectionSaysWhy ? (
    <ReasonButton
      label={said.reject}
      isDangerous
      isPending={reject.isPending}
      onConfirm={(reason) => reject.mutateAsync(reason)}
    />
  ) : (
    <ConfirmButton
      label={said.reject}
      question={said.rejectQuestion}
      isPending={reject.isPending}
      onConfirm={() => reject.mutateAsync(null)}
    />
  );
}

type WithdrawProps = Pick<ActsProps, 'approval'> & {
  /** Whether a merchant's person requested it, also where the platform decides. */
  readonly isAtMerchant?: boolean;
};

export function Withdraw({ approval, isAtMerchant = false }: WithdrawProps) {
  const said = useWords(WORDS);
  const withdraw = useAct({
    act: () => {
      const { merchantId, approvalId, isPlatform } = approval;
      return (isPlatform && !isAtMerchant) || merchantId === null
        ? answer(
            api.POST('/console/api/host/approvals/{approvalId}/withdraw', {
              params: { path: { approvalId } },
            }),
          )
        : answer(
            api.POST('/console/api/merchants/{merchantId}/approvals/{approvalId}/withdraw', {
              params: { path: { merchantId, approvalId } },
            }),
          );
    },
    done: said.withdrawn,
  });
  return (
    <ConfirmButton
      label={said.withdraw}
      question={said.withdrawQuestion}
      isPending={withdraw.isPending}
      onConfirm={() => withdraw.mutateAsync(undefined)}
    />
  );
}

const WORDS = words({
  en: {
    approve: 'Approve',
    sure: (by: string) => `Requested by ${by}. Confirm with them before you approve.`,
    ofCommand: (by: string) => `Requested on the command line as “${by}”. Two people must approve it.`,
    approved: 'Approved.',
    confirmed: 'Approved by you. Another person must approve it too.',
    reject: 'Reject',
    rejectQuestion: 'It can no longer be approved. It can be requested again.',
    rejected: 'Rejected. Nothing has changed.',
    withdraw: 'Cancel request',
    withdrawQuestion: 'It can no longer be approved. You can request it again.',
    withdrawn: 'Request cancelled.',
    others: 'Another person decides.',
  },
  fr: {
    approve: 'Approuver',
    sure: (by: string) => `Demandé par ${by}. Vérifiez auprès de cette personne avant d’approuver.`,
    ofCommand: (by: string) =>
      `Demandé en ligne de commande au nom de « ${by} ». Deux personnes doivent l’approuver.`,
    approved: 'Approuvé.',
    confirmed: 'Approuvé par vous. Une autre personne doit aussi l’approuver.',
    reject: 'Rejeter',
    rejectQuestion: 'La demande ne pourra plus être approuvée. Elle pourra être refaite.',
    rejected: 'Demande rejetée. Rien n’a changé.',
    withdraw: 'Annuler la demande',
    withdrawQuestion: 'La demande ne pourra plus être approuvée. Vous pourrez la refaire.',
    withdrawn: 'Demande annulée.',
    others: 'Une autre personne décide.',
  },
});
