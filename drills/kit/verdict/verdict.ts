// The verdict of a run, from outside facts: what the gateway acknowledged, the operator's own books, what the
// merchants' endpoints acknowledged, and the database rows. It uses none of the gateway's own checks.
import type { Database } from '../../../server/src/store/database.ts';
import type { Acknowledged } from '../load/load.ts';
import type { Merchant } from '../merchants.ts';
import { countBy } from '../table.ts';
import type { BookedCharge } from './operator-books.ts';
import { amountOf, isFinal, nameOf, readPayments, readSplits, type PaymentRow } from './payment-rows.ts';
import { readLedger } from './ledger.ts';

/**
 * UNACCOUNTED: paid, and neither in the books nor listed. CONTRADICTED: merchants were notified of the opposite before.
 * UNREVIEWED: sent, held or failed, and neither the screening service, a default nor people said so.
 */
export type FindingType =
  | 'LOST'
  | 'DOUBLED'
  | 'UNBALANCED'
  | 'UNANNOUNCED'
  | 'UNPAID'
  | 'UNACCOUNTED'
  | 'CONTRADICTED'
  | 'UNREVIEWED';

export type Finding = { readonly type: FindingType; readonly subject: string; readonly what: string };

/** The count of each of these types, by its name in lower case. */
export function countFindings<Type extends FindingType>(
  findings: readonly Finding[],
  types: readonly Type[],
): Readonly<Record<Lowercase<Type>, number>> {
  const counts = types.map((type) => [
    type.toLowerCase(),
    findings.filter((one) => one.type === type).length,
  ]);
  return Object.fromEntries(counts) as Record<Lowercase<Type>, number>;
}

/** How many are shown; a broken rule can have thousands. */
const SHOWN_MAX = 40;

export function listFindings(findings: readonly Finding[]): readonly string[] {
  return findings.slice(0, SHOWN_MAX).map(({ type, subject, what }) => `${type} ${subject}: ${what}`);
}

export type Verdict = {
  readonly payments: number;
  readonly findings: readonly Finding[];
  readonly states: object;
};

export type Evidence = {
  readonly database: Database;
  readonly acknowledged: readonly Acknowledged[];
  readonly charges: readonly BookedCharge[];
  /** Charges without a payment here that must be in the floats all the same. */
  readonly strays?: readonly BookedCharge[];
  readonly merchants: readonly Merchant[];
  /** The operators pay everything that reaches them without a fault. */
  readonly isPaidIfSent?: boolean;
};

export async function checkRun(evidence: Evidence): Promise<Verdict> {
  const payments = await readPayments(evidence.database);
  const charges = [...evidence.charges, ...(evidence.strays ?? [])];
  const ledger = await readLedger(evidence.database, { payments, charges });
  const findings = [
    ...(await checkPayments(evidence, payments)),
    ...ledger.map(({ subject, what }) => find('UNBALANCED', subject, what)),
  ];
  const states = countBy(payments, ({ kind, state }) => `${kind} ${state}`);
  return { payments: payments.length, findings, states };
}

/**
 * What is wrong with payments that the operators' books and the endpoints are about. `all`: these and older ones, which
 * refunds may be of.
 */
export async function checkPayments(
  evidence: Evidence,
  payments: readonly PaymentRow[],
  all = payments,
): Promise<readonly Finding[]> {
  const splits = await readSplits(evidence.database);
  return [
    ...findLost(evidence, payments, splits),
    ...findUnfinished(payments),
    ...findDisagreements(evidence, payments),
    ...findDuplicates(evidence, all),
    ...findUnpaid(evidence, payments),
    ...findUnannounced(evidence, payments, splits),
    ...findMistold(evidence),
  ];
}

function findLost(
  { acknowledged }: Evidence,
  payments: readonly PaymentRow[],
  splits: ReadonlySet<string>,
): Finding[] {
  const kept = new Set(payments.map(nameOf));
  return acknowledged
    .filter(({ kind, id }) => !(kind === 'SPLIT_PAYMENT' ? splits.has(id) : kept.has(`${kind} ${id}`)))
    .map(({ kind, id }) => find('LOST', `${kind} ${id}`, 'acknowledged, and not there'));
}

function findUnfinished(payments: readonly PaymentRow[]): Finding[] {
  return payments.flatMap((payment) => {
    const lost = (what: string) => [find('LOST', nameOf(payment), what)];
    if (isFinal(payment)) return [];
    if (payment.next_action === null) return lost(`${payment.state} without a next step`);
    if (payment.state !== 'IN_RECONCILIATION') return lost(`still ${payment.state} when all was calm`);
    return payment.reason === null ? lost('in reconciliation, and no one knows why') : [];
  });
}

/** A payment's state must match the operator's, or a case must say that it does not. */
export function findDisagreements(
  { charges }: Pick<Evidence, 'charges'>,
  payments: readonly PaymentRow[],
): Finding[] {
  const byReference = new Map(charges.map((charge) => [charge.reference, charge]));
  return payments.flatMap((payment) => {
    const charge = payment.reference === null ? undefined : byReference.get(payment.reference);
    const states = statesThatFit(payment, charge);
    if (states.includes(payment.state)) return [];
    const said = charge === undefined ? 'nothing' : `${charge.status} ${charge.amount}`;
    const what = `${payment.state} (${payment.amount}), and the operator's books say ${said}`;
    return [find('UNBALANCED', nameOf(payment), what)];
  });
}

function statesThatFit(
  { evidences, amount }: PaymentRow,
  charge: BookedCharge | undefined,
): readonly string[] {
  // Never charged: it failed before it was sent, or the operator was proved not to know it. It may also wait
  // permanently.
  if (charge === undefined) return ['FAILED', 'IN_RECONCILIATION'];
  const isExact = amountOf(charge.amount) === amountOf(amount);
  switch (charge.status) {
    case 'SUCCESSFUL':
      // A case that contradicts the operator comes from an outdated message.
      if (evidences.includes('LATE_FAILURE')) return [];
      // Completed by an enquiry without an amount, before the message that has it.
      if (!isExact)
        return evidences.includes('DISCREPANCY') ? ['IN_RECONCILIATION', 'FAILED', 'COMPLETED'] : [];
      return evidences.includes('LATE_SUCCESS') ? ['FAILED'] : ['COMPLETED'];
    case 'FAILED':
      if (evidences.includes('LATE_SUCCESS')) return [];
      if (evidences.includes('LATE_FAILURE')) return ['COMPLETED'];
      // An unmapped reason is unknown, and a person decides.
      return charge.failureCode === 'E9999' ? ['IN_RECONCILIATION', 'FAILED'] : ['FAILED'];
    case 'PENDING':
      return ['IN_RECONCILIATION'];
  }
}

function findDuplicates({ charges }: Evidence, payments: readonly PaymentRow[]): Finding[] {
  const byReference = new Map(payments.map((payment) => [payment.reference, payment]));
  const charged = charges.filter(({ status }) => status !== 'FAILED');
  const strays = charged
    .filter(({ askedAs }) => !byReference.has(askedAs))
    .map(({ reference }) =>
      find('DOUBLED', reference, 'charged under a reference that was never permitted to be sent'),
    );
  const twice = [...Map.groupBy(charged, ({ askedAs }) => askedAs)]
    .filter(([, some]) => some.length > 1)
    .map(([askedAs, some]) => {
      const payment = byReference.get(askedAs);
      return find(
        'DOUBLED',
        payment === undefined ? askedAs : nameOf(payment),
        `charged ${some.length} times`,
      );
    });
  return [...strays, ...twice, ...findOverRefunded(charges, payments)];
}

/**
 * Outgoing money that failed, although its operator never refused it: it would have been paid. Payments cancelled by a
 * person, and parts of a split whose collection failed, are excluded. A reversal needs a receipt, and an operator that
 * lost the only message with it cannot be asked for one.
 */
function findUnpaid({ charges, isPaidIfSent = false }: Evidence, payments: readonly PaymentRow[]): Finding[] {
  if (!isPaidIfSent) return [];
  const seen = new Set(charges.map(({ askedAs }) => askedAs));
  return payments
    .filter(
      ({ kind, state, is_cancelled: isCancelled, has_refund_reference: hasRefundReference }) =>
        kind !== 'DEPOSIT' && state === 'FAILED' && !isCancelled && (kind !== 'REFUND' || hasRefundReference),
    )
    .filter(({ reference }) => reference === null || !seen.has(reference))
    .map((payment) => find('UNPAID', nameOf(payment), 'FAILED, and its operator never refused it'));
}

function findOverRefunded(charges: readonly BookedCharge[], payments: readonly PaymentRow[]): Finding[] {
  const paid = new Set(
    charges.filter(({ status }) => status === 'SUCCESSFUL').map(({ reference }) => reference),
  );
  const refunds = payments.filter(({ kind, reference }) => kind === 'REFUND' && paid.has(reference ?? ''));
  const deposits = new Map(
    payments.filter(({ kind }) => kind === 'DEPOSIT').map((one) => [one.payment_id, one]),
  );
  return [...Map.groupBy(refunds, ({ deposit_id: depositId }) => depositId ?? '')].flatMap(
    ([depositId, some]) => {
      const refunded = some.reduce((sum, { amount }) => sum + amountOf(amount), 0n);
      const deposit = deposits.get(depositId);
      if (deposit !== undefined && refunded <= amountOf(deposit.amount)) return [];
      return [find('DOUBLED', `DEPOSIT ${depositId}`, 'refunded more than was paid')];
    },
  );
}

function findUnannounced(
  { merchants, acknowledged }: Evidence,
  payments: readonly PaymentRow[],
  splits: ReadonlySet<string>,
): Finding[] {
  const endpoints = new Map(merchants.map(({ merchantId, endpoint }) => [merchantId, endpoint]));
  const single = payments
    .filter((payment) => isFinal(payment) && payment.split_payment_id === null)
    .flatMap((payment) => {
      const announced = endpoints
        .get(payment.merchant_id)
        ?.acknowledgedStatus(payment.kind, payment.payment_id);
      return announced === payment.state
        ? []
        : [find('UNANNOUNCED', nameOf(payment), `${payment.state}, last announced: ${announced}`)];
    });
  const parts = Map.groupBy(payments, ({ split_payment_id: splitId }) => splitId ?? '');
  const shared = acknowledged
    .filter(({ kind, id }) => kind === 'SPLIT_PAYMENT' && splits.has(id))
    .filter(({ id }) => (parts.get(id) ?? []).every(isFinal))
    .flatMap(({ merchantId, id }) => {
      const announced = endpoints.get(merchantId)?.acknowledgedStatus('SPLIT_PAYMENT', id);
      return announced === undefined
        ? [find('UNANNOUNCED', `SPLIT_PAYMENT ${id}`, 'all parts final, never announced')]
        : [];
    });
  return [...single, ...shared];
}

/** A payment is announced in the API version that started it; its merchant cannot read another. */
function findMistold({ merchants, acknowledged }: Evidence): Finding[] {
  const endpoints = new Map(merchants.map(({ merchantId, endpoint }) => [merchantId, endpoint]));
  return acknowledged.flatMap(({ merchantId, kind, id, apiVersion }) => {
    const announced = endpoints.get(merchantId)?.acknowledgedApiVersion(kind, id);
    return announced === undefined || announced === apiVersion
      ? []
      : [
          find(
            'UNANNOUNCED',
            `${kind} ${id}`,
            `started in ${apiVersion}, announced in the format of ${announced}`,
          ),
        ];
  });
}

function find(type: FindingType, subject: string, what: string): Finding {
  return { type, subject, what };
}
