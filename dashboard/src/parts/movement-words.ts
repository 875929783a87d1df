import { words } from '../language.tsx';

/** What moves money, in words: kinds of payments, manual movements, and how cases were resolved. */
export const MOVEMENT_WORDS = words<Readonly<Record<string, string>>>({
  en: {
    DEPOSIT: 'Deposit',
    PAYOUT: 'Payout',
    REFUND: 'Refund',
    REMITTANCE: 'Remittance',
    TOP_UP: 'Top-up',
    SETTLEMENT: 'Settlement',
    ADJUSTMENT: 'Adjustment',
    COLLECT: 'Debt collected',
    FLOAT_TOP_UP: 'Float top-up',
    FLOAT_WITHDRAWAL: 'Float withdrawal',
    OPERATOR_CHARGE: 'Operator charge',
    CREDIT_MERCHANT: 'Case: credited to you',
    RETURN_TO_PAYER: 'Case: returned to the payer',
    RECOVER_FROM_MERCHANT: 'Case: recovered from you',
    WRITE_OFF: 'Case: written off',
  },
  fr: {
    DEPOSIT: 'Encaissement',
    PAYOUT: 'Versement',
    REFUND: 'Remboursement',
    REMITTANCE: 'Transfert',
    TOP_UP: 'Approvisionnement',
    SETTLEMENT: 'Règlement',
    ADJUSTMENT: 'Correction',
    COLLECT: 'Dette recouvrée',
    FLOAT_TOP_UP: 'Approvisionnement chez un opérateur',
    FLOAT_WITHDRAWAL: 'Retrait chez un opérateur',
    OPERATOR_CHARGE: 'Frais d’un opérateur',
    CREDIT_MERCHANT: 'Dossier : crédité',
    RETURN_TO_PAYER: 'Dossier : rendu au payeur',
    RECOVER_FROM_MERCHANT: 'Dossier : repris',
    WRITE_OFF: 'Dossier : passé en perte',
  },
});
