// What a payer's phone would show: the deposits that wait for somebody to agree.
import type { OpenCharge } from './charge.ts';
import type { Transactions } from './transactions.ts';

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
  /** When the payer approves by himself; null when he waits to be told. */
  readonly endsAt: string | null;
};

export function listPrompts(transactions: Transactions): readonly Prompt[] {
  return transactions.list().filter(isPrompt).map(renderPrompt);
}

/** The prompt that was answered, or undefined when none of that name is open. */
export function answerPrompt(
  transactions: Transactions,
  promptId: string,
  decision: 'APPROVE' | 'DECLINE',
): Prompt | undefined {
  const charge = transactions.findByTransactionId(promptId);
  if (charge === undefined || !isPrompt(charge)) return undefined;
  transactions.decide(charge.reference, decision);
  return renderPrompt(charge);
}

/** Nobody is asked before money is sent to him. */
function isPrompt({ operation, status }: OpenCharge): boolean {
  return operation === 'DEPOSIT' && status === 'PENDING';
}

function renderPrompt(charge: OpenCharge): Prompt {
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
