// A split payment as its merchant may see it: the collection, the parts, and what they come to.
import { canonicalIdentifier } from '../../../domain/identifier.ts';
import type { Payment, PaymentState } from '../../../domain/payments/payment.ts';
import { splitStatus, type SplitStatus } from '../../../domain/payments/split.ts';
import { listPayments } from '../../../store/payments/payments.ts';
import {
  findSplitPayment,
  listSplitStates,
  type SplitPart,
  type SplitPayment,
} from '../../../store/payments/split-payments.ts';
import { loadDataKeys } from '../../../store/encryption/data-keys.ts';
import type { Engine } from '../../engine.ts';
import { requireStillHere } from '../../cells/cell-assignments.ts';

export type SplitView = {
  readonly split: SplitPayment;
  readonly status: SplitStatus;
  readonly collection: Payment;
  readonly parts: readonly (SplitPart & { readonly state: PaymentState | null })[];
};

export async function findSplit(
  engine: Pick<Engine, 'cellAssignments' | 'store'>,
  query: { readonly merchantId: string; readonly writtenId: string },
): Promise<SplitView | null> {
  const { merchantId } = query;
  const splitPaymentId = canonicalIdentifier(query.writtenId);
  await loadDataKeys(engine.store, [merchantId]);
  const { database, keyring } = engine.store;
  const split = await findSplitPayment(database, keyring, { merchantId, splitPaymentId });
  if (split === null) {
    await requireStillHere(engine.cellAssignments, merchantId);
    return null;
  }
  const states = await listSplitStates(database, split);
  const [collection] = await listPayments(database, keyring, [
    { merchantId, kind: 'DEPOSIT', paymentId: splitPaymentId },
  ]);
  if (collection === undefined) throw new Error(`split payment ${splitPaymentId} has no collection`);
  const parts = split.parts.map((part) => ({
    ...part,
    state:
      states.find(({ kind, paymentId }) => kind === 'PAYOUT' && paymentId === part.payoutId)?.state ?? null,
  }));
  const status = splitStatus(
    collection.state,
    parts.map(({ state }) => state),
  );
  return { split, status, collection, parts };
}
