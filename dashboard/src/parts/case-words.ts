import type { AnswerOf } from '../api/client.ts';
import { words } from '../language.tsx';

export type Resolution = AnswerOf<'listCases'>['rows'][number]['allowed'][number];

export const EVIDENCE_WORDS = words<Readonly<Record<string, string>>>({
  en: {
    LATE_SUCCESS: 'Completed after failure',
    LATE_FAILURE: 'Reversed after completion',
    DISCREPANCY: 'Amount mismatch',
  },
  fr: {
    LATE_SUCCESS: 'Réussi après un échec',
    LATE_FAILURE: 'Annulé après une réussite',
    DISCREPANCY: 'Montant différent',
  },
});

export const RESOLUTION_WORDS = words<Readonly<Record<Resolution, string>>>({
  en: {
    CREDIT_MERCHANT: 'Credit merchant',
    RETURN_TO_PAYER: 'Return to payer',
    RECOVER_FROM_MERCHANT: 'Recover from merchant',
    WRITE_OFF: 'Write off',
    REVERSE_EVIDENCE: 'Reversed by the operator',
  },
  fr: {
    CREDIT_MERCHANT: 'Créditer le marchand',
    RETURN_TO_PAYER: 'Rendre au payeur',
    RECOVER_FROM_MERCHANT: 'Récupérer auprès du marchand',
    WRITE_OFF: 'Passer en perte',
    REVERSE_EVIDENCE: 'Annulé par l’opérateur',
  },
});

export function isResolution(value: string): value is Resolution {
  return value in RESOLUTION_WORDS.en;
}
