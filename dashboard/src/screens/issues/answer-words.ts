import { useWords, words } from '../../language.tsx';

/** What an operator's answer came to, by its code. One that is missing is shown by its code. */
const ANSWER_WORDS = words<Readonly<Record<string, string>>>({
  en: {
    COMPLETED: 'Completed',
    FAILED: 'Failed',
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
    AMOUNT_DIFFERS: 'the amount differs',
    CURRENCY_DIFFERS: 'the currency differs',
    PARTY_DIFFERS: 'the phone number differs',
    TRANSACTION_TAKEN: 'the transaction belongs to another payment',
    SECOND_TRANSACTION: 'completed by another transaction',
  },
  fr: {
    COMPLETED: 'Réussi',
    FAILED: 'Échoué',
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
    AMOUNT_DIFFERS: 'le montant diffère',
    CURRENCY_DIFFERS: 'la devise diffère',
    PARTY_DIFFERS: 'le numéro de téléphone diffère',
    TRANSACTION_TAKEN: 'la transaction appartient à un autre paiement',
    SECOND_TRANSACTION: 'réussi par une autre transaction',
  },
});

/** Words "UNKNOWN AMOUNT_DIFFERS" as "No clear result: the amount differs", after a title where there is one. */
export function useAnswerText(): (codes: string, title?: string) => string {
  const names = useWords(ANSWER_WORDS);
  const { colon } = useWords(PUNCTUATION);
  return (codes, title) => {
    const parts = codes.split(' ').map((code) => names[code] ?? code);
    return [...(title === undefined ? [] : [title]), ...parts].join(colon);
  };
}

const PUNCTUATION = words({ en: { colon: ': ' }, fr: { colon: '\u00A0: ' } });

/** What happened to a payment, by the name of the event. */
export const HISTORY_WORDS = words<Readonly<Record<string, string>>>({
  en: {
    ACCEPTED: 'Accepted',
    SUBMIT_CLAIMED: 'Sent to operator',
    SUBMIT_HELD: 'Held after a restore',
    SUBMIT_UNSENT: 'Not sent, will be sent later',
    SUBMIT_EXPIRED: 'Not sent in time',
    RESUBMIT_CLAIMED: 'Sent to operator again',
    OPERATOR_ANSWERED: 'Operator response',
    HINTED: 'Operator notification, checking status',
    HORIZON_PASSED: 'No final status in time',
    PROVIDER_DELAYED: 'Provider unavailable, queued',
    RELEASED: 'Released from the queue',
    CANCELLED: 'Cancelled',
    ENDED_MANUALLY: 'Resolved manually',
  },
  fr: {
    ACCEPTED: 'Accepté',
    SUBMIT_CLAIMED: 'Envoyé à l’opérateur',
    SUBMIT_HELD: 'Retenu après une restauration',
    SUBMIT_UNSENT: 'Pas envoyé, le sera plus tard',
    SUBMIT_EXPIRED: 'Pas envoyé à temps',
    RESUBMIT_CLAIMED: 'Renvoyé à l’opérateur',
    OPERATOR_ANSWERED: 'Réponse de l’opérateur',
    HINTED: 'Notification de l’opérateur, statut en vérification',
    HORIZON_PASSED: 'Pas de statut final à temps',
    PROVIDER_DELAYED: 'Opérateur indisponible, mis en file',
    RELEASED: 'Sorti de la file',
    CANCELLED: 'Annulé',
    ENDED_MANUALLY: 'Résolu manuellement',
  },
});
