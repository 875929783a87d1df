// What support can tell a customer about a payment, in the dashboard's languages, by state and failure code. Never a
// promise that the gateway cannot keep.
import type { PaymentFailureCode } from '../failure.ts';
import type { PaymentKind, PaymentState } from './payment.ts';

export type Sentence = { readonly en: string; readonly fr: string };

export type SupportFacts = {
  readonly kind: PaymentKind;
  readonly state: PaymentState;
  readonly failureCode?: string | undefined;
  /** The operator has contradicted the final state, and people are investigating. */
  readonly isDisputed: boolean;
};

export function supportSentence({ kind, state, failureCode, isDisputed }: SupportFacts): Sentence {
  if (isDisputed) return DISPUTED;
  const isIncoming = kind === 'DEPOSIT';
  switch (state) {
    case 'ACCEPTED':
      return ACCEPTED;
    case 'ENQUEUED':
      return ENQUEUED;
    case 'PROCESSING':
      return isIncoming ? PROCESSING_IN : PROCESSING_OUT;
    case 'IN_RECONCILIATION':
      return isIncoming ? UNCLEAR_IN : UNCLEAR_OUT;
    case 'COMPLETED':
      return isIncoming ? COMPLETED_IN : COMPLETED_OUT;
    case 'FAILED':
      return joined(FAILED[codeOf(failureCode)], isIncoming ? NOTHING_TAKEN : NOTHING_SENT);
  }
}

const ACCEPTED: Sentence = {
  en: 'We have the payment and are about to send it to the mobile-money operator. It takes a few seconds.',
  fr:
    'Nous avons le paiement et allons l’envoyer à l’opérateur mobile money. Cela prend quelques ' +
    'secondes.',
};
const ENQUEUED: Sentence = {
  en:
    'The operator is not available at the moment. The payment waits and will be sent by itself; it ' +
    'can still be cancelled.',
  fr:
    'L’opérateur est indisponible pour le moment. Le paiement attend et partira tout seul ; il peut ' +
    'encore être annulé.',
};
const PROCESSING_IN: Sentence = {
  en:
    'The operator is asking the customer to approve the payment. They should look at their phone ' +
    'and enter their PIN.',
  fr:
    'L’opérateur demande au client d’approuver le paiement. Il doit regarder son téléphone et ' +
    'saisir son code PIN.',
};
const PROCESSING_OUT: Sentence = {
  en: 'The operator has the payment and is sending the money. This usually takes less than a minute.',
  fr: 'L’opérateur a le paiement et envoie l’argent. Cela prend en général moins d’une minute.',
};
const UNCLEAR_IN: Sentence = {
  en:
    'The operator has not told us clearly how this payment ended. We keep asking. The customer ' +
    'should not pay again until it is settled.',
  fr:
    'L’opérateur ne nous a pas dit clairement comment ce paiement s’est terminé. Nous continuons à ' +
    'demander. Le client ne doit pas payer une seconde fois avant la réponse.',
};
const UNCLEAR_OUT: Sentence = {
  en:
    'The operator has not told us clearly whether the money was sent. We keep asking. Do not send ' +
    'it again until it is settled.',
  fr:
    'L’opérateur ne nous a pas dit clairement si l’argent a été envoyé. Nous continuons à demander. ' +
    'Ne le renvoyez pas avant la réponse.',
};
const COMPLETED_IN: Sentence = {
  en: 'The payment was successful: the customer has paid and the money is in the wallet.',
  fr: 'Le paiement a réussi : le client a payé et l’argent est dans le portefeuille.',
};
const COMPLETED_OUT: Sentence = {
  en: 'The money was sent: it is in the recipient’s mobile-money account.',
  fr: 'L’argent a été envoyé : il est sur le compte mobile money du destinataire.',
};
const DISPUTED: Sentence = {
  en:
    'The operator has since told us something else about this payment. People are looking into it; ' +
    'do not promise anything yet.',
  fr:
    'L’opérateur nous a depuis dit autre chose sur ce paiement. Des personnes s’en occupent ; ne ' +
    'promettez rien pour le moment.',
};
const NOTHING_TAKEN: Sentence = {
  en: 'No money was taken; they can try again.',
  fr: 'Rien n’a été débité ; il peut réessayer.',
};
const NOTHING_SENT: Sentence = {
  en: 'No money left the wallet; it can be sent again as a new payment.',
  fr: 'Rien n’est sorti du portefeuille ; l’envoi peut être refait comme un nouveau paiement.',
};

const FAILED: Readonly<Record<PaymentFailureCode, Sentence>> = {
  PAYMENT_NOT_APPROVED: {
    en:
      'The customer did not approve the payment: the PIN was not entered in time, was wrong, or the ' +
      'request was refused.',
    fr: 'Le client n’a pas approuvé le paiement : code PIN non saisi à temps, erroné, ou demande refusée.',
  },
  INSUFFICIENT_BALANCE: {
    en: 'There was not enough money in the customer’s mobile-money account, fees included.',
    fr: 'Il n’y avait pas assez d’argent sur le compte mobile money du client, frais compris.',
  },
  PAYMENT_IN_PROGRESS: {
    en:
      'The customer had another payment waiting for approval. They should finish or refuse that one ' +
      'and wait a few minutes.',
    fr:
      'Le client avait un autre paiement à approuver. Il doit le terminer ou le refuser et attendre ' +
      'quelques minutes.',
  },
  PAYER_NOT_FOUND: {
    en:
      'The phone number has no mobile-money account with this operator. Check the number and the ' +
      'operator.',
    fr: 'Ce numéro n’a pas de compte mobile money chez cet opérateur. Vérifiez le numéro et l’opérateur.',
  },
  PAYER_LIMIT_REACHED: {
    en: 'The customer has reached a limit of their mobile-money account, for the day or for one payment.',
    fr: 'Le client a atteint une limite de son compte mobile money, pour la journée ou pour un paiement.',
  },
  RECIPIENT_NOT_FOUND: {
    en:
      'The recipient’s number has no mobile-money account with this operator. Check the number and ' +
      'the operator.',
    fr:
      'Le numéro du destinataire n’a pas de compte mobile money chez cet opérateur. Vérifiez le ' +
      'numéro et l’opérateur.',
  },
  RECIPIENT_LIMIT_REACHED: {
    en: 'The recipient has reached a limit of what their account may receive.',
    fr: 'Le destinataire a atteint une limite de ce que son compte peut recevoir.',
  },
  WALLET_LIMIT_REACHED: {
    en: 'The recipient’s account cannot hold this amount.',
    fr: 'Le compte du destinataire ne peut pas contenir ce montant.',
  },
  MANUALLY_CANCELLED: {
    en: 'The payment was cancelled while it was waiting for the operator.',
    fr: 'Le paiement a été annulé pendant qu’il attendait l’opérateur.',
  },
  UNSPECIFIED_FAILURE: {
    en: 'The operator refused the payment and gave no reason.',
    fr: 'L’opérateur a refusé le paiement sans donner de raison.',
  },
  OTHER_ERROR: {
    en: 'The operator refused the payment for a reason of its own; the timeline shows what it said.',
    fr:
      'L’opérateur a refusé le paiement pour une raison qui lui est propre ; l’historique montre sa ' +
      'réponse.',
  },
};

function codeOf(failureCode: string | undefined): PaymentFailureCode {
  return failureCode !== undefined && Object.hasOwn(FAILED, failureCode)
    ? (failureCode as PaymentFailureCode)
    : 'OTHER_ERROR';
}

function joined(first: Sentence, second: Sentence): Sentence {
  return { en: `${first.en} ${second.en}`, fr: `${first.fr} ${second.fr}` };
}
