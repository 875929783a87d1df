// What happened to a payment, in order. Appended only; evidence is sealed.
import type { PaymentKey, PaymentState } from '../domain/payment.ts';
import type { Tx } from './database.ts';
import { rowInserter } from './rows.ts';
import type { Keyring } from './sealing.ts';

export type EventRecord = {
  readonly key: PaymentKey;
  readonly eventNo: number;
  readonly occurredAt: Date;
  readonly event: string;
  readonly fromState: PaymentState | null;
  readonly toState: PaymentState;
  readonly detail?: string | undefined;
  readonly evidence?: string | undefined;
};

type SealedEvent = EventRecord & { readonly sealedEvidence: Buffer | null };

const insertSealed = rowInserter<SealedEvent>('payment_events', [
  ['merchant_id', 'uuid', (event) => event.key.merchantId],
  ['kind', 'payment_kind', (event) => event.key.kind],
  ['payment_id', 'uuid', (event) => event.key.paymentId],
  ['event_no', 'int', (event) => event.eventNo],
  ['occurred_at', 'timestamptz', (event) => event.occurredAt],
  ['event', 'text', (event) => event.event],
  ['from_state', 'payment_state', (event) => event.fromState],
  ['to_state', 'payment_state', (event) => event.toState],
  ['detail', 'text', (event) => event.detail ?? null],
  ['sealed_evidence', 'bytea', (event) => event.sealedEvidence],
]);

export async function insertPaymentEvents(
  tx: Tx,
  keyring: Keyring,
  events: readonly EventRecord[],
): Promise<void> {
  await insertSealed(
    tx,
    events.map((event) => ({ ...event, sealedEvidence: sealEvidence(keyring, event) })),
  );
}

function sealEvidence(keyring: Keyring, event: EventRecord): Buffer | null {
  if (event.evidence === undefined) return null;
  return keyring.seal(identityOf(event), event.evidence);
}

type EventName = Pick<EventRecord, 'key' | 'eventNo'>;

/** What the operator said; the merchant's data key must be loaded. */
export function openEvidence(keyring: Keyring, event: EventName, sealedEvidence: Buffer): string {
  return keyring.open(identityOf(event), sealedEvidence).toString();
}

function identityOf({ key, eventNo }: EventName) {
  return { merchantId: key.merchantId, row: `payment_events/${key.kind}/${key.paymentId}/${eventNo}` };
}
