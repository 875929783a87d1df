// What a database that was restored has to be careful about. Pure. docs/decisions/0022-after-a-restore.md says why.

export type Recovery = {
  /** From here on, in some restore or other, the database has forgotten what was done. */
  readonly lostFrom: Date;
  /** Until here anything may have been done that the database does not know of. */
  readonly begunAt: Date;
  /** Payments from before have not all been asked about: nothing is sent. */
  readonly isHolding: boolean;
  /** Merchants may still send again what was lost, and no one can tell it from what is new. */
  readonly isOpen: boolean;
  /** Providers at which nothing lost is awaited any more. */
  readonly resumedProviders: ReadonlySet<string>;
};

/**
 * How an operator can be kept from paying for one order twice. ASKED: it says reliably whether it has seen a reference.
 * REPEATED: it does not, but recognises a reference it has seen. BLIND: neither.
 */
export type Certainty = 'ASKED' | 'REPEATED' | 'BLIND';

/**
 * Whether the restored database had the payment. Its merchant may have been told since that it failed, when it was
 * cancelled for instance, and may have ordered another: such a payment is never sent.
 */
export function isFromBefore(recovery: Recovery | null, payment: { readonly createdAt: Date }): boolean {
  return recovery !== null && payment.createdAt <= recovery.begunAt;
}

/** Whether the operator must be asked about a payment before the payment may be sent. */
export function isAskedFirst(
  recovery: Recovery | null,
  payment: { readonly createdAt: Date; readonly provider: string },
  certainty: Certainty,
): boolean {
  if (recovery === null) return false;
  if (isFromBefore(recovery, payment)) return true;
  return isAwaited(recovery, payment.provider) && certainty !== 'REPEATED';
}

/** Whether something lost may still be sent again to a provider. */
export function isAwaited(recovery: Recovery | null, provider: string): boolean {
  return recovery !== null && recovery.isOpen && !recovery.resumedProviders.has(provider);
}

/** Statements of some operators tell the day only. */
const TOLD_EARLIER_MS = 24 * 60 * 60_000;

/** Whether what was done at a time may have been forgotten since. */
export function mayBeUnmatched(recovery: Recovery | null, occurredAt: Date): boolean {
  return recovery !== null && occurredAt.getTime() >= recovery.lostFrom.getTime() - TOLD_EARLIER_MS;
}
