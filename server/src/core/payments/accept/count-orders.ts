// Limits, in the transaction that accepts payments: after identifiers were taken, so that repeats count once, and
// before wallets are locked. Who gets the space that is left is decided row by row, in the order of arrival.
import type { Limit } from '../../../domain/limits/limit.ts';
import type { Tx } from '../../../store/database.ts';
import type { NumberList } from '../../../domain/limits/listed-number.ts';
import type { Merchant } from '../../../store/merchants/merchants.ts';
import type { StoredPayment } from '../../../store/payments/payments.ts';
import { openGate, type LimitGate } from '../../limits/count-payments.ts';
import { countableOf } from '../../limits/countable.ts';
import type { StorePart } from '../../engine.ts';
import { limited, type Refused } from '../admit.ts';
import type { InitiationOrder, ResolvedCandidate } from '../payment-request.ts';
import type { ScreenedOrders } from './refuse-listed.ts';

export type OrderGate = LimitGate<InitiationOrder>;

export async function openOrderGate(
  { store }: StorePart,
  tx: Tx,
  { candidates, listed }: ScreenedOrders,
  now: Date,
): Promise<OrderGate> {
  const countables = candidates.flatMap(({ order, becomes }) => {
    if ('reason' in becomes) return [];
    const limits = limitsOf(order.merchant, listed.get(order));
    return [{ item: order, ...countableOf(store.keyring, becomes, limits) }];
  });
  return openGate(tx, countables, now);
}

/** A number on the list of allowed ones is not limited for itself. */
export function limitsOf(
  { limits }: Pick<Merchant, 'limits'>,
  listed: NumberList | undefined,
): readonly Limit[] {
  return listed === 'ALLOWED' ? limits.filter(({ scope }) => scope !== 'NUMBER') : limits;
}

/** Deposits hold no funds, so limits alone decide about them here. */
export function limitDeposits(
  candidates: readonly ResolvedCandidate[],
  gate: OrderGate,
): readonly ResolvedCandidate[] {
  return candidates.map((candidate) => {
    const { order, becomes } = candidate;
    if ('reason' in becomes || becomes.kind !== 'DEPOSIT') return candidate;
    const refusal = refusalOf(order, gate);
    if (refusal !== null) return { order, becomes: refusal };
    gate.take(order);
    return candidate;
  });
}

export function refusalOf(order: InitiationOrder, gate: OrderGate): Refused | null {
  const refusal = gate.refusal(order);
  return refusal === null ? null : limited(order.kind, refusal.message, refusal.limit);
}

export type Settled = {
  /** With the counters that each accepted payment counts in. */
  readonly resolved: readonly ResolvedCandidate[];
  /** Refused only because of one that was rejected later in the same batch: they are decided again without it. */
  readonly undecided: ReadonlySet<InitiationOrder>;
};

export async function settleGate(
  candidates: readonly ResolvedCandidate[],
  gate: OrderGate,
): Promise<Settled> {
  const accepted = new Set(candidates.flatMap(({ order, becomes }) => ('reason' in becomes ? [] : order)));
  const dropped = new Set(gate.listDropped(accepted).map(merchantAndKind));
  await gate.settle(accepted);
  return {
    resolved: candidates.map(({ order, becomes }) => ({
      order,
      becomes: withCounters(order, becomes, gate),
    })),
    undecided: new Set(
      candidates.flatMap(({ order, becomes }) =>
        isLimited(becomes) && dropped.has(merchantAndKind(order)) ? order : [],
      ),
    ),
  };
}

function withCounters(
  order: InitiationOrder,
  becomes: StoredPayment | Refused,
  gate: OrderGate,
): StoredPayment | Refused {
  const countedIn = gate.countersOf(order);
  return 'reason' in becomes || countedIn === undefined ? becomes : { ...becomes, countedIn };
}

function isLimited(becomes: StoredPayment | Refused): boolean {
  return 'reason' in becomes && becomes.type === 'NOT_ALLOWED' && becomes.isLimited === true;
}

function merchantAndKind({ merchant, kind }: InitiationOrder): string {
  return `${merchant.merchantId} ${kind}`;
}
