import { Stack, Text, TextInput } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useAct } from '../../api/acts.ts';
import { answer, api } from '../../api/client.ts';
import { useWords, words } from '../../language.tsx';
import { useMerchant } from '../../me.ts';
import { ConfirmButton } from '../../parts/confirm-button.tsx';
import { newIdentifier } from './new-identifier.ts';
import type { Kind, Story } from './payment-words.ts';

type PaymentActsProps = {
  readonly story: Story;
  readonly path: { readonly merchantId: string; readonly kind: Kind; readonly paymentId: string };
};

/** What can be done with this payment by this person: nothing else is shown. */
export function PaymentActs({ story, path }: PaymentActsProps) {
  const { may } = useMerchant();
  return (
    <>
      {may('payments:refund') && story.refundable !== '0' && <RefundButton story={story} path={path} />}
      {may('payments:cancel') && story.isCancellable && <CancelButton path={path} />}
      {may('callbacks:resend') && story.isResendable && <ResendButton path={path} />}
    </>
  );
}

function RefundButton({ story, path }: PaymentActsProps) {
  const said = useWords(WORDS);
  const navigate = useNavigate();
  const { refundable, currency } = story;
  const [amount, setAmount] = useState(refundable);
  // Chosen before it is sent: pressing twice gives back once.
  const [refundId] = useState(newIdentifier);
  const { merchantId, paymentId } = path;
  const refund = useAct({
    act: () =>
      answer(
        api.POST('/console/api/merchants/{merchantId}/payments/DEPOSIT/{paymentId}/refund', {
          params: { path: { merchantId, paymentId } },
          body: { refundId, amount: amount.trim() },
        }),
      ),
    done: said.refunding,
    onDone: () =>
      void navigate({
        to: '/m/$merchantId/payments/$kind/$paymentId',
        params: { merchantId, kind: 'REFUND', paymentId: refundId },
      }),
  });
  return (
    <ConfirmButton
      label={said.refund}
      size="sm"
      isPending={refund.isPending}
      onConfirm={() => refund.mutateAsync()}
      question={
        <Stack gap="sm">
          <Text size="sm">{said.refundHint}</Text>
          <TextInput
            label={said.amount(currency)}
            description={said.atMost(refundable)}
            inputMode="decimal"
            value={amount}
            onChange={(event) => setAmount(event.currentTarget.value)}
          />
        </Stack>
      }
    />
  );
}

function CancelButton({ path }: Pick<PaymentActsProps, 'path'>) {
  const said = useWords(WORDS);
  const cancel = useAct({
    act: () =>
      answer(
        api.POST('/console/api/merchants/{merchantId}/payments/{kind}/{paymentId}/cancel', {
          params: { path },
        }),
      ),
    done: said.cancelled,
  });
  return (
    <ConfirmButton
      label={said.cancel}
      size="sm"
      question={said.cancelHint}
      isPending={cancel.isPending}
      onConfirm={() => cancel.mutateAsync()}
    />
  );
}

function ResendButton({ path }: Pick<PaymentActsProps, 'path'>) {
  const said = useWords(WORDS);
  const resend = useAct({
    act: () =>
      answer(
        api.POST('/console/api/merchants/{merchantId}/payments/{kind}/{paymentId}/callback', {
          params: { path },
        }),
      ),
    done: said.resent,
  });
  return (
    <ConfirmButton
      label={said.resend}
      size="sm"
      question={said.resendHint}
      isDangerous={false}
      isPending={resend.isPending}
      onConfirm={() => resend.mutateAsync()}
    />
  );
}

const WORDS = words({
  en: {
    refund: 'Refund',
    refundHint: 'The money goes back to the number that paid, out of your wallet. This cannot be undone.',
    amount: (currency: string) => `Amount in ${currency}`,
    atMost: (amount: string) => `At most ${amount}`,
    refunding: 'The refund has begun.',
    cancel: 'Cancel payment',
    cancelHint: 'The payment has not been sent yet. It ends as failed, and what it held is free again.',
    cancelled: 'The payment was cancelled.',
    resend: 'Resend callback',
    resendHint: 'Your server is told once more how this payment ended.',
    resent: 'The callback is on its way.',
  },
  fr: {
    refund: 'Rembourser',
    refundHint: 'L’argent retourne au numéro qui a payé, depuis votre portefeuille. C’est irréversible.',
    amount: (currency: string) => `Montant en ${currency}`,
    atMost: (amount: string) => `Au plus ${amount}`,
    refunding: 'Le remboursement a commencé.',
    cancel: 'Annuler le paiement',
    cancelHint:
      'Le paiement n’est pas encore parti. Il se termine en échec, et ce qu’il retenait est libéré.',
    cancelled: 'Le paiement a été annulé.',
    resend: 'Renvoyer la notification',
    resendHint: 'Votre serveur apprend encore une fois comment ce paiement s’est terminé.',
    resent: 'La notification est en route.',
  },
});
