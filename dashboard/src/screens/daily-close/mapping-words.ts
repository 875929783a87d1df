import type { AnswerOf } from '../../api/client.ts';
import { words } from '../../language.tsx';

export type Mapping = AnswerOf<'listReportMappings'>['rows'][number]['mapping'];
export type MappedColumn = keyof Mapping['columns'];
export type MappedWord = Mapping['words'][number];
export type Source = AnswerOf<'listReportMappings'>['rows'][number]['source'];

type MappingWords = {
  readonly columns: Readonly<Record<MappedColumn, string>>;
  readonly hints: Readonly<Partial<Record<MappedColumn, string>>>;
  readonly timeForm: string;
  readonly timeForms: Readonly<Record<Mapping['timeForm'], string>>;
  readonly decimalMark: string;
  readonly decimalMarks: Readonly<Record<Mapping['decimalMark'], string>>;
  readonly meanings: Readonly<Record<string, string>>;
};

export const MAPPING_WORDS = words<MappingWords>({
  en: {
    columns: {
      time: 'Time',
      amount: 'Amount',
      amountIn: 'Money in',
      amountOut: 'Money out',
      direction: 'Direction',
      status: 'Status',
      currency: 'Currency',
      reference: 'Reference',
      transactionId: 'Operator transaction ID',
      phoneNumber: 'Phone number',
      movement: 'Top-up, withdrawal or charge',
    },
    hints: {
      amount: 'Leave empty if money in and out have their own columns.',
      direction: 'Without it, a minus sign means money out.',
      status: 'Without it, every line is completed.',
      currency: 'Without it, that of the account.',
      movement: 'Lines without such a word are payments.',
    },
    timeForm: 'Dates in the file',
    timeForms: {
      YEAR_FIRST: '2027-03-31 14:05:06',
      DAY_FIRST: '31/03/2027 14:05:06',
      MONTH_FIRST: '03/31/2027 14:05:06',
      ISO: '2027-03-31T14:05:06Z, with zone',
    },
    decimalMark: 'Amounts in the file',
    decimalMarks: { POINT: '1,000.50', COMMA: '1.000,50' },
    meanings: {
      IN: 'Money in',
      OUT: 'Money out',
      COMPLETED: 'Completed',
      FAILED: 'Failed',
      FLOAT_TOP_UP: 'Float top-up',
      FLOAT_WITHDRAWAL: 'Float withdrawal',
      OPERATOR_CHARGE: 'Operator charge',
      SKIP: 'Skip the line',
    },
  },
  fr: {
    columns: {
      time: 'Heure',
      amount: 'Montant',
      amountIn: 'Entrées',
      amountOut: 'Sorties',
      direction: 'Sens',
      status: 'Statut',
      currency: 'Devise',
      reference: 'Référence',
      transactionId: 'Identifiant de transaction',
      phoneNumber: 'Numéro de téléphone',
      movement: 'Approvisionnement, retrait ou frais',
    },
    hints: {
      amount: 'Laissez vide si entrées et sorties ont leurs propres colonnes.',
      direction: 'Sans cette colonne, un signe moins signifie sortie.',
      status: 'Sans cette colonne, chaque ligne est terminée.',
      currency: 'Sans cette colonne, celle du compte.',
      movement: 'Les lignes sans un tel mot sont des paiements.',
    },
    timeForm: 'Dates dans le fichier',
    timeForms: {
      YEAR_FIRST: '2027-03-31 14:05:06',
      DAY_FIRST: '31/03/2027 14:05:06',
      MONTH_FIRST: '03/31/2027 14:05:06',
      ISO: '2027-03-31T14:05:06Z, avec fuseau',
    },
    decimalMark: 'Montants dans le fichier',
    decimalMarks: { POINT: '1,000.50', COMMA: '1.000,50' },
    meanings: {
      IN: 'Entrée',
      OUT: 'Sortie',
      COMPLETED: 'Terminé',
      FAILED: 'Échoué',
      FLOAT_TOP_UP: 'Approvisionnement',
      FLOAT_WITHDRAWAL: 'Retrait',
      OPERATOR_CHARGE: 'Frais de l’opérateur',
      SKIP: 'Ignorer la ligne',
    },
  },
});
