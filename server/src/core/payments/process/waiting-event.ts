// What a claim becomes while its provider is not available. Pure.
import type { PaymentEvent } from '../../../domain/payments/lifecycle.ts';
import type { Payment } from '../../../domain/payments/payment.ts';
import type { Availability } from '../../../store/operators/availability.ts';

/** A claim for a provider that cannot take the payment now becomes a wait. A deposit goes on: its payer is there. */
export function waitingEvent(
  event: PaymentEvent,
  payment: Pick<Payment, 'provider' | 'kind'>,
  /** Providers that are not OPERATIONAL, by "PROVIDER OPERATION". */
  unavailable: ReadonlyMap<string, Availability>,
): PaymentEvent {
  const isUnavailable = unavailable.has(`${payment.provider} ${payment.kind}`);
  const waits = event.type === 'SUBMIT_CLAIMED' && payment.kind !== 'DEPOSIT' && isUnavailable;
  return waits ? { type: 'PROVIDER_DELAYED' } : event;
}
