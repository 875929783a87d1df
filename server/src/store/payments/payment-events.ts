// What happened to a payment, in order. Appended only; evidence is encrypted.
import type { PaymentKey, PaymentState } from '../../domain/payments/payment.ts';
import type { Tx } from '../database.ts';
import { rowInserter } from '../rows.ts';
import type { Keyring } from '../encryption/encryption.ts';

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

type EncryptedEvent = EventRecord & { readonly encryptedEvidence: Buffer | null };

const insertEncrypted = rowInserter<EncryptedEvent>('payment_events', [
  ['merchant_id', 'uuid', (event) => event.key.merchantId],
  ['kind', 'payment_kind', (event) => event.key.kind],
  ['payment_id', 'uuid', (event) => event.key.paymentId],
  ['event_no', 'int', (event) => event.eventNo],
  ['occurred_at', 'timestamptz', (event) => event.occurredAt],
  ['event', 'text', (event) => event.event],
  ['from_state', 'payment_state', (event) => event.fromState],
  ['to_state', 'payment_state', (event) => event.toState],
  ['detail', 'text', (event) => event.detail ?? null],
  ['encrypted_evidence', 'bytea', (event) => event.encryptedEvidence],
]);

export async function insertPaymentEvents(
  tx: Tx,
  keyring: Keyring,
  events: readonly EventRecord[],
): Promise<void> {
  await insertEncrypted(
    tx,
    events.map((event) => ({ ...event, encryptedEvidence: encryptEvidence(keyring, event) })),
  );
}

/** Everything that happened to a payment, in order, with the evidence. The merchant's data key must be loaded. */
export async function listPaymentEvents(
  tx: Tx,
  keyring: Keyring,
  key: PaymentKey,
): Promise<readonly EventRecord[]> {
  const { rows } = await tx.query<{
    event_no: number;
    occurred_at: Date;
    event: string;
    from_state: PaymentState | null;
    to_state: PaymentState;
    detail: string | null;
    encrypted_evidence: Buffer | null;
  }>(
    `select event_no, occurred_at, event, from_state, to_state, detail, encrypted_evidence from payment_events
     where merchant_id = $1 and kind = $2 and payment_id = $3 order by event_no`,
    [key.merchantId, key.kind, key.paymentId],
  );
  return rows.map((row) => ({
    key,
    eventNo: row.event_no,
    occurredAt: row.occurred_at,
    event: row.event,
    fromState: row.from_state,
    toState: row.to_state,
    detail: row.detail ?? undefined,
    evidence:
      row.encrypted_evidence === null
        ? undefined
        : keyring.open(identityOf({ key, eventNo: row.event_no }), row.encrypted_evidence).toString(),
  }));
}

function encryptEvidence(keyring: Keyring, event: EventRecord): Buffer | null {
  return event.evidence === undefined ? null : keyring.encrypt(identityOf(event), event.evidence);
}

function identityOf({ key, eventNo }: Pick<EventRecord, 'key' | 'eventNo'>) {
  const row = `payment_events/${key.kind}/${key.paymentId}/${eventNo}`;
  return { merchantId: key.merchantId, row };
}
