// The outcome of a transaction: test phone numbers decide it; every other number completes.
import type { PaymentKind } from '../../../domain/payments/payment.ts';
import numbers from './numbers.json' with { type: 'json' };
import type { Verdict } from '../books/charge.ts';

type Party = { readonly provider: string; readonly operation: PaymentKind; readonly phoneNumber: string };

/** The table's outcomes as the simulator's own codes, which differ from ours on purpose: failures.ts maps them. */
const VERDICTS: Readonly<Record<string, Verdict>> = {
  COMPLETED: { status: 'SUCCESSFUL' },
  STUCK: { status: 'PENDING' },
  PAYMENT_NOT_APPROVED: { status: 'FAILED', failureCode: 'PAYER_DECLINED' },
  INSUFFICIENT_BALANCE: { status: 'FAILED', failureCode: 'FUNDS_TOO_LOW' },
  PAYMENT_IN_PROGRESS: { status: 'FAILED', failureCode: 'PROMPT_ALREADY_OPEN' },
  PAYER_NOT_FOUND: { status: 'FAILED', failureCode: 'SUBSCRIBER_UNKNOWN' },
  PAYER_LIMIT_REACHED: { status: 'FAILED', failureCode: 'SUBSCRIBER_CEILING' },
  RECIPIENT_NOT_FOUND: { status: 'FAILED', failureCode: 'BENEFICIARY_UNKNOWN' },
  RECIPIENT_LIMIT_REACHED: { status: 'FAILED', failureCode: 'BENEFICIARY_CEILING' },
  WALLET_LIMIT_REACHED: { status: 'FAILED', failureCode: 'ACCOUNT_FULL' },
  UNSPECIFIED_FAILURE: { status: 'FAILED' },
  OTHER_ERROR: { status: 'FAILED', failureCode: 'OTHER' },
};

const verdicts = new Map(numbers.map((row) => [keyOf(row), verdictOf(row.outcome)]));

export function plannedVerdict(party: Party): Verdict {
  // The table has rows for deposits and payouts; refunds and remittances use the payout rows.
  const operation = party.operation === 'DEPOSIT' ? 'DEPOSIT' : 'PAYOUT';
  return verdicts.get(keyOf({ ...party, operation })) ?? { status: 'SUCCESSFUL' };
}

/** The verdict for an outcome's name; undefined if there is none. */
export function verdictNamed(outcome: string): Verdict | undefined {
  return Object.hasOwn(VERDICTS, outcome) ? VERDICTS[outcome] : undefined;
}

function verdictOf(outcome: string): Verdict {
  const verdict = verdictNamed(outcome);
  if (verdict === undefined)
    throw new Error(`numbers.json holds the outcome ${outcome}, which has no verdict`);
  return verdict;
}

function keyOf(row: { provider: string; operation: string; phoneNumber: string }): string {
  return `${row.provider}/${row.operation}/${row.phoneNumber}`;
}
