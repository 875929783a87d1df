import { words } from '../language.tsx';

/** Why a payment failed, in a few words, by its failure code. A code that is missing is shown as it is. */
export const FAILED_PAYMENT_WORDS = words<Readonly<Record<string, string>>>({
  en: {
    PAYMENT_NOT_APPROVED: 'Not approved by the customer',
    INSUFFICIENT_BALANCE: 'Customer balance too low',
    PAYMENT_IN_PROGRESS: 'Customer has another pending payment',
    PAYER_NOT_FOUND: 'Payer has no account',
    PAYER_LIMIT_REACHED: 'Payer limit reached',
    RECIPIENT_NOT_FOUND: 'Recipient has no account',
    RECIPIENT_LIMIT_REACHED: 'Recipient limit reached',
    WALLET_LIMIT_REACHED: 'Recipient account is full',
    MANUALLY_CANCELLED: 'Cancelled manually',
    UNSPECIFIED_FAILURE: 'Failed without a reason',
    OTHER_ERROR: 'Other reason',
  },
  fr: {
    PAYMENT_NOT_APPROVED: 'Non approuvé par le client',
    INSUFFICIENT_BALANCE: 'Solde du client insuffisant',
    PAYMENT_IN_PROGRESS: 'Autre paiement du client en attente',
    PAYER_NOT_FOUND: 'Le payeur n’a pas de compte',
    PAYER_LIMIT_REACHED: 'Plafond du payeur atteint',
    RECIPIENT_NOT_FOUND: 'Le bénéficiaire n’a pas de compte',
    RECIPIENT_LIMIT_REACHED: 'Plafond du bénéficiaire atteint',
    WALLET_LIMIT_REACHED: 'Compte du bénéficiaire plein',
    MANUALLY_CANCELLED: 'Annulé manuellement',
    UNSPECIFIED_FAILURE: 'Échec sans motif',
    OTHER_ERROR: 'Autre motif',
  },
});
