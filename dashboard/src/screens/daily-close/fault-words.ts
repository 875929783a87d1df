import { words } from '../../language.tsx';
import type { AnswerOf } from '../../api/client.ts';

export type Upload = AnswerOf<'listReportUploads'>['rows'][number];
export type Fault = Upload['faults'][number];

/** What is wrong with a line or with the file, and what to do. Codes of the server; a test compares them. */
export const REPORT_FAULT_WORDS = words<Readonly<Record<Fault['code'], (column: string) => string>>>({
  en: {
    TIME_INVALID: () => 'The time cannot be read. Choose how the file writes times under Columns.',
    BANK_TIME_INVALID: () => 'The day or time cannot be read. Choose how the file writes it under Columns.',
    DIRECTION_INVALID: () =>
      'The direction is unknown. Say under Columns which word means in, and which out.',
    STATUS_INVALID: () =>
      'The status is unknown. Say under Columns which word means completed or failed, and which lines to skip.',
    AMOUNT_INVALID: () =>
      'The amount cannot be read. Choose the decimal mark under Columns, or correct the line.',
    CURRENCY_INVALID: () => 'The currency must be three capital letters, e.g. RWF.',
    NAMES_MISSING: () => 'Reference and transaction ID are both empty. Fill in one of them.',
    NAMES_INVALID: () => 'Reference and transaction ID must be plain letters and digits.',
    PHONE_NUMBER_INVALID: () => 'The phone number must be digits with the country code, or empty.',
    FAILURE_CODE_INVALID: () => 'The failure code is not one of ours. Leave it empty.',
    MOVEMENT_INVALID: () => 'The type of movement is unknown. Say under Columns what the word means.',
    MOVEMENT_STATUS: () => 'A top-up, withdrawal or charge must be completed. Remove the line if it is not.',
    MOVEMENT_AMOUNT: () => 'The direction does not fit a top-up, withdrawal or charge. Check both columns.',
    MOVEMENT_TRANSACTION: () => 'A top-up, withdrawal or charge needs the operator’s transaction ID.',
    REFERENCE_INVALID: () => 'The reference must have 3 to 64 letters, digits and ./_:- or be empty.',
    CELL_COUNT: () => 'The line has more or fewer cells than the header. Put texts with a comma in quotes.',
    COLUMN_UNKNOWN: (column) => `Unknown column “${column}”. Remove it, or enter your columns under Columns.`,
    COLUMN_MISSING: (column) =>
      `The column “${column}” is missing. The first line must name the columns; remove lines above it.`,
    COLUMN_REPEATED: (column) => `The column “${column}” is in the file twice. Rename one of them.`,
    NAME_COLUMN_MISSING: () => 'A column with our reference or the operator’s transaction ID is missing.',
    NOT_CSV: () =>
      'From here on this is not a CSV file. Nothing of it was imported. Save it as CSV, and upload it again.',
    FILES_BUSY: (by: string) =>
      `${by} is working with a file of this provider, or is about to approve one. Upload this one when that has ended.`,
    INTERRUPTED: () => 'The import was interrupted. Upload the file again: no line counts twice.',
  },
  fr: {
    TIME_INVALID: () =>
      'L’heure est illisible. Choisissez sous Colonnes comment le fichier écrit les heures.',
    BANK_TIME_INVALID: () =>
      'Le jour ou l’heure est illisible. Choisissez sous Colonnes comment le fichier les écrit.',
    DIRECTION_INVALID: () =>
      'Le sens est inconnu. Dites sous Colonnes quel mot signifie entrée, et lequel sortie.',
    STATUS_INVALID: () =>
      'Le statut est inconnu. Dites sous Colonnes quel mot signifie terminé ou échoué, et quelles lignes ignorer.',
    AMOUNT_INVALID: () =>
      'Le montant est illisible. Choisissez le signe décimal sous Colonnes, ou corrigez la ligne.',
    CURRENCY_INVALID: () => 'La devise doit avoir trois majuscules, par exemple RWF.',
    NAMES_MISSING: () => 'Référence et identifiant de transaction sont vides. Remplissez l’un des deux.',
    NAMES_INVALID: () => 'Référence et identifiant de transaction : lettres simples et chiffres seulement.',
    PHONE_NUMBER_INVALID: () => 'Le numéro doit avoir l’indicatif et des chiffres seulement, ou être vide.',
    FAILURE_CODE_INVALID: () => 'Ce code d’échec n’est pas des nôtres. Laissez-le vide.',
    MOVEMENT_INVALID: () => 'Le type de mouvement est inconnu. Dites sous Colonnes ce que le mot signifie.',
    MOVEMENT_STATUS: () =>
      'Un approvisionnement, un retrait ou des frais doivent être terminés. Sinon, retirez la ligne.',
    MOVEMENT_AMOUNT: () =>
      'Le sens ne convient pas à un approvisionnement, un retrait ou des frais. Vérifiez les deux colonnes.',
    MOVEMENT_TRANSACTION: () =>
      'Un approvisionnement, un retrait ou des frais demandent l’identifiant de transaction de l’opérateur.',
    REFERENCE_INVALID: () => 'La référence : 3 à 64 lettres, chiffres et ./_:- ou vide.',
    CELL_COUNT: () =>
      'La ligne a plus ou moins de cellules que l’en-tête. Mettez entre guillemets les textes avec virgule.',
    COLUMN_UNKNOWN: (column) =>
      `Colonne inconnue « ${column} ». Retirez-la, ou saisissez vos colonnes sous Colonnes.`,
    COLUMN_MISSING: (column) =>
      `La colonne « ${column} » manque. La première ligne nomme les colonnes ; retirez les lignes au-dessus.`,
    COLUMN_REPEATED: (column) => `La colonne « ${column} » est deux fois dans le fichier. Renommez-en une.`,
    NAME_COLUMN_MISSING: () =>
      'Il manque une colonne avec notre référence ou l’identifiant de transaction de l’opérateur.',
    NOT_CSV: () =>
      'À partir d’ici, ce n’est pas un fichier CSV. Rien n’a été importé. Enregistrez-le en CSV et importez-le de ' +
      'nouveau.',
    FILES_BUSY: (by: string) =>
      `${by} traite un fichier de ce fournisseur, ou va en approuver un. Importez celui-ci quand ce sera terminé.`,
    INTERRUPTED: () =>
      'L’import a été interrompu. Importez de nouveau le fichier : aucune ligne ne compte deux fois.',
  },
});
