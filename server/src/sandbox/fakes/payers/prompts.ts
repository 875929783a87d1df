// What a payer's phone would show: the deposits that wait for somebody to agree.
import type { OpenCharge } from '../books/charge.ts';
import { WRONG_PIN, type Payers } from './payers.ts';
import type { Transactions } from '../books/transactions.ts';

export type Prompt = {
  /** The transaction's own identifier. */
  readonly promptId: string;
  readonly provider: string;
  readonly phoneNumber: string;
  readonly amount: string;
  readonly currency: string;
  /** The merchant's text. */
  readonly message: string;
  readonly openedAt: string;
  /** When the payer approves by himself; null when he waits to be reported. */
  readonly endsAt: string | null;
};

export function listPrompts(transactions: Transactions): readonly Prompt[] {
  return transactions.list().filter(isPrompt).map(renderPrompt);
}

export const DECISIONS = ['APPROVE', 'DECLINE', 'IGNORE'] as const;

export type PromptAnswer = {
  readonly decision: (typeof DECISIONS)[number];
  /** What was typed to approve. Without one it is taken to be right. */
  readonly pin?: string;
};

/** The prompt that was answered, or undefined when none of that name is open. */
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

/** No one is asked before money is sent to him. */
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
