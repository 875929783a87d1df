import { Group } from '@mantine/core';
import { useAct } from '../../api/acts.ts';
import { answer, api } from '../../api/client.ts';
import { useLanguage, useWords, words } from '../../language.tsx';
import { useHost, useMe } from '../../me.ts';
import { ConfirmButton } from '../../parts/confirm-button.tsx';
import { groupDigits } from '../../parts/money.tsx';
import { ReasonButton } from '../../parts/reason-button.tsx';
import type { MoneyOrder } from './money-screen.tsx';

/** What somebody can do about an order that waits: whoever asked takes it back, everybody else decides. */
export function MoneyActs({ order }: { readonly order: MoneyOrder }) {
  const { email } = useMe();
  const { may } = useHost();
  const isOwn = order.requestedBy.toLowerCase() === email.toLowerCase();
  if (isOwn) return may('money:move') ? <Withdraw order={order} /> : null;
  if (!may('money:approve')) return null;
  return (
    <Group gap="xs" wrap="nowrap">
      <Approve order={order} />
      <Reject order={order} />
    </Group>
  );
}

type OfOrder = { readonly order: MoneyOrder };

function Approve({ order }: OfOrder) {
  const said = useWords(WORDS);
  const { language } = useLanguage();
  const { orderId, amount, currency, merchant } = order;
  const approve = useAct({
    act: () =>
      answer(api.POST('/console/api/host/money-orders/{orderId}/approve', { params: { path: { orderId } } })),
    done: said.approved,
  });
  return (
    <ConfirmButton
      label={said.approve}
      variant="filled"
      isDangerous={false}
      question={said.approveQuestion(`${groupDigits(amount, language)} ${currency}`, merchant)}
      isPending={approve.isPending}
      onConfirm={() => approve.mutateAsync(undefined)}
    />
  );
}

function Reject({ order: { orderId } }: OfOrder) {
  const said = useWords(WORDS);
  const reject = useAct({
    act: (reason: string) =>
      answer(
        api.POST('/console/api/host/money-orders/{orderId}/reject', {
          params: { path: { orderId } },
          body: { reason },
        }),
      ),
    done: said.rejected,
  });
  return (
    <ReasonButton
      label={said.reject}
      isDangerous
      isPending={reject.isPending}
      onConfirm={(reason) => reject.mutateAsync(reason)}
    />
  );
}

function Withdraw({ order: { orderId } }: OfOrder) {
  const said = useWords(WORDS);
  const withdraw = useAct({
    act: () =>
      answer(
        api.POST('/console/api/host/money-orders/{orderId}/withdraw', { params: { path: { orderId } } }),
      ),
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
    approveQuestion: (amount: string, merchant: string) => `${amount} of ${merchant} will move at once.`,
    approved: 'The money was moved.',
    reject: 'Reject',
    rejected: 'It was rejected. Nothing moved.',
    withdraw: 'Take back',
    withdrawQuestion: 'Nobody can approve it any more. You can ask again.',
    withdrawn: 'It was taken back.',
  },
  fr: {
    approve: 'Approuver',
    approveQuestion: (amount: string, merchant: string) =>
      `${amount} de ${merchant} bougeront immédiatement.`,
    approved: 'L’argent a été déplacé.',
    reject: 'Refuser',
    rejected: 'Refusé. Rien n’a bougé.',
    withdraw: 'Retirer',
    withdrawQuestion: 'Personne ne pourra plus l’approuver. Vous pourrez redemander.',
    withdrawn: 'La demande est retirée.',
  },
});
