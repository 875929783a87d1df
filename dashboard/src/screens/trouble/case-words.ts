import type { AnswerOf } from '../../api/client.ts';
import { words } from '../../language.tsx';

export type Resolution = AnswerOf<'listCases'>['rows'][number]['allowed'][number];

export const EVIDENCE_WORDS = words<Readonly<Record<string, string>>>({
  en: {
    LATE_SUCCESS: 'Paid after it had failed',
    LATE_FAILURE: 'Taken back after it had completed',
    DISCREPANCY: 'Something else was moved',
  },
  fr: {
    LATE_SUCCESS: 'Payé après avoir échoué',
    LATE_FAILURE: 'Repris après avoir réussi',
    DISCREPANCY: 'Autre chose a été déplacé',
  },
});

export const RESOLUTION_WORDS = words<Readonly<Record<Resolution, string>>>({
  en: {
    CREDIT_MERCHANT: 'The merchant gets it',
    RETURN_TO_PAYER: 'It goes back to the payer',
    RECOVER_FROM_MERCHANT: 'The merchant pays for it',
    WRITE_OFF: 'The house bears the loss',
    REVERSE_EVIDENCE: 'The operator took it back',
  },
  fr: {
    CREDIT_MERCHANT: 'Le marchand le reçoit',
    RETURN_TO_PAYER: 'Il retourne au payeur',
    RECOVER_FROM_MERCHANT: 'Le marchand le paie',
    WRITE_OFF: 'La maison supporte la perte',
    REVERSE_EVIDENCE: 'L’opérateur est revenu dessus',
  },
});

export function isResolution(value: string): value is Resolution {
  return value in RESOLUTION_WORDS.en;
}
