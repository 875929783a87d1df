import { words } from '../language.tsx';
import type { Approval } from './approval-acts.tsx';

type KindWords = { readonly name: string; readonly effect: (subject: string) => string };

/** What is asked for, and what will be so when a second person agrees. */
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
  },
  fr: {
    TOKEN: {
      name: 'Jeton d’API qui laisse sortir de l’argent',
      effect: (name) => `Qui détient le jeton « ${name} » pourra alors sortir de l’argent des portefeuilles.`,
    },
    PUBLIC_KEY: {
      name: 'Clé publique',
      effect: (name) => `Les requêtes signées avec « ${name} » seront crues. Comparez d’abord l’empreinte.`,
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
  },
});
