import { useAct } from '../../api/acts.ts';
import { answer, api } from '../../api/client.ts';
import { useWords } from '../../language.tsx';
import { useMerchant } from '../../me.ts';
import { ConfirmButton } from '../../parts/confirm-button.tsx';
import type { PaymentKind } from '../../parts/kind-words.ts';
import { DELIVERY_WORDS } from './delivery-words.ts';

type ResendButtonProps = { readonly kind: PaymentKind; readonly paymentId: string };

/** Sends the callback of one payment again. */
export function ResendButton({ kind, paymentId }: ResendButtonProps) {
  const t = useWords(DELIVERY_WORDS);
  const { merchantId } = useMerchant();
  const resend = useAct({
    act: () =>
      answer(
        api.POST('/console/api/merchants/{merchantId}/payments/{kind}/{paymentId}/callback', {
          params: { path: { merchantId, kind, paymentId } },
        }),
      ),
    done: t.resent,
  });
  return (
    <ConfirmButton
      label={t.resend}
      question={t.resendQuestion}
      isDangerous={false}
      isPending={resend.isPending}
      onConfirm={() => resend.mutateAsync(undefined)}
    />
  );
}
