import { Anchor } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useWords } from '../language.tsx';
import { MOVEMENT_WORDS } from './movement-words.ts';

type PaymentLinkProps = {
  readonly payment: { readonly merchantId: string; readonly kind: string; readonly paymentId: string };
  /** Default: "Deposit". */
  readonly children?: ReactNode;
};

/** Leads to the payment, with all that happened to it. In the heading of a row it opens the whole row. */
export function PaymentLink({ payment: { merchantId, kind, paymentId }, children }: PaymentLinkProps) {
  const kinds = useWords(MOVEMENT_WORDS);
  return (
    <Anchor
      inherit
      renderRoot={(props) => (
        <Link
          {...props}
          to="/m/$merchantId/payments/$kind/$paymentId"
          params={{ merchantId, kind, paymentId }}
        />
      )}
    >
      {children ?? kinds[kind] ?? kind}
    </Anchor>
  );
}
