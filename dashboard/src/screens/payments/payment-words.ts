import type { AnswerOf } from '../../api/client.ts';
import { words } from '../../language.tsx';

export type PaymentPage = AnswerOf<'listPayments'>;
export type Summary = PaymentPage['payments'][number];
export type Story = AnswerOf<'readPayment'>;
export type State = Summary['state'];
export type Kind = Summary['kind'];

export const STATE_WORDS = words<Readonly<Record<State, string>>>({
  en: {
    ACCEPTED: 'Accepted',
    ENQUEUED: 'Enqueued',
    PROCESSING: 'Processing',
    IN_RECONCILIATION: 'In reconciliation',
    COMPLETED: 'Completed',
    FAILED: 'Failed',
  },
  fr: {
    ACCEPTED: 'Accepté',
    ENQUEUED: 'En attente',
    PROCESSING: 'En cours',
    IN_RECONCILIATION: 'En rapprochement',
    COMPLETED: 'Réussi',
    FAILED: 'Échoué',
  },
});

/** One payment of a kind. */
export const ONE_OF_KIND = words<Readonly<Record<Kind, string>>>({
  en: { DEPOSIT: 'Deposit', PAYOUT: 'Payout', REFUND: 'Refund', REMITTANCE: 'Remittance' },
  fr: { DEPOSIT: 'Dépôt', PAYOUT: 'Versement', REFUND: 'Remboursement', REMITTANCE: 'Transfert' },
});

/** What happened, by the name of the event. One that is missing is shown by its code. */
export const EVENT_WORDS = words<Readonly<Record<string, string>>>({
  en: {
    ACCEPTED: 'Accepted by the gateway',
    SUBMIT_CLAIMED: 'Sent to the operator',
    SUBMIT_UNSENT: 'Not sent; it will be sent later',
    SUBMIT_EXPIRED: 'Not sent in time',
    RESUBMIT_CLAIMED: 'Sent to the operator once more',
    OPERATOR_ANSWERED: 'The operator answered',
    HINTED: 'The operator hinted at news; it is being asked',
    HORIZON_PASSED: 'The operator gave no clear answer in time',
    PROVIDER_DELAYED: 'The provider is away; the payment waits',
    RELEASED: 'The provider is back',
    CANCELLED: 'Cancelled',
  },
  fr: {
    ACCEPTED: 'Accepté par la passerelle',
    SUBMIT_CLAIMED: 'Envoyé à l’opérateur',
    SUBMIT_UNSENT: 'Pas envoyé ; il sera envoyé plus tard',
    SUBMIT_EXPIRED: 'Pas envoyé à temps',
    RESUBMIT_CLAIMED: 'Envoyé encore une fois à l’opérateur',
    OPERATOR_ANSWERED: 'L’opérateur a répondu',
    HINTED: 'L’opérateur annonce du nouveau ; il est interrogé',
    HORIZON_PASSED: 'Pas de réponse claire de l’opérateur à temps',
    PROVIDER_DELAYED: 'L’opérateur est indisponible ; le paiement attend',
    RELEASED: 'L’opérateur est de retour',
    CANCELLED: 'Annulé',
  },
});
