import type { AnswerOf } from '../../api/client.ts';
import { words } from '../../language.tsx';

/** As a list shows it; of all merchants, with the one that it belongs to. */
export type Summary = AnswerOf<'listPayments'>['payments'][number];
export type Story = AnswerOf<'readPayment'>;
export type State = Summary['state'];
export type Kind = Summary['kind'];

/** One payment of a kind. */
export const ONE_OF_KIND = words<Readonly<Record<Kind, string>>>({
  en: { DEPOSIT: 'Deposit', PAYOUT: 'Payout', REFUND: 'Refund', REMITTANCE: 'Remittance' },
  fr: { DEPOSIT: 'Encaissement', PAYOUT: 'Versement', REFUND: 'Remboursement', REMITTANCE: 'Transfert' },
});
