import { words, type Language } from '../language.tsx';
import type { Approval } from './approval-acts.tsx';
import { groupDigits } from './money.tsx';
import { MOVEMENT_WORDS } from './movement-words.ts';

type KindWords = { readonly name: string; readonly effect: (subject: string) => string };

/** What is requested, and what will be so when another person approves it. */
export const KIND_OF_APPROVAL_WORDS = words<Readonly<Record<Approval['kind'], KindWords>>>({
  en: {
    TOKEN: {
      name: 'API token that lets money out',
      effect: (name) => `Whoever has the token “${name}” can then send money out of the wallets.`,
    },
    PUBLIC_KEY: {
      name: 'Public key',
      effect: (name) => `Requests signed with “${name}” are then believed. Compare its fingerprint first.`,
    },
    UNSIGNED_REQUESTS: {
      name: 'Payments without signatures',
      effect: () => 'A token alone is then enough to start payments.',
    },
    UNSIGNED_PAGES: {
      name: 'Payment pages without signatures',
      effect: () => 'A token alone is then enough to open payment pages and checkouts.',
    },
    INVITATION: {
      name: 'Invitation',
      effect: (email) => `${email} can then join, and take part in deciding.`,
    },
    ROLE: {
      name: 'Another role',
      effect: (email) => `${email} can then take part in deciding.`,
    },
    PAYMENT_END: {
      name: 'Manual end of a payment',
      effect: (payment) => `${payment} ends now, unless the operator gives a clear result. This is final.`,
    },
    OPERATOR_REPORT: {
      name: 'Operator report',
      effect: (provider) => `The report of ${provider} is applied now, and ends payments. This is final.`,
    },
    MONEY: {
      name: 'Money transfer',
      effect: (what) => `This is posted now: ${what}.`,
    },
    FLOAT: {
      name: 'Float movement',
      effect: (what) => `This is posted now: ${what}. Compare it with the operator’s statement first.`,
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
      effect: (amount) => `From now on one person alone can pay out up to ${amount} in a day.`,
    },
  },
  fr: {
    TOKEN: {
      name: 'Jeton d’API autorisant des paiements sortants',
      effect: (name) => `Qui détient le jeton « ${name} » pourra alors sortir de l’argent des portefeuilles.`,
    },
    PUBLIC_KEY: {
      name: 'Clé publique',
      effect: (name) =>
        `Les requêtes signées avec « ${name} » seront acceptées. Comparez d’abord l’empreinte.`,
    },
    UNSIGNED_REQUESTS: {
      name: 'Paiements sans signature',
      effect: () => 'Un jeton seul suffira alors pour lancer des paiements.',
    },
    UNSIGNED_PAGES: {
      name: 'Pages de paiement sans signature',
      effect: () => 'Un jeton seul suffira alors pour ouvrir des pages de paiement et des checkouts.',
    },
    INVITATION: {
      name: 'Invitation',
      effect: (email) => `${email} pourra alors arriver, et prendre part aux décisions.`,
    },
    ROLE: {
      name: 'Autre rôle',
      effect: (email) => `${email} pourra alors prendre part aux décisions.`,
    },
    PAYMENT_END: {
      name: 'Clôture manuelle d’un paiement',
      effect: (payment) =>
        `${payment} est clos maintenant, sauf si l’opérateur donne un résultat clair. C’est définitif.`,
    },
    OPERATOR_REPORT: {
      name: 'Relevé d’opérateur',
      effect: (provider) => `Le relevé de ${provider} est appliqué et clôt des paiements. C’est définitif.`,
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
      name: 'Résolution d’un litige',
      effect: (what) => `${what}. L’argent bouge aussitôt et le litige est clos définitivement.`,
    },
    PAYOUT_BATCH: {
      name: 'Lot de versements',
      effect: (what) =>
        `${what}. Les versements partent aussitôt. Un versement effectué ne peut être annulé.`,
    },
    PAYOUT_LIMIT: {
      name: 'Plafond de versement plus élevé',
      effect: (amount) => `Désormais une personne seule peut verser jusqu’à ${amount} par jour.`,
    },
  },
});

type Part = keyof Approval['details'];

/** What of its details names a request, and what else is shown of it. The rest is for programs. */
const PARTS: Readonly<
  Record<Approval['kind'], { readonly title: readonly Part[]; readonly rest: readonly Part[] }>
> = {
  TOKEN: { title: ['name'], rest: ['scopes', 'expiresAt'] },
  PUBLIC_KEY: { title: ['name'], rest: ['algorithm', 'fingerprint'] },
  UNSIGNED_REQUESTS: { title: [], rest: [] },
  UNSIGNED_PAGES: { title: [], rest: [] },
  INVITATION: { title: ['email'], rest: ['role'] },
  ROLE: { title: ['email'], rest: ['role'] },
  PAYMENT_END: { title: ['payment'], rest: ['outcome'] },
  OPERATOR_REPORT: { title: ['provider'], rest: ['outcome'] },
  MONEY: { title: ['type', 'amount', 'currency'], rest: ['country', 'walletProvider', 'reference'] },
  FLOAT: { title: ['type', 'provider', 'amount', 'currency'], rest: ['reference'] },
  CASE: { title: ['resolution', 'amount', 'currency'], rest: ['evidence', 'payment'] },
  PAYOUT_BATCH: { title: ['payouts', 'sums'], rest: [] },
  PAYOUT_LIMIT: { title: ['amount', 'currency'], rest: [] },
};

/** Empty where the kind says it all. */
export function titleOf({ kind, details }: Approval, language: Language): string {
  const texts = MOVEMENT_WORDS[language];
  const shown = PARTS[kind].title.flatMap((part) => {
    const value = details[part] ?? '';
    if (part === 'amount') return groupDigits(value, language);
    return part === 'type' ? (texts[value] ?? value) : value;
  });
  return shown.filter((value) => value !== '').join(' ');
}

/** `roles` are the names of roles. */
export function restOf(
  { kind, details }: Approval,
  roles: Readonly<Record<string, string>>,
): readonly string[] {
  return PARTS[kind].rest
    .map((part) => details[part] ?? '')
    .map((value) => roles[value] ?? value)
    .filter((value) => value !== '');
}
