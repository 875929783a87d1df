import { words } from '../../language.tsx';
import type { Close } from './day-screen.tsx';

export type Difference = Close['differences'][number];

type Obstacle = Close['obstacles'][number];

/** Why a day cannot be signed, and what to do about it. Days, hours, cells and files stand beside it. */
export const OBSTACLE_WORDS = words<Readonly<Record<Obstacle, string>>>({
  en: {
    DAY_NOT_OVER: 'The day is not over. It can be compared from here on:',
    BEFORE_FIRST_DAY: 'The day is before the first day of this account. Its days are closed from here on:',
    PREVIOUS_DAY_OPEN: 'Days are signed one after the other. The first one that is not signed:',
    CELL_SILENT: 'A cell did not answer. Its movements are missing. Try again when it is back:',
    REPORT_MISSING:
      'The operator’s reports in this currency do not cover the whole day. Upload a report for what is missing ' +
      'under Files. If the operator moved nothing then, upload an empty one.',
    OPENING_DIFFERS:
      'The books of the signed day before have changed. Reopen that day and sign it as it is now. Or sign this day ' +
      'with a note that says why: the change is then part of it, and the next day opens right.',
    TOO_MANY_DIFFERENCES:
      'More than 5,000 differences: a file is probably wrong, the first of these most likely. Take it back under ' +
      'Files. If the differences are real, the day can be signed with a note.',
  },
  fr: {
    DAY_NOT_OVER: 'La journée n’est pas finie. Elle pourra être comparée à partir de :',
    BEFORE_FIRST_DAY:
      'La journée précède la première journée de ce compte. Ses journées sont clôturées à partir de :',
    PREVIOUS_DAY_OPEN: 'Les journées se signent l’une après l’autre. La première qui n’est pas signée :',
    CELL_SILENT: 'Une cellule n’a pas répondu. Ses mouvements manquent. Réessayez quand elle répond :',
    REPORT_MISSING:
      'Les relevés de l’opérateur dans cette devise ne couvrent pas toute la journée. Importez sous Fichiers un ' +
      'relevé pour ce qui manque. Si l’opérateur n’a alors rien déplacé, importez un relevé vide.',
    OPENING_DIFFERS:
      'Les comptes de la journée signée précédente ont changé. Rouvrez cette journée et signez-la telle qu’elle est. ' +
      'Ou signez celle-ci avec une note qui dit pourquoi : la variation en fait alors partie, et la suivante s’ouvre ' +
      'correctement.',
    TOO_MANY_DIFFERENCES:
      'Plus de 5 000 écarts : un fichier est sans doute erroné, probablement le premier de ceux-ci. Retirez-le sous ' +
      'Fichiers. Si les écarts sont réels, la journée peut être signée avec une note.',
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
    OPENING: {
      name: 'Opening balance changed',
      advice: 'Reopen the day before, or say in the note why its books have changed.',
    },
    REST: {
      name: 'Sum of further differences',
      advice: 'More than are kept one by one. When the reports are right, reopen the day and sign it again.',
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
    OPENING: {
      name: 'Solde d’ouverture modifié',
      advice: 'Rouvrez la journée précédente, ou dites dans la note pourquoi ses comptes ont changé.',
    },
    REST: {
      name: 'Somme des autres écarts',
      advice:
        'Ils sont trop nombreux pour être gardés un à un. Quand les relevés sont justes, rouvrez la journée.',
    },
  },
});
