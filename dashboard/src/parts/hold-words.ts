// What holds payments and money, in words. `FROZEN`: as events name a freeze.
import { words } from '../language.tsx';

export const HOLD_WORDS = words<Readonly<Record<string, string>>>({
  en: {
    MANUAL_DEPOSIT: 'Deposit completed manually',
    CASE: 'Open case',
    REPORTED_REVERSAL: 'Reversal in a report',
    FREEZE: 'Freeze',
    FROZEN: 'Freeze',
    NUMBER_BLOCKED: 'Blocked number',
    REVIEW: 'Review queue',
    SCREENING: 'Screening',
  },
  fr: {
    MANUAL_DEPOSIT: 'Encaissement terminé manuellement',
    CASE: 'Dossier ouvert',
    REPORTED_REVERSAL: 'Annulation dans un relevé',
    FREEZE: 'Gel',
    FROZEN: 'Gel',
    NUMBER_BLOCKED: 'Numéro bloqué',
    REVIEW: 'File de contrôle',
    SCREENING: 'Filtrage',
  },
});
