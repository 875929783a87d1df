// Turns refund orders into payments, in the transaction that accepts them: the deposit is locked first, so the sum of
// refunds can never pass it, whoever asks at the same time.
import { canonicalIdentifier } from '../domain/identifier.ts';
import { lockOrder, type PaymentKey } from '../domain/payment.ts';
import type { Tx } from '../store/database.ts';
import { listRefunds, lockPayments, type StoredPayment } from '../store/payments.ts';
import { admitRefund, type EarlierRefund } from './admit-refund.ts';
import type { Refused } from './admit.ts';
import type { Engine } from './engine.ts';
import { firstStep, keyOf, type Candidate, type RefundOrder, type ResolvedCandidate } from './order.ts';

/** Answers in the order given, which is the order of arrival: an accepted refund counts for those behind it. */
export async function resolveRefunds(
  engine: Engine,
  tx: Tx,
  candidates: readonly Candidate[],
  now: Date,
): Promise<readonly ResolvedCandidate[]> {
  const deposits = candidates.flatMap(({ order }) => (order.kind === 'REFUND' ? depositKeyOf(order) : []));
  const locked = await lockPayments(tx, engine.store.keyring, deposits);
  const byName = new Map(locked.map((deposit) => [lockOrder(deposit), deposit]));
  const earlierRefunds = await listRefunds(tx, locked);
  const refunds = new Map(
    locked.map((deposit): [string, readonly EarlierRefund[]] => [
      lockOrder(deposit),
      earlierRefunds.filter(
        ({ merchantId, depositId }) => merchantId === deposit.merchantId && depositId === deposit.paymentId,
      ),
    ]),
  );
  const resolved: ResolvedCandidate[] = [];
  for (const { order, becomes } of candidates) {
    if (order.kind !== 'REFUND') {
      if (becomes !== 'RESOLVED_IN_TRANSACTION') resolved.push({ order, becomes });
      continue;
    }
    const name = lockOrder(depositKeyOf(order));
    const earlier = refunds.get(name) ?? [];
    const refund = await resolve(engine, order, { deposit: byName.get(name) ?? null, earlier, now });
    if (!('reason' in refund)) refunds.set(name, [...earlier, refund]);
    resolved.push({ order, becomes: refund });
  }
  return resolved;
}

async function resolve(
  engine: Engine,
  order: RefundOrder,
  facts: {
    readonly deposit: StoredPayment | null;
    readonly earlier: readonly EarlierRefund[];
    readonly now: Date;
  },
): Promise<StoredPayment | Refused> {
  const { deposit } = facts;
  const provider = deposit?.provider ?? '';
  const admission = admitRefund(order, {
    merchant: order.merchant,
    deposit,
    refunds: facts.earlier,
    availability: await engine.directory.availability(provider, 'REFUND'),
    connector: engine.connectorOf(provider, 'REFUND'),
  });
  if (admission.type !== 'ADMITTED' || deposit === null) return admission as Refused;
  const { phoneNumber, customerMessage } = deposit.details;
  return {
    ...keyOf(order),
    ...firstStep(admission, facts.now),
    writtenId: order.writtenId,
    generation: order.generation,
    amount: admission.amount,
    amountText: admission.amountText,
    currency: deposit.currency,
    provider,
    depositId: deposit.paymentId,
    details: { phoneNumber, customerMessage, ...order.details, ...writtenDepositIdOf(order) },
  };
}

/** Identifiers are echoed as written; only one that is not in lower case has to be kept for it. */
function writtenDepositIdOf({ depositId }: RefundOrder): { readonly writtenDepositId?: string } {
  return depositId === canonicalIdentifier(depositId) ? {} : { writtenDepositId: depositId };
}

function depositKeyOf(order: RefundOrder): PaymentKey {
  const { merchantId } = order.merchant;
  return { merchantId, kind: 'DEPOSIT', paymentId: canonicalIdentifier(order.depositId) };
}
