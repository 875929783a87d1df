// What happened to a payment, by the codes of its events and of their details. One that is missing is shown as it is.
import { useWords, words } from '../language.tsx';
import { FAILED_PAYMENT_WORDS } from './failed-payment-words.ts';

type ByCode = Readonly<Record<string, string>>;

/** By the name of the event. */
export const EVENT_WORDS = words<ByCode>({
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
    RELEASED: 'Released; will be sent',
    CANCELLED: 'Cancelled before it was sent',
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
    RELEASED: 'Libéré ; sera envoyé',
    CANCELLED: 'Annulé avant l’envoi',
    ENDED_MANUALLY: 'Résultat saisi manuellement',
  },
});

/** What the operator said, or why the payment waits, by the words of an event's detail. */
const DETAIL_WORDS = words<ByCode>({
  en: {
    COMPLETED: 'Paid',
    FAILED: 'Not paid',
    PENDING: 'Still processing',
    NOT_SEEN: 'Reference not found',
    UNKNOWN: 'No clear result',
    NO_ANSWER: 'no answer',
    OPERATOR_ERROR: 'operator error',
    UNMAPPED_CODE: 'unknown code',
    UNREADABLE_ANSWER: 'unreadable answer',
    NOT_SENT: 'not sent',
    RATE_LIMITED_HERE: 'our rate limit was reached',
    NOT_YET: 'not confirmed yet',
    OTHER_ACCOUNT: 'asked with another account',
    REPORT_TO_APPROVE: 'in a report that waits for approval',
    AMOUNT_DIFFERS: 'the amount differs',
    CURRENCY_DIFFERS: 'the currency differs',
    PARTY_DIFFERS: 'the phone number differs',
    TRANSACTION_TAKEN: 'the transaction belongs to another payment',
    SECOND_TRANSACTION: 'completed by another transaction',
    WALLET_OWES: 'The wallet does not cover what it owes',
    FROZEN: 'Frozen by the platform',
    REVIEW: 'Checked by the platform first',
  },
  fr: {
    COMPLETED: 'Payé',
    FAILED: 'Non payé',
    PENDING: 'Toujours en cours',
    NOT_SEEN: 'Référence introuvable',
    UNKNOWN: 'Pas de résultat clair',
    NO_ANSWER: 'pas de réponse',
    OPERATOR_ERROR: 'erreur de l’opérateur',
    UNMAPPED_CODE: 'code inconnu',
    UNREADABLE_ANSWER: 'réponse illisible',
    NOT_SENT: 'pas envoyé',
    RATE_LIMITED_HERE: 'notre limite de débit est atteinte',
    NOT_YET: 'pas encore confirmé',
    OTHER_ACCOUNT: 'demandé avec un autre compte',
    REPORT_TO_APPROVE: 'dans un relevé qui attend une approbation',
    AMOUNT_DIFFERS: 'le montant diffère',
    CURRENCY_DIFFERS: 'la devise diffère',
    PARTY_DIFFERS: 'le numéro de téléphone diffère',
    TRANSACTION_TAKEN: 'la transaction appartient à un autre paiement',
    SECOND_TRANSACTION: 'réussi par une autre transaction',
    WALLET_OWES: 'Le portefeuille ne couvre pas ce qu’il doit',
    FROZEN: 'Gelé par la plateforme',
    REVIEW: 'Contrôlé d’abord par la plateforme',
  },
});

/**
 * Words "UNKNOWN AMOUNT_DIFFERS" as "No clear result: the amount differs", after a title where there is one, and
 * "FAILED PAYER_NOT_FOUND" as "Not paid: Payer has no account".
 */
export function useDetailText(): (detail: string, title?: string) => string {
  const names: ByCode = { ...useWords(FAILED_PAYMENT_WORDS), ...useWords(DETAIL_WORDS) };
  const { colon } = useWords(PUNCTUATION);
  return (detail, title) => {
    const parts = detail.split(' ').map((code) => names[code] ?? code);
    return [...(title === undefined ? [] : [title]), ...parts].join(colon);
  };
}

const PUNCTUATION = words({ en: { colon: ': ' }, fr: { colon: '\u00A0: ' } });
