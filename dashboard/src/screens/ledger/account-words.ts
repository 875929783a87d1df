import { words } from '../../language.tsx';

/** What accounts are called, by their type. */
export const ACCOUNT_WORDS = words<Readonly<Record<string, string>>>({
  en: {
    WALLET: 'Wallets',
    RECEIVABLE: 'Owed by merchants',
    FLOAT: 'Float at operators',
    FEE: 'Fees earned',
    CLEARING: 'Bank clearing',
    SUSPENSE: 'Suspense',
    ADJUSTMENT: 'Adjustments',
    WRITE_OFF: 'Written off',
    CHARGE: 'Operator charges',
  },
  fr: {
    WALLET: 'Portefeuilles',
    RECEIVABLE: 'Dû par les marchands',
    FLOAT: 'Fonds chez les opérateurs',
    FEE: 'Frais perçus',
    CLEARING: 'Compensation bancaire',
    SUSPENSE: 'Compte d’attente',
    ADJUSTMENT: 'Corrections',
    WRITE_OFF: 'Pertes',
    CHARGE: 'Frais des opérateurs',
  },
});

/** What transfers are made for. */
export const TEMPLATE_WORDS = words<Readonly<Record<string, string>>>({
  en: {
    SETTLE: 'Completed payment',
    OUTGOING: 'Payment out',
    LATE_SUCCESS: 'Completed after failure',
    LATE_FAILURE: 'Reversed after completion',
    CREDIT_MERCHANT: 'Case: credit merchant',
    RETURN_TO_PAYER: 'Case: return to payer',
    RECOVER_FROM_MERCHANT: 'Case: recover from merchant',
    WRITE_OFF: 'Case: write off',
    REVERSE_EVIDENCE: 'Case: reversed by the operator',
    COLLECT: 'Debt collected from merchant',
    TOP_UP: 'Top-up',
    SETTLEMENT: 'Settlement',
    ADJUSTMENT: 'Adjustment',
    FLOAT_TOP_UP: 'Float top-up',
    FLOAT_WITHDRAWAL: 'Float withdrawal',
    OPERATOR_CHARGE: 'Operator charge',
    UNMATCHED: 'Unmatched operator payment',
  },
  fr: {
    SETTLE: 'Paiement réussi',
    OUTGOING: 'Paiement sortant',
    LATE_SUCCESS: 'Réussi après un échec',
    LATE_FAILURE: 'Annulé après une réussite',
    CREDIT_MERCHANT: 'Dossier : créditer le marchand',
    RETURN_TO_PAYER: 'Dossier : rendre au payeur',
    RECOVER_FROM_MERCHANT: 'Dossier : récupérer auprès du marchand',
    WRITE_OFF: 'Dossier : passer en perte',
    REVERSE_EVIDENCE: 'Dossier : annulé par l’opérateur',
    COLLECT: 'Dette du marchand recouvrée',
    TOP_UP: 'Approvisionnement',
    SETTLEMENT: 'Règlement',
    ADJUSTMENT: 'Correction',
    FLOAT_TOP_UP: 'Approvisionnement chez un opérateur',
    FLOAT_WITHDRAWAL: 'Retrait chez un opérateur',
    OPERATOR_CHARGE: 'Frais d’un opérateur',
    UNMATCHED: 'Paiement d’opérateur sans correspondance',
  },
});
