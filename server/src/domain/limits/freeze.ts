// Freezes: the platform stops outgoing payments of a merchant, an API token, a recipient, a provider, or all of them.
import type { PaymentKind } from '../payments/payment.ts';

export const FREEZE_SCOPES = ['MERCHANT', 'TOKEN', 'NUMBER', 'PROVIDER', 'ALL'] as const;
export type FreezeScope = (typeof FREEZE_SCOPES)[number];

/** What is frozen. The subject of a phone number is its keyed hash in hexadecimal digits; that of ALL is empty. */
export type Frozen = { readonly scope: FreezeScope; readonly subject: string };

/** Kinds that send money. Deposits go on: money that comes in cannot be lost by waiting for people. */
export const OUTGOING_KINDS = ['PAYOUT', 'REFUND', 'REMITTANCE'] as const satisfies readonly PaymentKind[];

export function isOutgoing(kind: PaymentKind): boolean {
  return kind !== 'DEPOSIT';
}

/** Why a payment is held. SCREENING: until the platform's service has answered. REVIEW: until people have decided. */
export const HOLDS = ['FREEZE', 'SCREENING', 'REVIEW'] as const;
export type Hold = (typeof HOLDS)[number];

/** Why money of a wallet is held: a deposit that a person ended as COMPLETED, or an open case. */
export const FUND_HOLDS = ['MANUAL_DEPOSIT', 'CASE', 'REPORTED_REVERSAL'] as const;
export type FundHold = (typeof FUND_HOLDS)[number];

/**
 * Payments under these are marked one by one. The others stop whole groups of payments, and releases pass over the
 * group.
 */
export function marksPayments(scope: FreezeScope): boolean {
  return scope === 'TOKEN' || scope === 'NUMBER';
}
