// What of a transaction's changes must stay in the wallet for a while: deposits that a person ended as COMPLETED, and
// what open cases could cost their merchants.
import { amountAtRisk, type Reported } from '../../domain/reconciliation/cases.ts';
import type { Amount } from '../../domain/money.ts';
import { isFinal } from '../../domain/payments/lifecycle.ts';
import { paymentKeyText } from '../../domain/payments/payment.ts';
import { addMs } from '../../domain/time.ts';
import type { Tx } from '../../store/database.ts';
import { listEvidence, listOpenDiscrepancies, type OpenedCase } from '../../store/payments/cases.ts';
import { listPayments, type StoredPayment } from '../../store/payments/payments.ts';
import type { StorePart } from '../engine.ts';
import { walletOf } from './payment-postings.ts';
import { holdIdOfCase, holdIdOfDeposit, MANUAL_HOLD_MS, type WantedHold } from '../limits/wallet-holds.ts';

/** A payment that changed, and what happened to it. */
type Changed = {
  readonly payment: StoredPayment;
  readonly events: readonly {
    readonly event: string;
    readonly fromState: string | null;
    readonly toState: string;
  }[];
};

/** Whether a person has ended it as COMPLETED now, and it brought money. */
export function isManualDeposit({ payment, events }: Changed): boolean {
  if (payment.kind !== 'DEPOSIT' || payment.state !== 'COMPLETED') return false;
  return events.some(({ event, toState }) => event === 'ENDED_MANUALLY' && toState === 'COMPLETED');
}

type CaseName = Pick<OpenedCase, 'merchantId' | 'kind' | 'paymentId' | 'evidence'>;

type Facts = { readonly now: Date; readonly walletProviderOf: (payment: StoredPayment) => string };

/** Of a split payment's collection too: its payouts hold their parts themselves, and come off later. */
export function holdsOfDeposits(changed: readonly Changed[], facts: Facts): readonly WantedHold[] {
  return changed.filter(isManualDeposit).map(({ payment }) => ({
    holdId: holdIdOfDeposit(payment),
    key: payment,
    wallet: walletOf(payment, facts.walletProviderOf(payment)),
    provider: payment.provider,
    reason: 'MANUAL_DEPOSIT',
    evidence: null,
    caseNo: null,
    amount: payment.amount - payment.fee,
    releaseAt: addMs(facts.now, MANUAL_HOLD_MS),
  }));
}

/** How much of its merchant's wallet a case about a payment would hold if it were opened now. */
export async function foreseeHold(
  tx: Tx,
  wanted: CaseName & Reported,
  payment: StoredPayment,
): Promise<Amount> {
  return amountToHold(wanted, payment, await listReversed(tx, [wanted]));
}

/** What was taken back is owed or collected already, and cannot be at risk once more. */
function amountToHold(
  wanted: CaseName & Reported,
  payment: StoredPayment,
  reversed: ReadonlySet<string>,
): Amount {
  const isTaken = wanted.evidence === 'DISCREPANCY' && reversed.has(paymentKeyText(wanted));
  return isTaken ? 0n : amountAtRisk(wanted, payment);
}

/** Of cases that were opened now, and of those that could cost nothing before their payment was final. */
export async function holdsOfCases(
  engine: StorePart,
  tx: Tx,
  { opened, changed }: { readonly opened: readonly OpenedCase[]; readonly changed: readonly Changed[] },
  facts: Facts,
): Promise<readonly WantedHold[]> {
  const payments = new Map(changed.map(({ payment }) => [paymentKeyText(payment), payment]));
  const earlier = await listOpenDiscrepancies(
    tx,
    changed.filter(hasLeftReconciliation).map(({ payment }) => payment),
  );
  const cases = new Map([...earlier, ...opened].map((one) => [holdIdOfCase(one), one]));
  const reversed = await listReversed(tx, [...cases.values()]);
  const wanted: WantedHold[] = [];
  for (const [holdId, one] of cases) {
    const payment = payments.get(paymentKeyText(one));
    const amount = payment === undefined ? 0n : amountToHold(one, payment, reversed);
    if (payment === undefined || amount === 0n) continue;
    const paidFrom = await collectionOf(engine, tx, payment);
    wanted.push({
      holdId,
      key: payment,
      wallet: walletOf(paidFrom, facts.walletProviderOf(paidFrom)),
      provider: payment.provider,
      reason: 'CASE',
      evidence: one.evidence,
      caseNo: one.caseNo,
      amount,
      releaseAt: null,
      ...('lineHash' in one && { lineHash: one.lineHash }),
    });
  }
  return wanted;
}

/** The deposits among these that their operator has taken back, by their names in the order of locks. */
async function listReversed(tx: Tx, cases: readonly CaseName[]): Promise<ReadonlySet<string>> {
  const deposits = cases.filter(({ kind, evidence }) => kind === 'DEPOSIT' && evidence === 'DISCREPANCY');
  const evidence = await listEvidence(tx, deposits);
  return new Set(deposits.map(paymentKeyText).filter((name) => evidence.has(`${name} LATE_FAILURE`)));
}

/** A payment with a discrepancy waits there for its end. What a person ended as COMPLETED is held already. */
function hasLeftReconciliation(change: Changed): boolean {
  if (isManualDeposit(change)) return false;
  const { payment, events } = change;
  return isFinal(payment.state) && events.some(({ fromState }) => fromState === 'IN_RECONCILIATION');
}

/** The parts of a split come out of the wallet that its collection went into. */
async function collectionOf({ store }: StorePart, tx: Tx, payment: StoredPayment): Promise<StoredPayment> {
  const { merchantId, kind, splitPaymentId } = payment;
  if (splitPaymentId === undefined || kind === 'DEPOSIT') return payment;
  const key = { merchantId, kind: 'DEPOSIT', paymentId: splitPaymentId } as const;
  return (await listPayments(tx, store.keyring, [key]))[0] ?? payment;
}

/** What the payouts of a split payment have taken of its collection is not held a second time. */
export function withoutParts(
  wanted: readonly WantedHold[],
  begun: readonly StoredPayment[],
): readonly WantedHold[] {
  return wanted.map((hold) => {
    const parts = begun.filter(
      ({ merchantId, splitPaymentId }) =>
        merchantId === hold.key.merchantId && splitPaymentId === hold.key.paymentId,
    );
    const taken = parts.reduce((sum, { amount, fee }) => sum + amount + fee, 0n);
    return { ...hold, amount: hold.amount - taken };
  });
}
