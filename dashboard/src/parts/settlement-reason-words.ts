import { words, type Language } from '../language.tsx';
import { groupDigits } from './money.tsx';
import { stopsInWords } from './settlement-words.ts';
import { formatExact } from './time.tsx';

type Parameters = Readonly<Record<string, string>>;

function momentOf(language: Language, at = ''): string {
  return Number.isNaN(Date.parse(at)) ? at : formatExact(new Date(at), language, 'UTC');
}

/** Why a bank account or a settlement was refused, by the code of the reason. */
export const SETTLEMENT_REASON_WORDS = words<Readonly<Record<string, (parameters: Parameters) => string>>>({
  en: {
    BANK_ACCOUNT_NUMBER_INVALID: () =>
      'Enter the account number as the bank writes it: 5 to 34 letters and digits.',
    BANK_ACCOUNT_REQUESTED: () =>
      'Another bank account for this currency is pending approval. Reject or withdraw it first.',
    BANK_ACCOUNT_MISSING: ({ currency = '' }) => `Register a bank account for ${currency} first.`,
    BANK_ACCOUNT_COOLING_OFF: ({ usableFrom }) =>
      `The bank account is new. Settlement is possible from ${momentOf('en', usableFrom)} on.`,
    SETTLEMENT_FROZEN: () => 'Outgoing payments are frozen. Ask the platform.',
    SETTLEMENT_SUSPENDED: () => 'This account is suspended. Ask the platform.',
    SETTLEMENT_RECOVERING: () =>
      'The gateway was restored from a backup and balances are being checked. Try again later.',
    SETTLEMENT_WALLET_OWES: () => 'This wallet owes money, and too little would stay in it. Request less.',
    SETTLEMENT_SHORT: ({ available = '', currency = '' }) =>
      `The wallet has only ${groupDigits(available, 'en')} ${currency} available. Request less.`,
    SETTLEMENT_IDENTIFIER_TAKEN: () =>
      'This request was already used for another settlement. Reload the page.',
    SETTLEMENT_STOPPED: ({ stops = '' }) =>
      `This settlement must not be paid now: ${stopsInWords(stops, 'en')}. Reject it, or wait until that has ended. ` +
      'If the bank has already paid it, request it again and say so.',
    SETTLEMENT_DECIDED: () => 'This settlement was already decided. Reload to see its status.',
    SETTLEMENT_DECISION_REQUESTED: () =>
      'A decision is pending approval. Approve or reject that request first.',
  },
  fr: {
    BANK_ACCOUNT_NUMBER_INVALID: () =>
      'Saisissez le numéro de compte comme la banque l’écrit : 5 à 34 lettres et chiffres.',
    BANK_ACCOUNT_REQUESTED: () =>
      'Un autre compte bancaire pour cette devise attend une approbation. Refusez-le ou retirez-le d’abord.',
    BANK_ACCOUNT_MISSING: ({ currency = '' }) => `Enregistrez d’abord un compte bancaire en ${currency}.`,
    BANK_ACCOUNT_COOLING_OFF: ({ usableFrom }) =>
      `Le compte bancaire est nouveau. Règlement possible à partir du ${momentOf('fr', usableFrom)}.`,
    SETTLEMENT_FROZEN: () => 'Les paiements sortants sont gelés. Contactez la plateforme.',
    SETTLEMENT_SUSPENDED: () => 'Ce compte est suspendu. Contactez la plateforme.',
    SETTLEMENT_RECOVERING: () =>
      'La passerelle a été restaurée et les soldes sont en cours de vérification. Réessayez plus tard.',
    SETTLEMENT_WALLET_OWES: () => 'Ce portefeuille a une dette, et il y resterait trop peu. Demandez moins.',
    SETTLEMENT_SHORT: ({ available = '', currency = '' }) =>
      `Seuls ${groupDigits(available, 'fr')} ${currency} sont disponibles. Demandez moins.`,
    SETTLEMENT_IDENTIFIER_TAKEN: () => 'Cette demande a déjà servi à un autre règlement. Rechargez la page.',
    SETTLEMENT_STOPPED: ({ stops = '' }) =>
      `Ce règlement ne doit pas être payé maintenant : ${stopsInWords(stops, 'fr')}. Refusez-le, ou attendez ` +
      'que cela prenne fin. Si la banque l’a déjà payé, refaites la demande en le déclarant.',
    SETTLEMENT_DECIDED: () => 'Ce règlement a déjà été décidé. Rechargez pour voir son statut.',
    SETTLEMENT_DECISION_REQUESTED: () =>
      'Une décision attend une approbation. Approuvez-la ou refusez-la d’abord.',
  },
});
