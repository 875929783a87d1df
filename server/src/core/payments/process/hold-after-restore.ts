// What a claim becomes after a restore, and which operators leave us no way to be sure. Pure.
import { factsOf, type Connector } from '../../../connectors/port.ts';
import { listProviders } from '../../../domain/operators/catalogue.ts';
import type { PaymentEvent } from '../../../domain/payments/lifecycle.ts';
import { PAYMENT_KINDS, type Payment, type PaymentKind } from '../../../domain/payments/payment.ts';
import { isAskedFirst, type Certainty, type Recovery } from '../../../domain/recovery.ts';
import type { ProviderOperation } from '../../../store/operators/availability.ts';
import type { Engine } from '../../engine.ts';

/** A claim becomes a question where the payment may have been sent in the time that was lost. */
export function holdAfterRestore(
  event: PaymentEvent,
  payment: Pick<Payment, 'kind' | 'provider' | 'createdAt'>,
  { connector, recovery }: { readonly connector: Connector | undefined; readonly recovery: Recovery | null },
): PaymentEvent {
  if (event.type !== 'SUBMIT_CLAIMED' || recovery === null || connector === undefined) return event;
  const isHeld = isAskedFirst(recovery, payment, certaintyOf(connector, payment.kind));
  return isHeld ? { type: 'SUBMIT_HELD', lostUntil: recovery.begunAt } : event;
}

/** Whether the event asks for permission to send, or takes the payment for one that was never sent. */
export function isSending({ type }: PaymentEvent): boolean {
  return type === 'SUBMIT_CLAIMED' || type === 'RESUBMIT_CLAIMED' || type === 'SUBMIT_EXPIRED';
}

/**
 * The event for a wish to send a payment that its operator has made: the report says so, whatever else is said. It
 * is not sent, also when the recovery has ended; the next enquiry finds the report's word.
 */
export function alreadyPaidEvent(event: PaymentEvent, lostUntil: Date): PaymentEvent {
  if (event.type === 'SUBMIT_CLAIMED' || event.type === 'SUBMIT_EXPIRED')
    return { type: 'SUBMIT_HELD', lostUntil };
  return event.type === 'RESUBMIT_CLAIMED' ? { type: 'HINTED' } : event;
}

/** Operations at which an order that was lost and is sent again could be paid twice, and no one would know before. */
export function listBlind(
  connectors: ReadonlyMap<string, Connector>,
  connectorOf: Engine['connectorOf'],
): readonly ProviderOperation[] {
  return listProviders().flatMap(({ code: provider }) =>
    PAYMENT_KINDS.flatMap((operation) => {
      const connector = connectors.get(connectorOf(provider, operation) ?? '');
      const isBlind = connector !== undefined && certaintyOf(connector, operation) === 'BLIND';
      return isBlind ? [{ provider, operation }] : [];
    }),
  );
}

function certaintyOf(connector: Connector, kind: PaymentKind): Certainty {
  const { reference, repeatedSubmit, neverSaysNotSeen = false } = factsOf(connector, kind);
  // A reference the operator picks was lost with everything else.
  const isTold = connector.query !== undefined && reference.chosenBy === 'OURS' && !neverSaysNotSeen;
  if (isTold) return 'ASKED';
  return repeatedSubmit === 'HARMLESS' ? 'REPEATED' : 'BLIND';
}
