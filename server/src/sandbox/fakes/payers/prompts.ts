// The prompts on payers' phones: deposits that wait for approval.
import type { OpenCharge } from '../books/charge.ts';
import { WRONG_PIN, type Payers } from './payers.ts';
import type { Transactions } from '../books/transactions.ts';

export type Prompt = {
  /** The operator's transaction id. */
  readonly promptId: string;
  readonly provider: string;
  readonly phoneNumber: string;
  readonly amount: string;
  readonly currency: string;
  /** The merchant's message. */
  readonly message: string;
  readonly openedAt: string;
  /** When the payer approves automatically; null if it waits for an answer. */
  readonly endsAt: string | null;
};

export function listPrompts(transactions: Transactions): readonly Prompt[] {
  return transactions.list().filter(isPrompt).map(renderPrompt);
}

export const DECISIONS = ['APPROVE', 'DECLINE', 'IGNORE'] as const;

export type PromptAnswer = {
  readonly decision: (typeof DECISIONS)[number];
  /** The PIN that was typed. Without one it counts as correct. */
  readonly pin?: string;
};

/** The answered prompt, or undefined if it is not open. */
export function answerPrompt(
  { transactions, payers }: { readonly transactions: Transactions; readonly payers: Payers },
  promptId: string,
  { decision, pin }: PromptAnswer,
): Prompt | undefined {
  const charge = transactions.findByTransactionId(promptId);
  if (charge === undefined || !isPrompt(charge)) return undefined;
  const { reference } = charge;
  if (decision === 'IGNORE') transactions.ignore(reference);
  else if (decision === 'DECLINE') transactions.refuse(reference, 'PAYER_DECLINED');
  else if (pin !== WRONG_PIN) transactions.approve(reference);
  else if (payers.typeWrongPin(reference) <= 0) transactions.refuse(reference, 'PIN_BLOCKED');
  return renderPrompt(charge);
}

/** Recipients are not asked. */
export function isPrompt({ operation, status }: OpenCharge): boolean {
  return operation === 'DEPOSIT' && status === 'PENDING';
}

export function renderPrompt(charge: OpenCharge): Prompt {
  const { transactionId, provider, phoneNumber, amount, currency, message, acceptedAt, dueAt } = charge;
  return {
    promptId: transactionId,
    provider,
    phoneNumber,
    amount,
    currency,
    message,
    openedAt: acceptedAt,
    endsAt: dueAt,
  };
}
