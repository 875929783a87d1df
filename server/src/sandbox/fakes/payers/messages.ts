// The text messages that an operator sends to phones, rendered from its books. Pure.
import { showAmount } from '../../../domain/shown-amount.ts';
import type { OpenCharge } from '../books/charge.ts';
import type { Code } from './codes.ts';
import { isAsked } from './asking.ts';

export type Message = {
  /** The provider's code. */
  readonly provider: string;
  readonly at: string;
  readonly text: string;
};

/** The newest first. */
export function messagesOf(charges: readonly OpenCharge[], codes: readonly Code[]): readonly Message[] {
  return [...charges.flatMap(chargeMessages), ...codes.map(codeMessage)].toSorted(
    (one, other) => Date.parse(other.at) - Date.parse(one.at),
  );
}

function chargeMessages(charge: OpenCharge): readonly Message[] {
  const { provider, acceptedAt, settledAt } = charge;
  const asked = isAsked(charge) ? [{ provider, at: acceptedAt, text: requestText(charge) }] : [];
  const text = endText(charge);
  return text === null || settledAt === null ? asked : [{ provider, at: settledAt, text }, ...asked];
}

function requestText(charge: OpenCharge): string {
  const where = charge.authorizationUrl === undefined ? 'Enter your PIN' : 'Open our app or page';
  return `Payment request: ${moneyOf(charge)}. Message: ${charge.message}. ${where} to approve it.`;
}

/** Null if an operator sends nothing: to an unknown number, or about money that never arrived. */
function endText(charge: OpenCharge): string | null {
  const { status, operation, message, transactionId } = charge;
  switch (status) {
    case 'SUCCESSFUL': {
      const done = operation === 'DEPOSIT' ? 'paid' : 'received';
      return `You have ${done} ${moneyOf(charge)}. Message: ${message}. Reference: ${transactionId}.`;
    }
    case 'FAILED':
      return operation === 'DEPOSIT' ? failureText(charge) : null;
    case 'PENDING':
      return null;
  }
}

function failureText(charge: OpenCharge): string | null {
  if (charge.failureCode === 'SUBSCRIBER_UNKNOWN') return null;
  const reason = REASONS[charge.failureCode ?? ''] ?? 'it could not be completed';
  return `Your payment of ${moneyOf(charge)} failed: ${reason}. Message: ${charge.message}.`;
}

const REASONS: Readonly<Record<string, string>> = {
  PAYER_DECLINED: 'you declined it',
  PIN_TIMEOUT: 'no PIN was entered in time',
  PIN_BLOCKED: 'too many wrong PINs were entered',
  CODE_INVALID: 'the code was not valid for it',
  FUNDS_TOO_LOW: 'your balance is too low',
  PROMPT_ALREADY_OPEN: 'another request is pending',
  SUBSCRIBER_CEILING: 'it is above the limit of your account',
};

function codeMessage({ provider, code, amount, currency, madeAt, endsAt }: Code): Message {
  const minutes = Math.round((Date.parse(endsAt) - Date.parse(madeAt)) / 60_000);
  const money = showAmount({ amount, currency }, 'en');
  const text = `Your code to pay ${money} is ${code}. It works once, within ${minutes} minutes.`;
  return { provider, at: madeAt, text };
}

function moneyOf(charge: OpenCharge): string {
  return showAmount(charge, 'en');
}
