import type { AnswerOf } from '../api/client.ts';
import { words } from '../language.tsx';

/** What is announced to merchants: payments of all kinds, split payments, checkouts. */
export type Kind = AnswerOf<'readCallbackAddresses'>['endpoints'][number]['kind'];

/** Kinds that an operator carries. */
export const PAYMENT_KINDS = ['DEPOSIT', 'PAYOUT', 'REFUND', 'REMITTANCE'] as const;
/** What a merchant can be permitted to start. */
export const OPERATIONS = [...PAYMENT_KINDS, 'SPLIT_PAYMENT'] as const;
export const KINDS = [...OPERATIONS, 'CHECKOUT'] as const satisfies readonly Kind[];

export type PaymentKind = (typeof PAYMENT_KINDS)[number];
export type Operation = (typeof OPERATIONS)[number];

/** What kinds are called, as many. */
export const KIND_WORDS = words<Readonly<Record<Kind, string>>>({
  en: {
    DEPOSIT: 'Deposits',
    PAYOUT: 'Payouts',
    REFUND: 'Refunds',
    REMITTANCE: 'Remittances',
    SPLIT_PAYMENT: 'Split payments',
    CHECKOUT: 'Checkouts',
  },
  fr: {
    DEPOSIT: 'Encaissements',
    PAYOUT: 'Versements',
    REFUND: 'Remboursements',
    REMITTANCE: 'Transferts',
    SPLIT_PAYMENT: 'Paiements partagés',
    CHECKOUT: 'Sessions de paiement',
  },
});
