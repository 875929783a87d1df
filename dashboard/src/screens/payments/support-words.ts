// What support can tell a customer about a payment, by its status, its failure code and what happened last. Never a
// promise that the gateway cannot keep.
import { words, type Worded } from '../../language.tsx';
import type { Story } from './payment-words.ts';

type SupportFacts = Pick<Story, 'kind' | 'state' | 'failureCode' | 'cases' | 'events' | 'isCancellable'>;

/** In every language: support may speak another one than the screen. */
export function supportSentence(facts: SupportFacts): Worded<string> {
  const { kind, state, cases, isCancellable } = facts;
  // The operator has contradicted the final status, and people are investigating.
  if (cases.some(({ resolvedAt }) => resolvedAt === null)) return DISPUTED;
  const isIncoming = kind === 'DEPOSIT';
  switch (state) {
    case 'ACCEPTED':
    case 'ENQUEUED': {
      const waits = waitingSentence(facts) ?? (state === 'ACCEPTED' ? ACCEPTED : UNAVAILABLE);
      return isCancellable ? joined(waits, CANCELLABLE) : waits;
    }
    case 'PROCESSING':
      return waitingSentence(facts) ?? (isIncoming ? PROCESSING_IN : PROCESSING_OUT);
    case 'IN_RECONCILIATION':
      return isIncoming ? UNCLEAR_IN : UNCLEAR_OUT;
    case 'COMPLETED':
      return isIncoming ? COMPLETED_IN : COMPLETED_OUT;
    case 'FAILED':
      return failedSentence(facts);
  }
}

/** Of one that is not sent, by what happened last; null where it is sent, or nothing keeps it from that. */
function waitingSentence({ events }: SupportFacts): Worded<string> | null {
  const { event, detail } = events.at(-1) ?? {};
  if (event === 'PROVIDER_DELAYED') return WAITING[detail ?? ''] ?? UNAVAILABLE;
  return event === 'RELEASED' || event === 'SUBMIT_UNSENT' ? SOON : null;
}

/** What the platform stopped before it was sent fails with OTHER_ERROR too; whether it may be repeated is not known. */
function failedSentence({ kind, failureCode, events }: SupportFacts): Worded<string> {
  const known = FAILED[failureCode ?? ''];
  const isUnsent = events.some(({ event }) => event === 'CANCELLED' || event === 'SUBMIT_EXPIRED');
  if (known === undefined && isUnsent) return STOPPED;
  return joined(known ?? OTHER, kind === 'DEPOSIT' ? NOTHING_TAKEN : NOTHING_SENT);
}

const ACCEPTED = words({
  en: 'The payment was accepted and will be sent to the mobile-money operator in a few seconds.',
  fr: 'Le paiement est accepté et sera envoyé à l’opérateur mobile money dans quelques secondes.',
});
const SOON = words({
  en: 'The payment has not been sent yet. It will be sent to the operator automatically, usually within minutes.',
  fr: 'Le paiement n’est pas encore envoyé. Il partira automatiquement, en général dans quelques minutes.',
});
const UNAVAILABLE = words({
  en:
    'The payment cannot be sent at the moment, usually because the operator is unavailable. It will be sent ' +
    'automatically as soon as possible.',
  fr:
    'Le paiement ne peut pas être envoyé pour le moment, le plus souvent parce que l’opérateur est indisponible. Il ' +
    'partira automatiquement dès que possible.',
});
/** By what holds it. */
const WAITING: Readonly<Record<string, Worded<string>>> = {
  WALLET_OWES: words({
    en:
      'The wallet does not cover what it owes, so the payment waits. It will be sent automatically once enough money ' +
      'has come in.',
    fr:
      'Le portefeuille ne couvre pas ce qu’il doit : le paiement attend. Il partira automatiquement dès que les ' +
      'fonds suffisent.',
  }),
  FROZEN: words({
    en: 'The platform has frozen this payment. Nothing is sent until it lifts the freeze; please promise no time.',
    fr: 'La plateforme a gelé ce paiement. Rien ne part avant la levée du gel ; ne promettez aucun délai.',
  }),
  REVIEW: words({
    en: 'The platform checks this payment before it is sent. Please promise neither a time nor a result.',
    fr: 'La plateforme contrôle ce paiement avant l’envoi. Ne promettez ni délai ni résultat.',
  }),
};
const CANCELLABLE = words({
  en: 'Until it is sent, it can still be cancelled.',
  fr: 'Jusqu’à l’envoi, il peut encore être annulé.',
});
const PROCESSING_IN = words({
  en: 'The operator is asking the customer to approve the payment. They should check their phone and enter their PIN.',
  fr: 'L’opérateur demande au client d’approuver le paiement. Il doit regarder son téléphone et saisir son code PIN.',
});
const PROCESSING_OUT = words({
  en: 'The operator is sending the money. This usually takes less than a minute.',
  fr: 'L’opérateur envoie l’argent. Cela prend en général moins d’une minute.',
});
const UNCLEAR_IN = words({
  en:
    'The operator has not confirmed the result of this payment. We keep checking. The customer should not pay again ' +
    'until it is final.',
  fr:
    'L’opérateur n’a pas confirmé le résultat de ce paiement. Nous continuons à vérifier. Le client ne doit pas ' +
    'payer une seconde fois avant le résultat.',
});
const UNCLEAR_OUT = words({
  en:
    'The operator has not confirmed whether the money was sent. We keep checking. Do not send it again until it is ' +
    'final.',
  fr:
    'L’opérateur n’a pas confirmé si l’argent a été envoyé. Nous continuons à vérifier. Ne le renvoyez pas avant le ' +
    'résultat.',
});
const COMPLETED_IN = words({
  en: 'The payment was successful: the customer has paid and the money is in the wallet.',
  fr: 'Le paiement a réussi : le client a payé et l’argent est dans le portefeuille.',
});
const COMPLETED_OUT = words({
  en: 'The money was sent: it is in the recipient’s mobile-money account.',
  fr: 'L’argent a été envoyé : il est sur le compte mobile money du bénéficiaire.',
});
const DISPUTED = words({
  en:
    'The operator later reported a different result for this payment. We are investigating; please don’t confirm an ' +
    'outcome yet.',
  fr:
    'L’opérateur a ensuite signalé un autre résultat pour ce paiement. Nous enquêtons ; ne confirmez aucun résultat ' +
    'pour le moment.',
});
const NOTHING_TAKEN = words({
  en: 'No money was taken; they can try again.',
  fr: 'Aucun montant n’a été débité ; il peut réessayer.',
});
const NOTHING_SENT = words({
  en: 'No money left the wallet; it can be sent again as a new payment.',
  fr: 'Rien n’est sorti du portefeuille ; l’envoi peut être refait comme un nouveau paiement.',
});

const OTHER = words({
  en: 'The operator rejected the payment for a reason of its own; see the timeline for its response.',
  fr: 'L’opérateur a refusé le paiement pour un motif qui lui est propre ; sa réponse est dans l’historique.',
});

const STOPPED = words({
  en: 'The payment was stopped before it was sent to the operator. No money was moved.',
  fr: 'Le paiement a été arrêté avant son envoi à l’opérateur. Aucun montant n’a été débité.',
});

const FAILED: Readonly<Record<string, Worded<string>>> = {
  PAYMENT_NOT_APPROVED: words({
    en:
      'The customer did not approve the payment: the PIN was not entered in time, was wrong, or the request was ' +
      'declined.',
    fr: 'Le client n’a pas approuvé le paiement : code PIN non saisi à temps, erroné, ou demande refusée.',
  }),
  INSUFFICIENT_BALANCE: words({
    en: 'The balance of the customer’s mobile-money account was too low, fees included.',
    fr: 'Le solde du compte mobile money du client était insuffisant, frais compris.',
  }),
  PAYMENT_IN_PROGRESS: words({
    en:
      'The customer had another payment waiting for approval. They should approve or decline that one first and ' +
      'wait a few minutes.',
    fr:
      'Le client avait un autre paiement à approuver. Il doit d’abord l’approuver ou le refuser et attendre quelques ' +
      'minutes.',
  }),
  PAYER_NOT_FOUND: words({
    en: 'The phone number has no mobile-money account with this operator. Check the number and the operator.',
    fr: 'Ce numéro n’a pas de compte mobile money chez cet opérateur. Vérifiez le numéro et l’opérateur.',
  }),
  PAYER_LIMIT_REACHED: words({
    en: 'The customer has reached a limit of their mobile-money account, for the day or for one payment.',
    fr: 'Le client a atteint un plafond de son compte mobile money, pour la journée ou pour un paiement.',
  }),
  RECIPIENT_NOT_FOUND: words({
    en: 'The recipient’s number has no mobile-money account with this operator. Check the number and the operator.',
    fr:
      'Le numéro du bénéficiaire n’a pas de compte mobile money chez cet opérateur. Vérifiez le numéro et ' +
      'l’opérateur.',
  }),
  RECIPIENT_LIMIT_REACHED: words({
    en: 'The recipient has reached the limit of what their account can receive.',
    fr: 'Le bénéficiaire a atteint le plafond de ce que son compte peut recevoir.',
  }),
  WALLET_LIMIT_REACHED: words({
    en: 'The recipient’s account cannot hold this amount.',
    fr: 'Le compte du bénéficiaire ne peut pas contenir ce montant.',
  }),
  MANUALLY_CANCELLED: words({
    en: 'The payment was cancelled before it was sent to the operator.',
    fr: 'Le paiement a été annulé avant son envoi à l’opérateur.',
  }),
  UNSPECIFIED_FAILURE: words({
    en: 'The operator rejected the payment and gave no reason.',
    fr: 'L’opérateur a refusé le paiement sans donner de motif.',
  }),
};

function joined(first: Worded<string>, second: Worded<string>): Worded<string> {
  return { en: `${first.en} ${second.en}`, fr: `${first.fr} ${second.fr}` };
}
