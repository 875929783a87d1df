import type { AnswerOf } from '../../api/client.ts';
import { words } from '../../language.tsx';
import { KINDS } from '../../parts/kind-words.ts';
import { STATE_WORDS } from '../../parts/state-words.ts';

type Delivery = AnswerOf<'listDeliveries'>['rows'][number];
export type EventKind = Delivery['kind'];

/** What callbacks are about. */
export const EVENT_KINDS = [...KINDS, 'STATEMENT'] as const satisfies readonly EventKind[];

type Words = Readonly<Record<Named, string>> & {
  readonly statuses: Readonly<Record<Delivery['status'], string>>;
  readonly kinds: Readonly<Record<EventKind, string>>;
  readonly eventOf: (kind: string, state: Delivery['announcedState']) => string;
  readonly attemptsOf: (count: number) => string;
};
type Named =
  | 'label'
  | 'event'
  | 'status'
  | 'kind'
  | 'from'
  | 'to'
  | 'all'
  | 'result'
  | 'endpoint'
  | 'attempts'
  | 'attempt'
  | 'created'
  | 'sent'
  | 'next'
  | 'actions'
  | 'noAnswer'
  | 'none'
  | 'noneHint'
  | 'nothing'
  | 'nothingHint'
  | 'noneHere'
  | 'noneHereHint'
  | 'clear'
  | 'close'
  | 'resend'
  | 'resendQuestion'
  | 'resent';

export const DELIVERY_WORDS = words<Words>({
  en: {
    label: 'Callback deliveries',
    event: 'Event',
    status: 'Status',
    kind: 'Event type',
    from: 'From',
    to: 'To',
    all: 'All',
    result: 'Last result',
    endpoint: 'Endpoint',
    attempts: 'Attempts',
    attempt: 'Attempt',
    created: 'Created',
    sent: 'Sent',
    next: 'Next attempt',
    actions: 'Actions',
    noAnswer: 'No answer',
    none: 'No callbacks yet',
    noneHint: 'Set an endpoint under Callback addresses. Its callbacks appear here when payments finish.',
    nothing: 'No matching callbacks',
    nothingHint: 'Choose another status, event type or period.',
    noneHere: 'No matching callbacks in the newest 5,000',
    noneHereHint: 'Choose “Next” to search further back, or choose a period.',
    clear: 'Clear filters',
    close: 'Close',
    resend: 'Resend',
    resendQuestion:
      'Sends this callback again with the same event ID, so your server can ignore a duplicate.',
    resent: 'Callback queued.',
    statuses: { FAILED: 'Failed', RETRYING: 'Retrying', QUEUED: 'Queued', DELIVERED: 'Delivered' },
    kinds: {
      DEPOSIT: 'Deposit',
      PAYOUT: 'Payout',
      REFUND: 'Refund',
      REMITTANCE: 'Remittance',
      SPLIT_PAYMENT: 'Split payment',
      CHECKOUT: 'Checkout',
      STATEMENT: 'Statement',
    },
    eventOf: (kind, state) => `${kind} ${STATE_WORDS.en[state].toLowerCase()}`,
    attemptsOf: (count) => (count === 1 ? '1 attempt' : `${count} attempts`),
  },
  fr: {
    label: 'Livraisons de callbacks',
    event: 'Événement',
    status: 'Statut',
    kind: 'Type d’événement',
    from: 'Du',
    to: 'Au',
    all: 'Tous',
    result: 'Dernier résultat',
    endpoint: 'Adresse',
    attempts: 'Tentatives',
    attempt: 'Tentative',
    created: 'Créé',
    sent: 'Envoyé',
    next: 'Prochaine tentative',
    actions: 'Actions',
    noAnswer: 'Aucune réponse',
    none: 'Aucun callback pour le moment',
    noneHint:
      'Définissez une adresse sous Adresses de callback. Ses callbacks apparaissent ici quand des paiements se ' +
      'terminent.',
    nothing: 'Aucun callback correspondant',
    nothingHint: 'Choisissez un autre statut, type d’événement ou une autre période.',
    noneHere: 'Aucun callback correspondant parmi les 5 000 plus récents',
    noneHereHint: 'Choisissez « Suivant » pour chercher plus loin, ou choisissez une période.',
    clear: 'Effacer les filtres',
    close: 'Fermer',
    resend: 'Renvoyer',
    resendQuestion:
      'Renvoie ce callback avec le même identifiant d’événement : votre serveur peut ignorer un doublon.',
    resent: 'Callback mis en file d’attente.',
    statuses: {
      FAILED: 'Échoué',
      RETRYING: 'Nouvel essai',
      QUEUED: 'En file d’attente',
      DELIVERED: 'Livré',
    },
    kinds: {
      DEPOSIT: 'Encaissement',
      PAYOUT: 'Versement',
      REFUND: 'Remboursement',
      REMITTANCE: 'Transfert',
      SPLIT_PAYMENT: 'Paiement partagé',
      CHECKOUT: 'Session de paiement',
      STATEMENT: 'Relevé',
    },
    eventOf: (kind, state) => `${kind} : ${STATE_WORDS.fr[state].toLowerCase()}`,
    attemptsOf: (count) => (count <= 1 ? `${count} tentative` : `${count} tentatives`),
  },
});
