// Limits: how many payments of a kind, or how much money, a merchant may start in a fixed span of UTC time. Pure.
import { renderAmount, type Amount } from '../money.ts';
import type { PaymentKind } from '../payments/payment.ts';

/** What is counted apart. MERCHANT: everything together. NUMBER: each phone number that pays or is paid. */
export const LIMIT_SCOPES = ['MERCHANT', 'TOKEN', 'PROVIDER', 'COUNTRY', 'NUMBER'] as const;
export type LimitScope = (typeof LIMIT_SCOPES)[number];

export const LIMIT_PERIODS = ['MINUTE', 'HOUR', 'DAY', 'MONTH'] as const;
export type LimitPeriod = (typeof LIMIT_PERIODS)[number];

/** Both hold at once, so that a merchant's own limit can only make the platform's stricter. */
export const LIMIT_SETTERS = ['PLATFORM', 'MERCHANT'] as const;
export type LimitSetter = (typeof LIMIT_SETTERS)[number];

export type LimitKey = {
  readonly setBy: LimitSetter;
  readonly kind: PaymentKind;
  readonly scope: LimitScope;
  /** One token, provider or country; empty: each of them, counted apart. */
  readonly subject: string;
  readonly period: LimitPeriod;
  /** Empty: payments in every currency, which can only be counted. */
  readonly currency: string;
};

/** At least one of the two is not null. */
export type LimitMaxima = { readonly countMax: number | null; readonly amountMax: Amount | null };

export type Limit = LimitKey & LimitMaxima;

/** What is counted of a payment. */
export type CountedPayment = {
  readonly kind: PaymentKind;
  readonly amount: Amount;
  readonly currency: string;
  readonly provider: string;
  readonly country: string;
  readonly tokenId?: string | undefined;
  /** The keyed hash of the phone number, as hexadecimal digits. */
  readonly numberHash: string;
};

/** What a counter has counted in its window. */
export type Used = { readonly count: number; readonly amount: Amount };

/** The name of a limit, for approvals and the audit log. */
export function limitName({ setBy, kind, scope, subject, period, currency }: LimitKey): string {
  return [
    setBy,
    kind,
    scope,
    subject === '' ? 'EACH' : subject,
    period,
    currency === '' ? 'ANY' : currency,
  ].join(' ');
}

/** The value that a limit counts the payment under; null where it does not count the payment. */
export function countedSubject(limit: LimitKey, payment: CountedPayment): string | null {
  if (limit.kind !== payment.kind) return null;
  if (limit.currency !== '' && limit.currency !== payment.currency) return null;
  const subject = subjectOf(limit.scope, payment);
  return limit.subject === '' || limit.subject === subject ? subject : null;
}

function subjectOf(scope: LimitScope, payment: CountedPayment): string | null {
  switch (scope) {
    case 'MERCHANT':
      return '';
    case 'TOKEN':
      return payment.tokenId ?? null;
    case 'PROVIDER':
      return payment.provider;
    case 'COUNTRY':
      return payment.country;
    case 'NUMBER':
      return payment.numberHash;
  }
}

/** When the window that holds `at` ends. Windows begin with the minute, hour, day or month in UTC. */
export function windowEnd(period: LimitPeriod, at: Date): Date {
  const [year, month, day] = [at.getUTCFullYear(), at.getUTCMonth(), at.getUTCDate()];
  const [hour, minute] = [at.getUTCHours(), at.getUTCMinutes()];
  switch (period) {
    case 'MINUTE':
      return new Date(Date.UTC(year, month, day, hour, minute + 1));
    case 'HOUR':
      return new Date(Date.UTC(year, month, day, hour + 1));
    case 'DAY':
      return new Date(Date.UTC(year, month, day + 1));
    case 'MONTH':
      return new Date(Date.UTC(year, month + 1, 1));
  }
}

/** Whether one more payment of this amount fits. */
export function fits({ countMax, amountMax }: LimitMaxima, used: Used, amount: Amount): boolean {
  return (
    (countMax === null || used.count + 1 <= countMax) &&
    (amountMax === null || used.amount + amount <= amountMax)
  );
}

/** Whether `after` lets more through than `before`. No limit lets everything through. */
export function isLooser(after: LimitMaxima | null, before: LimitMaxima | null): boolean {
  if (before === null) return false;
  if (after === null) return true;
  return isAbove(after.countMax, before.countMax) || isAbove(after.amountMax, before.amountMax);
}

function isAbove<Max extends number | bigint>(after: Max | null, before: Max | null): boolean {
  if (before === null) return false;
  return after === null || after > before;
}

const EACH: Readonly<Record<LimitScope, string>> = {
  MERCHANT: '',
  TOKEN: ' for each API token',
  PROVIDER: ' for each provider',
  COUNTRY: ' for each country',
  NUMBER: ' for each phone number',
};

/** For people: "5 payouts and 500000 RWF per day for each phone number". */
export function describeLimit({
  kind,
  scope,
  subject,
  period,
  currency,
  countMax,
  amountMax,
}: Limit): string {
  const nouns = `${kind.toLowerCase()}s`;
  const counted = countMax === null ? [] : [`${countMax} ${nouns}`];
  const money = amountMax === null ? [] : [`${renderAmount(amountMax)} ${currency}`];
  const what = counted.length === 0 ? `${money.join('')} in ${nouns}` : [...counted, ...money].join(' and ');
  const whose = subject === '' ? EACH[scope] : ` for ${scope === 'TOKEN' ? 'this API token' : subject}`;
  return `${what} per ${period.toLowerCase()}${whose}`;
}
