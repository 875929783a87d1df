import { Stack, Text, TextInput } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useAct } from '../../api/acts.ts';
import { answer, api } from '../../api/client.ts';
import { useWords, words } from '../../language.tsx';
import { useMerchant } from '../../me.ts';
import { ConfirmButton } from '../../parts/confirm-button.tsx';
import { newIdentifier } from '../../parts/new-identifier.ts';
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
  // Chosen before it is sent: pressing twice refunds once.
  const [refundId] = useState(newIdentifier);
  const { merchantId, paymentId } = path;
  const refund = useAct({
    act: () =>
      answer(
        api.POST('/console/api/merchants/{merchantId}/payments/DEPOSIT/{paymentId}/refund', {
          params: { path: { merchantId, paymentId } },
          body: { refundId, amount: amount.trim().replace(',', '.') },
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
    refundHint: 'The money is sent from your wallet to the number that paid. This cannot be undone.',
    amount: (currency: string) => `Amount in ${currency}`,
    atMost: (amount: string) => `Max. ${amount}`,
    refunding: 'Refund started.',
    cancel: 'Cancel payment',
    cancelHint:
      'The payment has not been sent yet. It will be marked as failed, and the reserved amount is released.',
    cancelled: 'Payment cancelled.',
    resend: 'Resend callback',
    resendHint: 'Sends the final status of this payment to your server again.',
    resent: 'Callback queued.',
  },
  fr: {
    refund: 'Rembourser',
    refundHint: 'L’argent est envoyé de votre portefeuille au numéro qui a payé. C’est irréversible.',
    amount: (currency: string) => `Montant en ${currency}`,
    atMost: (amount: string) => `Max. ${amount}`,
    refunding: 'Remboursement lancé.',
    cancel: 'Annuler le paiement',
    cancelHint:
      'Le paiement n’est pas encore parti. Il sera marqué comme échoué, et le montant réservé est libéré.',
    cancelled: 'Paiement annulé.',
    resend: 'Renvoyer le callback',
    resendHint: 'Envoie de nouveau à votre serveur le statut final de ce paiement.',
    resent: 'Callback mis en file d’attente.',
  },
});
