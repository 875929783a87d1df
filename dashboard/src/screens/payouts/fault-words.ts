import { words } from '../../language.tsx';
import { groupDigits } from '../../parts/money.tsx';
import type { Names } from '../../parts/names.tsx';
import type { Prepared } from './batch-words.ts';

export type Fault = Prepared['faults'][number];

type Asked = { readonly parameters: Fault['parameters']; readonly names: Names };
type Sentence = (asked: Asked) => string;

type FaultWords = {
  /** What is wrong with one value, by its column. */
  readonly invalid: Readonly<Record<string, string>>;
  /** Why the provider is not detected. */
  readonly undetected: Readonly<Record<string, string>>;
  readonly codes: Readonly<Record<string, Sentence>>;
  readonly otherwise: string;
};

/** Codes of the server that have words here; a test compares them. */
export const FAULT_WORDS = words<FaultWords>({
  en: {
    invalid: {
      phoneNumber:
        'Invalid phone number. Use digits with the country code, formatted as text in a spreadsheet.',
      amount: 'Invalid amount. Use digits and a decimal point, e.g. 12500 or 12.50.',
      currency: 'Invalid currency. Use three capital letters, e.g. RWF.',
      provider: 'Invalid provider code. Use a code such as MTN_MOMO_RWA.',
      recipientName: 'The name is too long. Use at most 100 characters.',
      customerMessage: 'Use 4 to 22 letters, digits and spaces, without accents.',
      clientReferenceId: 'The reference is too long. Use at most 1,000 characters.',
    },
    undetected: {
      COUNTRY:
        'Unknown country code. Use the international format, e.g. +250 783 456 789, or fill in the provider column.',
      LENGTH: 'The phone number has too many or too few digits.',
      PREFIX: 'The provider cannot be detected from this phone number. Select the provider.',
    },
    otherwise: 'This value is not accepted.',
    codes: {
      FILE_UNREADABLE: () => 'This is not a CSV file. Save the spreadsheet as CSV, and upload it again.',
      FILE_EMPTY: () => 'The file has no payouts.',
      FILE_TOO_LONG: ({ parameters: { max = '' } }) => `A file has at most ${max} payouts. Split it.`,
      COLUMN_MISSING: () => 'Missing column',
      COLUMN_UNKNOWN: () => 'Unknown column. Remove it, or name it metadata.… to store it with the payout.',
      COLUMN_REPEATED: () => 'This column is in the file twice.',
      TOO_MUCH_METADATA: ({ parameters: { max = '' } }) => `A payout has at most ${max} metadata columns.`,
      TOO_MANY_CELLS: () => 'The row has more cells than the header. Put texts with a comma in quotes.',
      MISSING: () => 'Required. Fill in this value.',
      TOO_LONG: ({ parameters: { max = '' } }) => `Too long. Use at most ${max} characters.`,
      PAYOUTS_NOT_ALLOWED: () =>
        'Payouts are not enabled for this account, a limit is reached, or the number is blocked. Ask the platform.',
      INVALID_PROVIDER: ({ parameters: { provider = '' }, names }) =>
        `${names.provider(provider)} is not enabled for payouts of this account.`,
      INVALID_CURRENCY: ({ parameters: { provider = '', currency = '' }, names }) =>
        `${names.provider(provider)} does not pay out in ${currency}.`,
      INVALID_AMOUNT: ({ parameters: { provider = '', decimals = '0' }, names }) =>
        decimals === '0'
          ? `${names.provider(provider)} takes whole amounts only, without decimals.`
          : `${names.provider(provider)} takes at most ${decimals} decimals.`,
      AMOUNT_OUT_OF_BOUNDS: ({
        parameters: { provider = '', minAmount = '', maxAmount = '', currency = '' },
        names,
      }) =>
        `${names.provider(provider)} takes amounts from ${groupDigits(minAmount, 'en')} to ` +
        `${groupDigits(maxAmount, 'en')} ${currency}.`,
      INVALID_PHONE_NUMBER: ({ parameters: { country = '' }, names }) =>
        `This is not a valid phone number in ${names.country(country)}.`,
      WALLET_OUT_OF_FUNDS: ({ parameters: { country = '', currency = '', missing = '' }, names }) =>
        `The balance of the wallet ${names.country(country)} (${currency}) is ` +
        `${groupDigits(missing, 'en')} ${currency} too low, fees included. ` +
        'Top it up, or pay out less.',
    },
  },
  fr: {
    invalid: {
      phoneNumber:
        'Numéro invalide. Chiffres avec l’indicatif du pays, formatés comme du texte dans un tableur.',
      amount: 'Montant invalide. Utilisez des chiffres et un point décimal, p. ex. 12500 ou 12.50.',
      currency: 'Devise invalide. Utilisez trois lettres majuscules, p. ex. RWF.',
      provider: 'Code d’opérateur invalide. Utilisez un code comme MTN_MOMO_RWA.',
      recipientName: 'Le nom est trop long. Utilisez au plus 100 caractères.',
      customerMessage: 'Utilisez 4 à 22 lettres, chiffres et espaces, sans accents.',
      clientReferenceId: 'La référence est trop longue. Utilisez au plus 1 000 caractères.',
    },
    undetected: {
      COUNTRY:
        'Indicatif de pays inconnu. Utilisez le format international, p. ex. +250 783 456 789, ou remplissez la ' +
        'colonne provider.',
      LENGTH: 'Le numéro a trop ou trop peu de chiffres.',
      PREFIX: 'L’opérateur ne peut être détecté d’après ce numéro. Choisissez l’opérateur.',
    },
    otherwise: 'Cette valeur n’est pas acceptée.',
    codes: {
      FILE_UNREADABLE: () =>
        'Ce n’est pas un fichier CSV. Enregistrez le tableur en CSV et importez-le de nouveau.',
      FILE_EMPTY: () => 'Le fichier ne contient aucun versement.',
      FILE_TOO_LONG: ({ parameters: { max = '' } }) => `Un fichier a au plus ${max} versements. Divisez-le.`,
      COLUMN_MISSING: () => 'Colonne manquante',
      COLUMN_UNKNOWN: () =>
        'Colonne inconnue. Supprimez-la, ou nommez-la metadata.… pour la stocker avec le versement.',
      COLUMN_REPEATED: () => 'Cette colonne est deux fois dans le fichier.',
      TOO_MUCH_METADATA: ({ parameters: { max = '' } }) => `Un versement a au plus ${max} colonnes metadata.`,
      TOO_MANY_CELLS: () =>
        'La ligne a plus de cellules que l’en-tête. Mettez entre guillemets les textes avec une virgule.',
      MISSING: () => 'Obligatoire. Remplissez cette valeur.',
      TOO_LONG: ({ parameters: { max = '' } }) => `Trop long. Utilisez au plus ${max} caractères.`,
      PAYOUTS_NOT_ALLOWED: () =>
        'Les versements ne sont pas activés pour ce compte, une limite est atteinte, ou le numéro est bloqué. ' +
        'Demandez à la plateforme.',
      INVALID_PROVIDER: ({ parameters: { provider = '' }, names }) =>
        `${names.provider(provider)} n’est pas activé pour les versements de ce compte.`,
      INVALID_CURRENCY: ({ parameters: { provider = '', currency = '' }, names }) =>
        `${names.provider(provider)} ne verse pas en ${currency}.`,
      INVALID_AMOUNT: ({ parameters: { provider = '', decimals = '0' }, names }) =>
        decimals === '0'
          ? `${names.provider(provider)} n’accepte que des montants entiers, sans décimales.`
          : `${names.provider(provider)} accepte au plus ${decimals} décimales.`,
      AMOUNT_OUT_OF_BOUNDS: ({
        parameters: { provider = '', minAmount = '', maxAmount = '', currency = '' },
        names,
      }) =>
        `${names.provider(provider)} accepte des montants de ${groupDigits(minAmount, 'fr')} à ` +
        `${groupDigits(maxAmount, 'fr')} ${currency}.`,
      INVALID_PHONE_NUMBER: ({ parameters: { country = '' }, names }) =>
        `Ce n’est pas un numéro valide (${names.country(country)}).`,
      WALLET_OUT_OF_FUNDS: ({ parameters: { country = '', currency = '', missing = '' }, names }) =>
        `Il manque ${groupDigits(missing, 'fr')} ${currency} au portefeuille ${names.country(country)} ` +
        `(${currency}), frais compris. ` +
        'Approvisionnez-le, ou versez moins.',
    },
  },
});

export function wordFault({ column, code, parameters }: Fault, t: FaultWords, names: Names): string {
  if (code === 'INVALID') return t.invalid[column] ?? t.otherwise;
  if (code === 'PROVIDER_UNKNOWN') return t.undetected[parameters['because'] ?? ''] ?? t.otherwise;
  return t.codes[code]?.({ parameters, names }) ?? t.otherwise;
}
