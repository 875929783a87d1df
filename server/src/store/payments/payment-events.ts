// What happened to a payment, in order. Appended only; evidence is encrypted. What changes its status is an event of
// the merchant's feed too.
import type { Payment, PaymentKey } from '../../domain/payments/payment.ts';
import { columns, type Row } from '../columns.ts';
import type { Tx } from '../database.ts';
import { queuedValues, queuedWith } from '../events/event-queue.ts';
import { PAYMENT_NO, unnested, valuesOf } from '../rows.ts';
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

const inserted = columns({ paymentNo: 'uuid', ...events.defs }).cells;
const INSERT = `${queuedWith('P', inserted.length + 1)}
  insert into payment_events (${inserted.map(([name]) => name).join(', ')}) select * from ${unnested(inserted)}`;

export async function insertPaymentEvents(
  tx: Tx,
  keyring: Keyring,
  happened: readonly NewEvent[],
): Promise<void> {
  if (happened.length === 0) return;
  const rows = happened.map((event) => ({
    ...event,
    paymentNo: event.key.paymentNo,
    encryptedEvidence: encryptEvidence(keyring, event),
  }));
  const queued = happened
    .filter(({ fromState, toState }) => fromState !== toState)
    .map(({ key, eventNo: no }) => ({ merchantId: key.merchantId, subjectId: key.paymentNo, no }));
  await tx.query(INSERT, [...valuesOf(inserted, rows), ...queuedValues(queued)]);
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
