// What happened to a payment, in order. Appended only; evidence is encrypted.
import type { Payment, PaymentKey } from '../../domain/payments/payment.ts';
import { columns, type Row } from '../columns.ts';
import type { Tx } from '../database.ts';
import { PAYMENT_NO, rowInserter } from '../rows.ts';
import type { Keyring } from '../encryption/encryption.ts';

const events = columns({
  eventNo: 'int',
  occurredAt: 'timestamptz',
  event: 'text',
  fromState: 'payment_state null',
  toState: 'payment_state',
  detail: 'text?',
  encryptedEvidence: 'bytea?',
});

export type EventRecord = Omit<Row<typeof events>, 'detail' | 'encryptedEvidence'> & {
  readonly key: PaymentKey;
  readonly detail?: string | undefined;
  readonly evidence?: string | undefined;
};

export type NewEvent = EventRecord & { readonly key: Pick<Payment, keyof PaymentKey> };

const insertEncrypted = rowInserter('payment_events', columns({ paymentNo: 'uuid', ...events.defs }).cells);

export async function insertPaymentEvents(
  tx: Tx,
  keyring: Keyring,
  happened: readonly NewEvent[],
): Promise<void> {
  await insertEncrypted(
    tx,
    happened.map((event) => ({
      ...event,
      paymentNo: event.key.paymentNo,
      encryptedEvidence: encryptEvidence(keyring, event),
    })),
  );
}

/** Everything that happened to a payment, in order, with the evidence. The merchant's data key must be loaded. */
export async function listPaymentEvents(
  tx: Tx,
  keyring: Keyring,
  key: PaymentKey,
): Promise<readonly EventRecord[]> {
  const rows = await events.select(
    tx,
    `from payment_events where payment_no = ${PAYMENT_NO} order by event_no`,
    [key.merchantId, key.kind, key.paymentId],
  );
  return rows.map(({ encryptedEvidence: encrypted, ...event }) => ({
    ...event,
    key,
    evidence:
      encrypted === undefined ? undefined : keyring.openText(identityOf({ ...event, key }), encrypted),
  }));
}

function encryptEvidence(keyring: Keyring, event: EventRecord): Buffer | undefined {
  return event.evidence === undefined ? undefined : keyring.encrypt(identityOf(event), event.evidence);
}

function identityOf({ key, eventNo }: Pick<EventRecord, 'key' | 'eventNo'>) {
  const row = `payment_events/${key.kind}/${key.paymentId}/${eventNo}`;
  return { merchantId: key.merchantId, row };
}
