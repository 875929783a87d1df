// Codes in the details of approvals and of the audit log, in words. A code that is missing is shown as it is.
import { words, type Language } from '../language.tsx';
import { EVIDENCE_WORDS, RESOLUTION_WORDS } from './case-words.ts';
import { FAILED_PAYMENT_WORDS } from './failed-payment-words.ts';
import { FREEZE_SCOPE_WORDS } from './limit-words.ts';
import { MOVEMENT_WORDS } from './movement-words.ts';
import type { Names } from './names.tsx';
import { REVIEW_REASON_WORDS } from './review-words.ts';
import { ROLE_WORDS } from './role-words.ts';
import { SETTLEMENT_STOP_WORDS } from './settlement-words.ts';
import { STATE_WORDS } from './state-words.ts';

/** "PAYOUT MTN_MOMO_RWA" as "Payout MTN Rwanda". What is no code, such as a currency, stays. */
export function readCodes(text: string, language: Language, names: Names): string {
  const known = KNOWN[language];
  const phrase = known[text];
  if (phrase !== undefined) return phrase;
  return text.replaceAll(CODE, (code) => known[code] ?? names.provider(names.country(code)));
}

const CODE = /\b[A-Z][A-Z0-9_]{2,}\b/g;

const OWN_WORDS = words<Readonly<Record<string, string>>>({
  en: {
    ADD: 'Add',
    ALLOW: 'Allow',
    ALLOWED: 'Allowed numbers',
    BANK_ACCOUNT: 'Bank account',
    BANK_HAS_PAID: 'The bank has already paid',
    BLOCKED: 'Blocked numbers',
    CANCELLED: 'Cancelled',
    CHARGE: 'Operator charges',
    CHECKOUT: 'Checkout',
    CLEARING: 'Bank clearing',
    CLOSED: 'Closed',
    DELAYED: 'Delayed',
    DELIVERED: 'Delivered',
    DONE: 'Sent',
    FILE: 'File',
    FEE: 'Fees earned',
    FLOAT: 'Float',
    FORM: 'Form',
    FREEZE: 'Freeze',
    HOLD: 'Hold',
    LISTED_NUMBER: 'Listed phone number',
    NOT_ASKED: 'Not screened',
    NUMBER_LIST: 'Phone number list',
    NUMBER_LISTS: 'Phone number lists',
    OPENING_DIFFERS: 'The books of the signed day before have changed',
    OPERATIONAL: 'Operational',
    PAID: 'Paid',
    PAYOUT_BATCH: 'Payout batch',
    QUEUED: 'Queued',
    REJECT: 'Reject',
    REJECTED: 'Rejected',
    RELEASE: 'Release',
    REMOVE: 'Remove',
    RETRYING: 'Retrying',
    SCREENING: 'Screening',
    SENDING: 'Sending',
    SPLIT_PAYMENT: 'Split payment',
    STATEMENT: 'Statement',
    STOPPED: 'Stopped',
    SUSPENSE: 'Suspense',
    TOO_MANY_DIFFERENCES: 'More than 5,000 differences',
    WAITING: 'Not sent',
    all: 'all',
    'all merchants': 'All merchants',
    'a link': 'Link',
    false: 'No',
    group: 'Group of single sign-on',
    none: 'None',
    'number lists': 'Phone number lists',
    'search key': 'Search key',
    'single sign-on': 'Single sign-on',
    true: 'Yes',
  },
  fr: {
    ADD: 'Ajouter',
    ALLOW: 'Autoriser',
    ALLOWED: 'Numéros autorisés',
    BANK_ACCOUNT: 'Compte bancaire',
    BANK_HAS_PAID: 'La banque a déjà payé',
    BLOCKED: 'Numéros bloqués',
    CANCELLED: 'Annulé',
    CHARGE: 'Frais des opérateurs',
    CHECKOUT: 'Session de paiement',
    CLEARING: 'Compensation bancaire',
    CLOSED: 'Fermé',
    DELAYED: 'Retardé',
    DELIVERED: 'Livré',
    DONE: 'Envoyé',
    FILE: 'Fichier',
    FEE: 'Frais perçus',
    FLOAT: 'Fonds chez l’opérateur',
    FORM: 'Formulaire',
    FREEZE: 'Gel',
    HOLD: 'Retenir',
    LISTED_NUMBER: 'Numéro d’une liste',
    NOT_ASKED: 'Sans filtrage',
    NUMBER_LIST: 'Liste de numéros',
    NUMBER_LISTS: 'Listes de numéros',
    OPENING_DIFFERS: 'Les comptes de la journée signée précédente ont changé',
    OPERATIONAL: 'Opérationnel',
    PAID: 'Payé',
    PAYOUT_BATCH: 'Lot de versements',
    QUEUED: 'En file d’attente',
    REJECT: 'Refuser',
    REJECTED: 'Refusé',
    RELEASE: 'Libérer',
    REMOVE: 'Retirer',
    RETRYING: 'Nouvelle tentative',
    SCREENING: 'Filtrage',
    SENDING: 'Envoi en cours',
    SPLIT_PAYMENT: 'Paiement partagé',
    STATEMENT: 'Relevé',
    SUSPENSE: 'Compte d’attente',
    STOPPED: 'Arrêté',
    TOO_MANY_DIFFERENCES: 'Plus de 5 000 écarts',
    WAITING: 'Non envoyé',
    all: 'tous',
    'all merchants': 'Tous les marchands',
    'a link': 'Lien',
    false: 'Non',
    group: 'Groupe de l’authentification unique',
    none: 'Aucun',
    'number lists': 'Listes de numéros',
    'search key': 'Clé de recherche',
    'single sign-on': 'Authentification unique',
    true: 'Oui',
  },
});

const knownIn = (language: Language): Readonly<Record<string, string>> => ({
  ...MOVEMENT_WORDS[language],
  ...RESOLUTION_WORDS[language],
  ...EVIDENCE_WORDS[language],
  ...STATE_WORDS[language],
  ...FAILED_PAYMENT_WORDS[language],
  ...ROLE_WORDS[language],
  ...SETTLEMENT_STOP_WORDS[language],
  ...REVIEW_REASON_WORDS[language],
  ...FREEZE_SCOPE_WORDS[language],
  ...OWN_WORDS[language],
});

const KNOWN = { en: knownIn('en'), fr: knownIn('fr') };
