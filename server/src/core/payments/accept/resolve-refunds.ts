// Turns refund orders into payments, in the transaction that accepts them: the deposit is locked first, so the sum of
// refunds can never pass it, even when several are requested at once.
import { canonicalIdentifier } from '../../../domain/identifier.ts';
import { paymentKeyText, type PaymentKey } from '../../../domain/payments/payment.ts';
import { givenBackBy } from '../../../domain/reconciliation/given-back.ts';
import { listLatestAttempts } from '../../../store/payments/attempts.ts';
import { listCaseFacts } from '../../../store/payments/cases.ts';
import type { Tx } from '../../../store/database.ts';
import { listWaitingWords } from '../../../store/reconciliation/waiting-words.ts';
import { listRefunds, lockPayments, type StoredPayment } from '../../../store/payments/payments.ts';
import { admitRefund, refundHistoryOf, type RefundHistory } from './admit-refund.ts';
import type { Refused } from '../admit.ts';
import { listBeyondReach } from '../../operators/attempt-account.ts';
import type { Engine } from '../../engine.ts';
import {
  firstStep,
  keyOf,
  tokenOf,
  type Candidate,
  type InitiationFacts,
  type RefundSubmitRequest,
  type ResolvedCandidate,
} from '../payment-request.ts';

/** Answers in the order given, which is the order of arrival: an accepted refund counts for those behind it. */
export async function resolveRefunds(
  engine: Engine,
  tx: Tx,
  candidates: readonly Candidate[],
  facts: InitiationFacts,
): Promise<readonly ResolvedCandidate[]> {
  const deposits = candidates.flatMap(({ order }) => (order.kind === 'REFUND' ? depositKeyOf(order) : []));
  const locked = await lockPayments(tx, engine.store.keyring, deposits);
  const histories = await readHistories(tx, locked);
  const unreachable = await findUnreachable(engine, tx, locked);
  const resolved: ResolvedCandidate[] = [];
  for (const { order, becomes } of candidates) {
    if (order.kind !== 'REFUND') {
      if (becomes !== 'RESOLVED_IN_TRANSACTION') resolved.push({ order, becomes });
      continue;
    }
    const name = paymentKeyText(depositKeyOf(order));
    const history = histories.get(name) ?? NO_HISTORY;
    const isBeyondReach = unreachable.has(name);
    const refund = resolve(engine, order, { ...history, isBeyondReach }, facts);
    if (!('reason' in refund)) {
      const accepted = givenBackBy(refund, []);
      histories.set(name, { ...history, refunds: [...history.refunds, accepted] });
    }
    resolved.push({ order, becomes: refund });
  }
  return resolved;
}

/** Deposits that cannot be refunded because the account that received them is gone. */
async function findUnreachable(
  engine: Engine,
  tx: Tx,
  deposits: readonly StoredPayment[],
): Promise<ReadonlySet<string>> {
  const attempts = new Map((await listLatestAttempts(tx, deposits)).map((one) => [paymentKeyText(one), one]));
  const asked = deposits.flatMap((deposit) => {
    const attempt = attempts.get(paymentKeyText(deposit));
    const connector = refundConnectorOf(engine, deposit);
    if (attempt === undefined || connector === null) return [];
    return [{ attempt, refund: { connector, provider: deposit.provider, kind: 'REFUND' as const } }];
  });
  return listBeyondReach(engine, tx, asked);
}

type History = RefundHistory & { readonly deposit: StoredPayment | null };

const NO_HISTORY: History = {
  deposit: null,
  arrived: { amount: 0n, isInDoubt: false },
  refunds: [],
  isReversed: false,
  isReported: false,
};

async function readHistories(tx: Tx, deposits: readonly StoredPayment[]): Promise<Map<string, History>> {
  const refunds = await listRefunds(tx, deposits);
  // Read after the refunds: what a refund in reconciliation had open was open before its end.
  const cases = await listCaseFacts(tx, [...deposits, ...refunds]);
  const waiting = await listWaitingWords(tx, [...deposits, ...refunds]);
  return new Map(
    deposits.map((deposit) => {
      const own = refunds.filter(
        ({ merchantId, depositId }) => merchantId === deposit.merchantId && depositId === deposit.paymentId,
      );
      const history = refundHistoryOf<PaymentKey>(
        deposit,
        own,
        (payment) => cases.get(paymentKeyText(payment)) ?? [],
        (payment) => waiting.has(paymentKeyText(payment)),
      );
      return [paymentKeyText(deposit), { deposit, ...history }];
    }),
  );
}

function resolve(
  engine: Engine,
  order: RefundSubmitRequest,
  history: History & { readonly isBeyondReach: boolean },
  { now, unavailable }: InitiationFacts,
): StoredPayment | Refused {
  const { deposit, arrived, refunds, isReversed, isReported, isBeyondReach } = history;
  const provider = deposit?.provider ?? '';
  const connector = refundConnectorOf(engine, deposit);
  const admission = admitRefund(order, {
    merchant: order.merchant,
    deposit,
    arrived,
    refunds,
    isReversed,
    isReported,
    isBeyondReach,
    availability: unavailable.get(`${provider} REFUND`) ?? 'OPERATIONAL',
    connector,
    isFullOnly: engine.connectors.get(connector ?? '')?.refund?.mode === 'NATIVE_FULL',
  });
  if (admission.type !== 'ADMITTED' || deposit === null) return admission as Refused;
  const { phoneNumber, customerMessage } = deposit.details;
  return {
    ...keyOf(order),
    paymentNo: order.paymentNo,
    ...firstStep(admission, now),
    writtenId: order.writtenId,
    apiVersion: order.apiVersion,
    amount: admission.amount,
    amountText: admission.amountText,
    currency: deposit.currency,
    provider,
    ...tokenOf(order),
    depositId: deposit.paymentId,
    details: { phoneNumber, customerMessage, ...order.details, ...writtenDepositIdOf(order) },
  };
}

/**
 * The connector that carried the deposit gives it back, also after the provider was bound to another connector: only a
 * transfer that names no original can be made by anybody.
 */
function refundConnectorOf(engine: Engine, deposit: StoredPayment | null): string | null {
  const bound = engine.connectorOf(deposit?.provider ?? '', 'REFUND');
  if (deposit === null || bound === null || bound === deposit.connector) return bound;
  if (engine.connectors.get(bound)?.refund?.mode === 'PAYOUT_EMULATED') return bound;
  return engine.connectors.get(deposit.connector)?.refund === undefined ? null : deposit.connector;
}

/** Identifiers are echoed as written; only one that is not in lower case has to be kept for it. */
function writtenDepositIdOf({ depositId }: RefundSubmitRequest): { readonly writtenDepositId?: string } {
  return depositId === canonicalIdentifier(depositId) ? {} : { writtenDepositId: depositId };
}

function depositKeyOf(order: RefundSubmitRequest): PaymentKey {
  const { merchantId } = order.merchant;
  return { merchantId, kind: 'DEPOSIT', paymentId: canonicalIdentifier(order.depositId) };
}
