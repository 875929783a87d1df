// The precautions after a database restore. Pure. docs/decisions/0022-after-a-restore.md gives the reasons.

export type Recovery = {
  /** The earliest time from which a restore has lost data. */
  readonly lostFrom: Date;
  /** Until this time things may have happened that the database does not know. */
  readonly begunAt: Date;
  /** Not all earlier payments have been asked about: nothing is sent. */
  readonly isHolding: boolean;
  /** Merchants may still repeat lost requests, which look like new ones. */
  readonly isOpen: boolean;
  /** Providers at which no lost payment is expected any more. */
  readonly resumedProviders: ReadonlySet<string>;
};

/**
 * How to avoid that an operator pays one request twice. ASKED: it reliably says whether it has seen a reference.
 * REPEATED: it does not, but recognises a repeated reference. BLIND: neither.
 */
export type Certainty = 'ASKED' | 'REPEATED' | 'BLIND';

/**
 * Whether the restored database had the payment. Its merchant may have got a failure since, and may have created
 * another payment: such a payment is never sent.
 */
export function isFromBefore(recovery: Recovery | null, payment: { readonly createdAt: Date }): boolean {
  return recovery !== null && payment.createdAt <= recovery.begunAt;
}

/** Whether the operator must be asked about a payment before it is sent. */
export function isAskedFirst(
  recovery: Recovery | null,
  payment: { readonly createdAt: Date; readonly provider: string },
  certainty: Certainty,
): boolean {
  if (recovery === null) return false;
  if (isFromBefore(recovery, payment)) return true;
  return isAwaited(recovery, payment.provider) && certainty !== 'REPEATED';
}

/** Whether a lost payment may still be sent again to a provider. */
export function isAwaited(recovery: Recovery | null, provider: string): boolean {
  return recovery !== null && recovery.isOpen && !recovery.resumedProviders.has(provider);
}

/** Some operator reports contain only the day. */
const REPORT_MARGIN_MS = 24 * 60 * 60_000;

/** Whether something done at this time may have been lost. */
export function mayBeUnmatched(recovery: Recovery | null, occurredAt: Date): boolean {
  return recovery !== null && occurredAt.getTime() >= recovery.lostFrom.getTime() - REPORT_MARGIN_MS;
}
