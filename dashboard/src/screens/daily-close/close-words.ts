import { words } from '../../language.tsx';
import type { Close } from './day-screen.tsx';

export type Difference = Close['differences'][number];

/** Why a day cannot be signed, with the cells that did not answer. */
export const OBSTACLE_WORDS = words<Readonly<Record<string, (cells: string) => string>>>({
  en: {
    DAY_NOT_OVER: () => 'The day is not over. It can be compared ten minutes after its end.',
    BEFORE_FIRST_DAY: () => 'The day is before the first day of this account.',
    PREVIOUS_DAY_OPEN: () => 'The day before is not signed. Sign it first.',
    CELL_SILENT: (cells) =>
      `Cell ${cells} did not answer. Its movements are missing. Try again when it is back.`,
    REPORT_MISSING: () =>
      'The operator’s reports in this currency do not cover the whole day. Upload the report under Files.',
    OPENING_DIFFERS: () => 'The books of the signed day before have changed. Call the engineers.',
    TOO_MANY_DIFFERENCES: () => 'More than 5,000 differences. Check whether the right file was uploaded.',
  },
  fr: {
    DAY_NOT_OVER: () => 'La journée n’est pas finie. Elle se compare dix minutes après sa fin.',
    BEFORE_FIRST_DAY: () => 'La journée précède la première journée de ce compte.',
    PREVIOUS_DAY_OPEN: () => 'La journée précédente n’est pas signée. Signez-la d’abord.',
    CELL_SILENT: (cells) =>
      `La cellule ${cells} n’a pas répondu. Ses mouvements manquent. Réessayez quand elle répond.`,
    REPORT_MISSING: () =>
      'Les relevés de l’opérateur dans cette devise ne couvrent pas toute la journée. ' +
      'Importez le relevé sous Fichiers.',
    OPENING_DIFFERS: () => 'Les comptes de la journée signée précédente ont changé. Appelez les ingénieurs.',
    TOO_MANY_DIFFERENCES: () => 'Plus de 5 000 écarts. Vérifiez que le bon fichier a été importé.',
  },
});

type DifferenceWords = Readonly<
  Record<Difference['kind'], { readonly name: string; readonly advice: string }>
>;

/** What differs, and what to do about it. */
export const DIFFERENCE_WORDS = words<DifferenceWords>({
  en: {
    MISSING_LINE: {
      name: 'Missing in the report',
      advice: 'Wait for the next report, then ask the operator.',
    },
    NOT_IN_BOOKS: {
      name: 'Not in our books',
      advice: 'If it is not a payment, post it under Manual transfers.',
    },
    DOUBLED_LINE: { name: 'Reported twice', advice: 'Ask the operator whether money moved twice.' },
    OTHER_AMOUNT: { name: 'Other amount', advice: 'Resolve the discrepancy of this payment.' },
    CHARGE: { name: 'Operator charge', advice: 'Approve the posting that the import requested.' },
    LATE: { name: 'Late', advice: 'Another day explains it. Nothing to do.' },
    BANK_MISSING_LINE: {
      name: 'Missing at the bank',
      advice: 'Upload the bank’s file, or ask the bank.',
    },
    BANK_NOT_IN_BOOKS: {
      name: 'Only at the bank',
      advice: 'Post the top-up or withdrawal under Manual transfers.',
    },
  },
  fr: {
    MISSING_LINE: {
      name: 'Absent du relevé',
      advice: 'Attendez le relevé suivant, puis interrogez l’opérateur.',
    },
    NOT_IN_BOOKS: {
      name: 'Absent de nos comptes',
      advice: 'Si ce n’est pas un paiement, comptabilisez-le sous Transferts manuels.',
    },
    DOUBLED_LINE: {
      name: 'Présent deux fois',
      advice: 'Demandez à l’opérateur si l’argent a bougé deux fois.',
    },
    OTHER_AMOUNT: { name: 'Autre montant', advice: 'Résolvez l’écart de ce paiement.' },
    CHARGE: {
      name: 'Frais de l’opérateur',
      advice: 'Approuvez l’écriture que l’import a demandée.',
    },
    LATE: { name: 'En retard', advice: 'Une autre journée l’explique. Rien à faire.' },
    BANK_MISSING_LINE: {
      name: 'Absent à la banque',
      advice: 'Importez le fichier de la banque, ou interrogez-la.',
    },
    BANK_NOT_IN_BOOKS: {
      name: 'Seulement à la banque',
      advice: 'Comptabilisez l’approvisionnement ou le retrait sous Transferts manuels.',
    },
  },
});
