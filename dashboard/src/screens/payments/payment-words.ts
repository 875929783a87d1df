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

/** What happened, by the name of the event. One that is missing is shown by its code. */
export const EVENT_WORDS = words<Readonly<Record<string, string>>>({
  en: {
    ACCEPTED: 'Accepted',
    SUBMIT_CLAIMED: 'Sent to operator',
    SUBMIT_HELD: 'On hold after a database restore; checking status first',
    SUBMIT_UNSENT: 'Not sent; will be sent later',
    SUBMIT_EXPIRED: 'Not sent in time',
    RESUBMIT_CLAIMED: 'Sent to operator again',
    OPERATOR_ANSWERED: 'Operator responded',
    HINTED: 'Operator notification received; checking status',
    HORIZON_PASSED: 'No final status in time',
    PROVIDER_DELAYED: 'Queued until it can be sent',
    RELEASED: 'Operator available again',
    CANCELLED: 'Cancelled',
    ENDED_MANUALLY: 'Outcome set manually',
  },
  fr: {
    ACCEPTED: 'Accepté',
    SUBMIT_CLAIMED: 'Envoyé à l’opérateur',
    SUBMIT_HELD: 'Suspendu après une restauration ; vérification du statut d’abord',
    SUBMIT_UNSENT: 'Non envoyé ; sera envoyé plus tard',
    SUBMIT_EXPIRED: 'Non envoyé à temps',
    RESUBMIT_CLAIMED: 'Renvoyé à l’opérateur',
    OPERATOR_ANSWERED: 'Réponse de l’opérateur',
    HINTED: 'Notification de l’opérateur reçue ; vérification du statut',
    HORIZON_PASSED: 'Pas de statut final à temps',
    PROVIDER_DELAYED: 'En attente avant l’envoi',
    RELEASED: 'Opérateur de nouveau disponible',
    CANCELLED: 'Annulé',
    ENDED_MANUALLY: 'Résultat saisi manuellement',
  },
});

/** What the operator said, by the first word of an event's detail. */
export const OUTCOME_WORDS = words<Readonly<Record<string, string>>>({
  en: {
    COMPLETED: 'Paid',
    FAILED: 'Not paid',
    PENDING: 'Pending',
    NOT_SEEN: 'Not found at the operator',
    UNKNOWN: 'Unclear response',
    WALLET_OWES: 'Wallet balance is negative',
  },
  fr: {
    COMPLETED: 'Payé',
    FAILED: 'Non payé',
    PENDING: 'En cours',
    NOT_SEEN: 'Introuvable chez l’opérateur',
    UNKNOWN: 'Réponse peu claire',
    WALLET_OWES: 'Le solde du portefeuille est négatif',
  },
});
