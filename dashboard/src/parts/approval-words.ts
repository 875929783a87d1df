import { words } from '../language.tsx';
import type { Approval } from './approval-acts.tsx';
import { batchTitle } from './batch-words.ts';
import { readValue, type Reader } from './detail-values.ts';
import { reportEffects } from './report-effects.ts';
import { freezeTitle, limitRequestTitle, numberListTitle } from './limit-words.ts';
import { lostPaymentTitle } from './lost-payment-words.ts';
import { groupDigits } from './money.tsx';
import { reviewRuleTitle, reviewTitle } from './review-words.ts';
import { settlementTitle } from './settlement-words.ts';

type KindWords = { readonly name: string; readonly effect: (subject: string) => string };

/** What is requested, and what will be so when another person approves it. */
export const KIND_OF_APPROVAL_WORDS = words<Readonly<Record<Approval['kind'], KindWords>>>({
  en: {
    TOKEN: {
      name: 'API token that can send money',
      effect: (name) => `A server with the token “${name}” can then send money from the wallets.`,
    },
    PUBLIC_KEY: {
      name: 'Public key',
      effect: (name) => `Requests signed with “${name}” are then accepted. Compare its fingerprint first.`,
    },
    UNSIGNED_REQUESTS: {
      name: 'Payments without signatures',
      effect: () => 'An API token alone is then enough to start payments.',
    },
    UNSIGNED_PAGES: {
      name: 'Payment pages without signatures',
      effect: () => 'An API token alone is then enough to open payment pages and checkouts.',
    },
    INVITATION: {
      name: 'Invitation',
      effect: (email) => `${email} can then join, and approve requests.`,
    },
    ROLE: {
      name: 'Role change',
      effect: (email) => `${email} can then approve requests.`,
    },
    PAYMENT_END: {
      name: 'Manual end of a payment',
      effect: (payment) => `${payment} ends now, unless the operator gives a clear result. This is final.`,
    },
    OPERATOR_REPORT: {
      name: 'Operator report',
      effect: (provider) => `The report of ${provider} is applied now, as listed. This is final.`,
    },
    REPORT_READING: {
      name: 'Import of a report that contradicts the books',
      effect: (provider) =>
        `The report of ${provider} can then be uploaded again as it is. Compare it with the operator’s original first.`,
    },
    FILE_VOID: {
      name: 'Voiding of a file',
      effect: (file) =>
        `${file} counts for nothing any more: its lines are taken back, and its requests end. Payments that it ended ` +
        'stay final. This is final.',
    },
    MONEY: {
      name: 'Money transfer',
      effect: (what) => `This is posted now: ${what}.`,
    },
    FLOAT: {
      name: 'Float movement',
      effect: (what) => `This is posted now: ${what}. Compare it with the operator’s report first.`,
    },
    CASE: {
      name: 'Resolution of a case',
      effect: (what) => `${what}. The money moves at once, and the case is closed permanently.`,
    },
    PAYOUT_BATCH: {
      name: 'Payout batch',
      effect: (what) => `${what}. The payouts are sent at once. Completed payouts cannot be reversed.`,
    },
    PAYOUT_LIMIT: {
      name: 'Higher payout limit',
      effect: (amount) =>
        `Everyone together can then pay out up to ${amount} in 24 hours without a second approver.`,
    },
    LIMIT: {
      name: 'Higher or removed limit',
      effect: (limit) => `The limit ${limit} then lets more through.`,
    },
    FREEZE_LIFT: {
      name: 'End of a freeze',
      effect: (what) =>
        `Payments that wait because of this freeze are then sent, unless another freeze covers them: ${what}.`,
    },
    MERCHANT_RESUME: {
      name: 'Resumption of a suspended merchant',
      effect: () => 'Its API tokens work again, and its payments that waited are sent.',
    },
    NUMBER_LIST: {
      name: 'Phone number list',
      effect: (what) => `The list changes at once. ${what}.`,
    },
    REVIEW: {
      name: 'Decision about a held payment',
      effect: (what) => `${what}. A released payment is sent at once. A rejected one fails. Both are final.`,
    },
    REVIEW_RULE: {
      name: 'Looser review rule',
      effect: (what) => `Fewer payments are then looked at: ${what}.`,
    },
    DAY_CLOSE: {
      name: 'Signature of a day',
      effect: (day) =>
        `You sign that this day agrees, but for the differences listed: ${day}. It never changes after. Lines that ` +
        'came since the request belong to the next day.',
    },
    DAY_REOPEN: {
      name: 'Reopening of a day',
      effect: (day) =>
        `The signature of ${day} is taken back, and stays in the record. The day must be signed again before later ` +
        'ones.',
    },
    FIRST_DAY: {
      name: 'First day of the daily close',
      effect: (account) =>
        `Days are then closed from another day on: ${account}. Days before it are never signed, and what differs in ` +
        'them is not carried on.',
    },
    BANK_ACCOUNT: {
      name: 'Bank account for settlement',
      effect: (account) => `After a cooling-off, money is settled to ${account}. Compare the number first.`,
    },
    SETTLEMENT: {
      name: 'Outcome of a settlement',
      effect: (what) => `${what}. Paid, the money leaves the wallet. Rejected, it is available again.`,
    },
    CELL_END: {
      name: 'End of a cell',
      effect: (cells) =>
        `The platform’s balances move to the other cell now: ${cells}. Compare the trial balance first.`,
    },
    LOST_PAYMENT: {
      name: 'Owner of a lost payment',
      effect: (payment) =>
        `${payment}: its money leaves the suspense account now, and the payment is never sent. Compare it with the ` +
        'operator’s report.',
    },
  },
  fr: {
    TOKEN: {
      name: 'Jeton d’API autorisant des paiements sortants',
      effect: (name) =>
        `Un serveur avec le jeton « ${name} » pourra envoyer de l’argent depuis les portefeuilles.`,
    },
    PUBLIC_KEY: {
      name: 'Clé publique',
      effect: (name) =>
        `Les requêtes signées avec « ${name} » seront acceptées. Comparez d’abord l’empreinte.`,
    },
    UNSIGNED_REQUESTS: {
      name: 'Paiements sans signature',
      effect: () => 'Un jeton d’API seul suffira pour lancer des paiements.',
    },
    UNSIGNED_PAGES: {
      name: 'Pages de paiement sans signature',
      effect: () => 'Un jeton d’API seul suffira pour ouvrir des pages et sessions de paiement.',
    },
    INVITATION: {
      name: 'Invitation',
      effect: (email) => `${email} pourra rejoindre l’équipe et approuver des demandes.`,
    },
    ROLE: {
      name: 'Changement de rôle',
      effect: (email) => `${email} pourra approuver des demandes.`,
    },
    PAYMENT_END: {
      name: 'Clôture manuelle d’un paiement',
      effect: (payment) =>
        `${payment} est clos maintenant, sauf si l’opérateur donne un résultat clair. C’est définitif.`,
    },
    OPERATOR_REPORT: {
      name: 'Relevé d’opérateur',
      effect: (provider) =>
        `Le relevé de ${provider} est appliqué maintenant, comme indiqué. C’est définitif.`,
    },
    REPORT_READING: {
      name: 'Import d’un relevé contraire aux comptes',
      effect: (provider) =>
        `Le relevé de ${provider} pourra être importé de nouveau tel quel. Comparez-le d’abord avec l’original.`,
    },
    FILE_VOID: {
      name: 'Annulation d’un fichier',
      effect: (file) =>
        `${file} ne compte plus : ses lignes sont reprises et ses demandes prennent fin. Les paiements qu’il a clos ` +
        'restent définitifs. C’est définitif.',
    },
    MONEY: {
      name: 'Transfert d’argent',
      effect: (what) => `Ceci est comptabilisé maintenant : ${what}.`,
    },
    FLOAT: {
      name: 'Mouvement chez un opérateur',
      effect: (what) =>
        `Ceci est comptabilisé maintenant : ${what}. Comparez d’abord avec le relevé de l’opérateur.`,
    },
    CASE: {
      name: 'Résolution d’un dossier',
      effect: (what) => `${what}. L’argent bouge aussitôt et le dossier est clos définitivement.`,
    },
    PAYOUT_BATCH: {
      name: 'Lot de versements',
      effect: (what) =>
        `${what}. Les versements partent aussitôt. Un versement effectué ne peut être annulé.`,
    },
    PAYOUT_LIMIT: {
      name: 'Plafond de versement plus élevé',
      effect: (amount) =>
        `Tous ensemble pourront alors verser jusqu’à ${amount} en 24 heures sans seconde personne.`,
    },
    LIMIT: {
      name: 'Limite relevée ou supprimée',
      effect: (limit) => `La limite ${limit} laissera alors passer davantage.`,
    },
    FREEZE_LIFT: {
      name: 'Fin d’un gel',
      effect: (what) =>
        `Les paiements retenus par ce gel seront alors envoyés, sauf si un autre gel les couvre : ${what}.`,
    },
    MERCHANT_RESUME: {
      name: 'Rétablissement d’un marchand suspendu',
      effect: () => 'Ses jetons d’API fonctionnent de nouveau et ses paiements en attente partent.',
    },
    NUMBER_LIST: {
      name: 'Liste de numéros',
      effect: (what) => `La liste change aussitôt. ${what}.`,
    },
    REVIEW: {
      name: 'Décision sur un paiement retenu',
      effect: (what) =>
        `${what}. Un paiement libéré part aussitôt. Un paiement refusé échoue. C’est définitif.`,
    },
    REVIEW_RULE: {
      name: 'Règle de contrôle assouplie',
      effect: (what) => `Moins de paiements seront alors contrôlés : ${what}.`,
    },
    DAY_CLOSE: {
      name: 'Signature d’une journée',
      effect: (day) =>
        `Vous signez que cette journée concorde, sauf les écarts listés : ${day}. Elle ne change plus ensuite. Les ` +
        'lignes arrivées depuis la demande sont de la journée suivante.',
    },
    DAY_REOPEN: {
      name: 'Réouverture d’une journée',
      effect: (day) =>
        `La signature de ${day} est retirée et reste consignée. La journée doit être signée de nouveau avant les ` +
        'suivantes.',
    },
    FIRST_DAY: {
      name: 'Première journée de clôture',
      effect: (account) =>
        `Les journées sont alors clôturées à partir d’une autre : ${account}. Celles d’avant ne sont jamais signées, ` +
        'et leurs écarts ne sont pas reportés.',
    },
    BANK_ACCOUNT: {
      name: 'Compte bancaire pour les règlements',
      effect: (account) =>
        `Après un délai de précaution, l’argent sera réglé sur ${account}. Comparez d’abord le numéro.`,
    },
    SETTLEMENT: {
      name: 'Issue d’un règlement',
      effect: (what) => `${what}. Payé, l’argent quitte le portefeuille. Refusé, il redevient disponible.`,
    },
    CELL_END: {
      name: 'Fin d’une cellule',
      effect: (cells) =>
        `Les soldes de la plateforme changent de cellule : ${cells}. Comparez d’abord la balance.`,
    },
    LOST_PAYMENT: {
      name: 'Propriétaire d’un paiement perdu',
      effect: (payment) =>
        `${payment} : son argent quitte maintenant le compte d’attente, et le paiement n’est jamais envoyé. ` +
        'Comparez-le au relevé de l’opérateur.',
    },
  },
});

/** "Credit 2,500,000 RWF to Demo Shop (Rwanda) now?" A negative adjustment debits, as a settlement does. */
export function moneyQuestion({ merchant, details }: Approval, { language, names }: Reader): string {
  const { type = '', amount = '', currency = '', country = '' } = details;
  const isDebit = type === 'SETTLEMENT' || amount.startsWith('-');
  const money = `${groupDigits(amount.replace(/^-/, ''), language)} ${currency}`;
  const whose = `${merchant ?? ''} (${names.country(country)})`;
  return MONEY_WORDS[language][isDebit ? 'debit' : 'credit'](money, whose);
}

const MONEY_WORDS = words({
  en: {
    credit: (money: string, whose: string) => `Credit ${money} to ${whose} now?`,
    debit: (money: string, whose: string) => `Debit ${money} from ${whose} now?`,
  },
  fr: {
    credit: (money: string, whose: string) => `Créditer ${money} à ${whose} maintenant ?`,
    debit: (money: string, whose: string) => `Débiter ${money} de ${whose} maintenant ?`,
  },
});

/** What of its details names a request, and what else is shown of it. The rest is for programs. */
const PARTS: Readonly<
  Record<Approval['kind'], { readonly title: readonly string[]; readonly rest: readonly string[] }>
> = {
  TOKEN: { title: ['name'], rest: ['scopes', 'expiresAt'] },
  PUBLIC_KEY: { title: ['name'], rest: ['algorithm', 'fingerprint'] },
  UNSIGNED_REQUESTS: { title: [], rest: [] },
  UNSIGNED_PAGES: { title: [], rest: [] },
  INVITATION: { title: ['email'], rest: ['role'] },
  ROLE: { title: ['email'], rest: ['role'] },
  PAYMENT_END: { title: ['payment'], rest: ['outcome'] },
  OPERATOR_REPORT: { title: ['provider'], rest: ['mappingBy'] },
  REPORT_READING: { title: ['provider'], rest: ['differingCount', 'knownCount', 'mappingBy', 'note'] },
  MONEY: {
    title: ['type', 'amount', 'currency'],
    rest: ['country', 'walletProvider', 'reference', 'alike', 'bankHasPaid', 'despite'],
  },
  FLOAT: { title: ['type', 'provider', 'amount', 'currency'], rest: ['reference'] },
  CASE: { title: ['resolution', 'amount', 'currency'], rest: ['evidence', 'payment'] },
  PAYOUT_BATCH: { title: [], rest: [] },
  PAYOUT_LIMIT: { title: ['amount', 'currency'], rest: [] },
  LIMIT: { title: [], rest: [] },
  FREEZE_LIFT: { title: [], rest: ['frozenAt', 'frozenBy'] },
  MERCHANT_RESUME: { title: [], rest: ['suspendedAt'] },
  NUMBER_LIST: { title: [], rest: [] },
  REVIEW: { title: [], rest: ['payment'] },
  REVIEW_RULE: { title: [], rest: [] },
  DAY_CLOSE: {
    title: ['provider', 'day'],
    rest: [
      'currency',
      'opening',
      'closing',
      'unexplained',
      'bankUnexplained',
      'differenceCount',
      'lineCount',
      'linesThrough',
      'bankLineCount',
      'bankLinesThrough',
      'unreadableLineCount',
      'despite',
      'openingChange',
      'note',
    ],
  },
  DAY_REOPEN: { title: ['provider', 'day'], rest: ['currency', 'note'] },
  FIRST_DAY: {
    title: ['provider', 'currency', 'firstDay'],
    rest: [
      'before',
      'droppedDays',
      'droppedMovementCount',
      'droppedLineCount',
      'droppedReceived',
      'droppedSent',
      'droppedDifferenceCount',
      'droppedDiffering',
      'droppedBankLineCount',
      'droppedBankReceived',
      'droppedBankSent',
      'droppedBankDifferenceCount',
      'droppedBankDiffering',
    ],
  },
  FILE_VOID: {
    title: ['provider', 'fileName'],
    rest: [
      'source',
      'currencies',
      'importedAt',
      'lineCount',
      'elsewhereCount',
      'signedDays',
      'waitingCount',
      'endedCount',
      'openCaseCount',
      'keptCaseCount',
      'resolvedCaseCount',
      'lostCount',
      'keptLostCount',
      'postedBack',
      'note',
    ],
  },
  BANK_ACCOUNT: { title: ['bank', 'number', 'currency'], rest: [] },
  SETTLEMENT: {
    title: [],
    rest: ['country', 'walletProvider', 'bank', 'number', 'reference', 'bankHasPaid', 'despite'],
  },
  CELL_END: { title: ['from', 'to'], rest: ['sums'] },
  LOST_PAYMENT: { title: [], rest: ['provider', 'reference', 'note'] },
};

/** Empty where the kind says it all. */
export function titleOf({ kind, details }: Approval, reader: Reader): string {
  const { language } = reader;
  if (kind === 'LIMIT') return limitRequestTitle(details, language);
  if (kind === 'FREEZE_LIFT') return freezeTitle(details, language);
  if (kind === 'NUMBER_LIST') return numberListTitle(details, language);
  if (kind === 'REVIEW') return reviewTitle(details, language);
  if (kind === 'REVIEW_RULE') return reviewRuleTitle(details, language);
  if (kind === 'PAYOUT_BATCH') return batchTitle(details, language);
  if (kind === 'SETTLEMENT') return settlementTitle(details, language);
  if (kind === 'LOST_PAYMENT') return lostPaymentTitle(details, language);
  return readParts(PARTS[kind].title, details, reader).join(kind === 'CELL_END' ? ' → ' : ' ');
}

export function restOf({ kind, details }: Approval, reader: Reader): readonly string[] {
  const effects = kind === 'OPERATOR_REPORT' ? reportEffects(details, reader) : [];
  return [...effects, ...readParts(PARTS[kind].rest, details, reader)];
}

function readParts(
  names: readonly string[],
  details: Approval['details'],
  reader: Reader,
): readonly string[] {
  return names.flatMap((name) => {
    const value = details[name] ?? '';
    return value === '' ? [] : [readValue(name, value, reader)];
  });
}
