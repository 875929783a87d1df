// Risk events: what was stopped, held and released, and what looks like an attack.
import type { Amount } from '../money.ts';
import type { PaymentKind } from '../payments/payment.ts';
import { addMs } from '../time.ts';

export const RISK_EVENTS = [
  /** A request that a limit of the platform, or of the merchant itself, has refused. */
  'PLATFORM_LIMIT',
  'MERCHANT_LIMIT',
  'NUMBER_BLOCKED',
  /** A payment that a freeze holds, or that people look at first. */
  'PAYMENT_HELD',
  /** What people decided of it, the end of its cooling-off, or that the screening service has rejected a payment. */
  'PAYMENT_RELEASED',
  'PAYMENT_REJECTED',
  'FROZEN',
  'FREEZE_LIFTED',
  /** Money of a wallet that must not leave yet, and its end. */
  'FUNDS_HELD',
  'FUNDS_RELEASED',
  /** Somebody could not sign in to the dashboard. */
  'SIGN_IN_REFUSED',
  /** A request to the API without a valid token. */
  'TOKEN_REFUSED',
  /** A notification that says it is an operator's, and is not. */
  'NOTIFICATION_FORGED',
] as const;
export type RiskEventType = (typeof RISK_EVENTS)[number];

/** Nothing in it identifies a person. */
export type RiskEvent = {
  readonly event: RiskEventType;
  readonly merchantId?: string | undefined;
  readonly tokenId?: string | undefined;
  readonly provider?: string | undefined;
  readonly kind?: PaymentKind | undefined;
  /** The name of the limit, what was frozen or held a payment, or the operator's connector. */
  readonly subject?: string | undefined;
  readonly currency?: string | undefined;
  readonly amount?: Amount | undefined;
};

/** Events of one sort within a minute. */
export type CountedRiskEvents = {
  readonly event: RiskEventType;
  readonly minuteAt: Date;
  readonly lastAt: Date;
  readonly count: number;
  readonly merchantId: string | null;
  readonly tokenId: string | null;
  /** Null where there were several, as the kind. */
  readonly provider: string | null;
  readonly kind: PaymentKind | null;
  readonly subject: string;
  readonly currency: string | null;
  /** Of all together. */
  readonly amount: Amount | null;
};

const MINUTE_MS = 60_000;

export function countOnce(event: RiskEvent, at: Date): CountedRiskEvents {
  const { merchantId = null, tokenId = null, provider = null, kind = null } = event;
  const { subject = '', currency = null, amount = null } = event;
  const counted = { event: event.event, ...timesOf(at), count: 1 };
  return { ...counted, merchantId, tokenId, provider, kind, subject, currency, amount };
}

function timesOf(lastAt: Date): Pick<CountedRiskEvents, 'minuteAt' | 'lastAt'> {
  return { minuteAt: new Date(Math.floor(lastAt.getTime() / MINUTE_MS) * MINUTE_MS), lastAt };
}

/** The same events by another clock, which is `byMs` ahead of the one they were counted by: each name once. */
export function moveCounts(
  counted: readonly CountedRiskEvents[],
  byMs: number,
): readonly CountedRiskEvents[] {
  const moved = counted.map((one) => ({ ...one, ...timesOf(addMs(one.lastAt, byMs)) }));
  const byName = Map.groupBy(moved, riskEventName);
  return [...byName.values()].flatMap(([first, ...rest]) =>
    first === undefined ? [] : rest.reduce((sum, one) => addCounts(sum, one), first),
  );
}

/** Two counts of the same name, added up. */
export function addCounts(one: CountedRiskEvents, other: CountedRiskEvents): CountedRiskEvents {
  const sum = one.amount === null || other.amount === null ? null : one.amount + other.amount;
  return {
    ...one,
    lastAt: one.lastAt < other.lastAt ? other.lastAt : one.lastAt,
    count: one.count + other.count,
    provider: one.provider === other.provider ? one.provider : null,
    kind: one.kind === other.kind ? one.kind : null,
    amount: one.amount === null ? other.amount : (sum ?? one.amount),
  };
}

/** What is counted in one row. */
export function riskEventName({
  event,
  minuteAt,
  merchantId,
  tokenId,
  subject,
  currency,
}: CountedRiskEvents): string {
  return [event, minuteAt.getTime(), merchantId, tokenId, subject, currency].join('/');
}
