// What an operator told beside an event that is not proved yet: receipts and failures that must be asked about. A
// receipt counts as proved once the answer to a question of ours says what it stands for, and that is this payment.
import type { Outcome } from '../../../domain/payments/outcome.ts';
import { paymentKeyText } from '../../../domain/payments/payment.ts';
import {
  claimProviderTransactions,
  listLatestAttempts,
  setProvedReceipt,
  setReportedFailure,
  setReportedReceipt,
} from '../../../store/payments/attempts.ts';
import type { Tx } from '../../../store/database.ts';
import type { StoredPayment } from '../../../store/payments/payments.ts';
import type { Advance } from './advance.ts';
import { isPlainText, validateEvent, providerTransactionOf } from '../../operators/validate-answer.ts';

export type Told = {
  /** A receipt in a message that nothing vouches for. */
  readonly receipt?: string;
  /** What a receipt stands for, from the answer to a question of ours. */
  readonly receiptOutcome?: Outcome;
  /** The code of a failure that needs a second enquiry. */
  readonly failure?: string;
};

type Locked = { readonly advances: readonly Advance[]; readonly payments: readonly StoredPayment[] };

/** Only under the payments' locks, and before the attempts are read that the decisions rest on. */
export async function keepTold(tx: Tx, { advances, payments }: Locked, now: Date): Promise<void> {
  const byName = new Map(payments.map((payment) => [paymentKeyText(payment), payment]));
  for (const { key, told, fromConnector } of advances) {
    const payment = told === undefined ? undefined : byName.get(paymentKeyText(key));
    if (told === undefined || payment === undefined) continue;
    if (fromConnector !== undefined && fromConnector !== payment.connector) continue;
    await keep(tx, payment, told, now);
  }
}

async function keep(tx: Tx, payment: StoredPayment, told: Told, now: Date): Promise<void> {
  const { receipt, failure, receiptOutcome } = told;
  if (receipt !== undefined && isPlainText(receipt)) await setReportedReceipt(tx, payment, receipt);
  if (failure !== undefined && isPlainText(failure)) await setReportedFailure(tx, payment, failure, now);
  if (receiptOutcome !== undefined) await prove(tx, payment, receiptOutcome, now);
}

async function prove(tx: Tx, payment: StoredPayment, outcome: Outcome, claimedAt: Date): Promise<void> {
  const validated = validateEvent({ type: 'OPERATOR_ANSWERED', outcome }, payment);
  if (validated.type !== 'OPERATOR_ANSWERED' || validated.outcome.type !== 'COMPLETED') return;
  const { providerTransactionId } = providerTransactionOf(validated.outcome);
  const [attempt] = await listLatestAttempts(tx, [payment]);
  if (providerTransactionId === undefined || attempt?.reportedReceipt !== providerTransactionId) return;
  const { merchantId, kind, paymentId, provider } = payment;
  const taken = await claimProviderTransactions(tx, [
    { merchantId, kind, paymentId, provider, providerTransactionId, claimedAt },
  ]);
  if (taken.length === 0) await setProvedReceipt(tx, payment, providerTransactionId);
}
