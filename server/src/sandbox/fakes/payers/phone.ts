// A payer's phone, for the person who plays the payer: prompts for a PIN, and messages.
import type { OpenCharge } from '../books/charge.ts';
import { isAsked } from './asking.ts';
import type { Code, CodeRequest, Codes } from './codes.ts';
import { messagesOf, type Message } from './messages.ts';
import { WRONG_PINS_MAX, type Payers } from './payers.ts';
import { isPrompt, renderPrompt, type Prompt } from './prompts.ts';
import type { Transactions } from '../books/transactions.ts';

export type Phone = {
  readonly phoneNumber: string;
  /** The oldest first: an operator shows one at a time. */
  readonly prompts: readonly PhonePrompt[];
  /** The newest first. */
  readonly messages: readonly Message[];
  /** Codes that are still valid. */
  readonly codes: readonly Code[];
};

export type PhonePrompt = Prompt & {
  /** The gateway's reference. */
  readonly reference: string;
  /** The operator's own page, if it has one instead of a prompt. */
  readonly pageUrl: string | null;
  readonly pinsLeft: number;
  /** When the operator times out, for an ignored prompt. */
  readonly ignoredUntil: string | null;
  /** How it ends after approval. Null: it completes. */
  readonly endsAs: string | null;
};

export type Switchboard = {
  readonly transactions: Transactions;
  readonly payers: Payers;
  readonly codes: Codes;
};

/** Looking at a phone means holding it: from now on its payer does nothing automatically. */
export function lookAtPhone(board: Switchboard, phoneNumber: string, now: Date): Phone {
  board.payers.pickUp(phoneNumber);
  const charges = board.transactions.list().filter((charge) => charge.phoneNumber === phoneNumber);
  const codes = board.codes.listOf(phoneNumber);
  return {
    phoneNumber,
    prompts: charges.filter((charge) => isPrompt(charge) && isShown(charge)).map(showPrompt(board)),
    messages: messagesOf(charges, codes),
    codes: codes.filter((code) => board.codes.isOpen(code, now)),
  };
}

/** The numbers with activity, the latest first. */
export function listPhones({ transactions }: Switchboard): readonly string[] {
  const numbers = transactions.list().map(({ phoneNumber }) => phoneNumber);
  return [...new Set(numbers.toReversed())].slice(0, LISTED_MAX);
}

const LISTED_MAX = 20;

export function makeCode(board: Switchboard, request: CodeRequest, now: Date): Code {
  return board.codes.make(request, now);
}

/** Includes payments that wait because of a script, without a prompt. */
function isShown(charge: OpenCharge): boolean {
  return isAsked(charge) || charge.dueAt === null;
}

function showPrompt({ payers }: Switchboard) {
  return (charge: OpenCharge): PhonePrompt => ({
    ...renderPrompt(charge),
    reference: charge.reference,
    pageUrl: charge.authorizationUrl ?? null,
    pinsLeft: WRONG_PINS_MAX - payers.wrongPins(charge.reference),
    ignoredUntil: payers.ignoredUntil(charge.reference)?.toISOString() ?? null,
    endsAs: endOf(charge),
  });
}

function endOf({ plan }: OpenCharge): string | null {
  return plan.status === 'SUCCESSFUL' ? null : (plan.failureCode ?? plan.status);
}
