// Which payments the lines of an operator's report are about.
import type { PaymentKey } from '../../domain/payments/payment.ts';
import {
  listAttemptsByReference,
  listAttemptsInReconciliation,
  listTransactionOwners,
} from '../../store/payments/attempts.ts';
import type { NumberedLine } from '../../store/reconciliation/operator-reports.ts';
import type { StorePart } from '../engine.ts';

/**
 * The payments that lines name: by our reference, by the operator's transaction, by the reference it picked, or by a
 * receipt that a message told and that the report now proves. What the line moved must fit the payment all the same.
 */
export async function findKeys<Line extends Pick<NumberedLine, 'line'>>(
  engine: StorePart,
  provider: string,
  lines: readonly Line[],
): Promise<ReadonlyMap<Line, PaymentKey>> {
  const { database } = engine.store;
  const references = lines.flatMap(({ line }) => line.reference ?? []);
  const providerTransactionIds = lines.flatMap(({ line }) => line.providerTransactionId ?? []);
  const ours = await listAttemptsByReference(database, references);
  const owners = await listTransactionOwners(database, { provider, providerTransactionIds });
  const byReference = new Map(ours.map((attempt) => [attempt.reference, attempt]));
  const strange = references.filter((reference) => !byReference.has(reference));
  const receipts = providerTransactionIds.filter((receipt) => !owners.has(receipt));
  const theirs = await listAttemptsInReconciliation(database, { providerReferences: strange, receipts });
  const byTheirs = new Map(theirs.map((attempt) => [attempt.providerReference, attempt]));
  const byReceipt = Map.groupBy(theirs, ({ reportedReceipt }) => reportedReceipt);
  // One receipt that several payments were told proves nothing about any of them.
  const ofReceipt = (receipt: string) => {
    const [attempt, ...others] = byReceipt.get(receipt) ?? [];
    return others.length === 0 ? attempt : undefined;
  };
  return new Map(
    lines.flatMap((kept) => {
      const { reference = '', providerTransactionId = '' } = kept.line;
      const named =
        byReference.get(reference) ??
        owners.get(providerTransactionId) ??
        byTheirs.get(reference) ??
        ofReceipt(providerTransactionId);
      if (named === undefined) return [];
      const { merchantId, kind, paymentId } = named;
      return [[kept, { merchantId, kind, paymentId }]];
    }),
  );
}
