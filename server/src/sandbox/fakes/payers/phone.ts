// A payer's phone as a person sees it who plays him: what asks for a PIN, and every message that came.
import type { OpenCharge } from '../books/charge.ts';
import { isAsked } from './asking.ts';
import type { Code, CodeRequest, Codes } from './codes.ts';
import { messagesOf, type Message } from './messages.ts';
import { WRONG_PINS_MAX, type Payers } from './payers.ts';
import { isPrompt, renderPrompt, type Prompt } from './prompts.ts';
import type { Transactions } from '../books/transactions.ts';

export type Phone = {
  readonly phoneNumber: string;
  /** The oldest first: an operator shows one after the other. */
  readonly prompts: readonly PhonePrompt[];
  /** The newest first. */
  readonly messages: readonly Message[];
  /** Codes that still work. */
  readonly codes: readonly Code[];
};

export type PhonePrompt = Prompt & {
  /** What the gateway knows it by. */
  readonly reference: string;
  /** Where the operator has a page of its own instead of a prompt. */
  readonly pageUrl: string | null;
  readonly pinsLeft: number;
  /** When the operator gives up, for a prompt that was ignored. */
  readonly ignoredUntil: string | null;
  /** How it ends when it is approved. Null: it completes. */
  readonly endsAs: string | null;
};

export type Switchboard = {
  readonly transactions: Transactions;
  readonly payers: Payers;
  readonly codes: Codes;
};

/** Looking at a phone is picking it up: from now on its payer does nothing by himself. */
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

/** The numbers that something has happened to, the latest first. */
export function listPhones({ transactions }: Switchboard): readonly string[] {
  const numbers = transactions.list().map(({ phoneNumber }) => phoneNumber);
  return [...new Set(numbers.toReversed())].slice(0, LISTED_MAX);
}

const LISTED_MAX = 20;

export function makeCode(board: Switchboard, order: CodeRequest, now: Date): Code {
  return board.codes.make(order, now);
}

/** Also what waits by a script although no one would be asked. */
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
