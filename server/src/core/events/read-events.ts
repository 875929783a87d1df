// Pages of a merchant's event feed. An event is shown as it was: a payment with the status that it got then, although
// it may have another one now.
import { isFinal } from '../../domain/payments/lifecycle.ts';
import { PAYMENT_KINDS, type PaymentState } from '../../domain/payments/payment.ts';
import { derivedUuid } from '../../store/derived-uuid.ts';
import {
  listMovementEvents,
  listStatusEvents,
  type MovementEvent,
  type StatusEvent,
  type SubjectNo,
} from '../../store/events/event-subjects.ts';
import {
  findEventHead,
  listEventsAfter,
  type EventHead,
  type NumberedEvent,
} from '../../store/events/merchant-events.ts';
import { listPaymentsByNumber, type StoredPayment } from '../../store/payments/payments.ts';
import { requireStillHere } from '../cells/cell-assignments.ts';
import type { Engine } from '../engine.ts';
import { hidePersonal } from '../payments/read/read-timeline.ts';
import { statusOfNo, type EndStatus } from '../../domain/event-status.ts';

/** Where a reader is: behind the event of this number. */
export type EventCursor = { readonly epoch: string; readonly no: number };

/** Of a merchant to whom nothing ever happened. Also good later, as long as its first event is there. */
const NO_EPOCH = 'none';

export type EventOrder = {
  readonly merchantId: string;
  /** OLDEST: the first that is kept. LATEST: only what comes from now on. */
  readonly after: EventCursor | 'OLDEST' | 'LATEST';
  readonly countMax: number;
  readonly mayReveal: boolean;
};

type Numbered = {
  /** The same whenever and however often the event is read, also with another number after a restore. */
  readonly eventId: string;
  readonly number: number;
  readonly occurredAt: Date;
};

export type MerchantEvent = Numbered &
  (
    | { readonly type: 'STATUS'; readonly payment: StoredPayment; readonly status: PaymentState }
    | { readonly type: 'MOVEMENT'; readonly movement: MovementEvent; readonly payment: StoredPayment | null }
    | { readonly type: 'END'; readonly kind: EndedKind; readonly id: string; readonly status: EndStatus }
  );

export type EndedKind = 'SPLIT_PAYMENT' | 'CHECKOUT' | 'STATEMENT';

const ENDED_KINDS = { S: 'SPLIT_PAYMENT', C: 'CHECKOUT', T: 'STATEMENT' } as const;

export type EventPage =
  | {
      readonly type: 'PAGE';
      readonly events: readonly MerchantEvent[];
      readonly next: EventCursor;
      readonly hasMore: boolean;
    }
  /** Events behind the cursor are gone, or have other numbers: RESTORED. `restart` loses none that there is. */
  | {
      readonly type: 'EXPIRED';
      readonly because: 'DELETED' | 'RESTORED';
      readonly restart: EventCursor;
    };

type FeedPart = Pick<Engine, 'store' | 'cellAssignments'>;

/** Throws MerchantInOtherCell. */
export async function readEvents(engine: FeedPart, order: EventOrder): Promise<EventPage> {
  const { merchantId, countMax } = order;
  const { database } = engine.store;
  const head = await findEventHead(database, merchantId);
  const start = startOf(head, order.after);
  if (start.type === 'EXPIRED') {
    await requireStillHere(engine.cellAssignments, merchantId);
    return start;
  }
  const { from } = start;
  // One more than asked for tells whether there is more.
  const found = await listEventsAfter(database, { merchantId, afterNo: from.no, countMax: countMax + 1 });
  const shown = found.slice(0, countMax);
  const events = await openEvents(engine, order, shown);
  // What it has may be in another cell since.
  if (events.length < shown.length || shown.length === 0)
    await requireStillHere(engine.cellAssignments, merchantId);
  if (events.length < shown.length) throw new Error('an event is about something that is not there');
  if (shown[0] !== undefined && shown[0].number !== from.no + 1)
    return { type: 'EXPIRED', because: 'DELETED', restart: { ...from, no: shown[0].number - 1 } };
  const next = { ...from, no: shown.at(-1)?.number ?? from.no };
  return { type: 'PAGE', events, next, hasMore: found.length > shown.length };
}

type Start = { readonly type: 'FROM'; readonly from: EventCursor } | (EventPage & { type: 'EXPIRED' });

function startOf(head: EventHead | null, after: EventOrder['after']): Start {
  if (head === null) {
    if (typeof after === 'string' || after.epoch === NO_EPOCH) return fromNo(NO_EPOCH, 0);
    return { type: 'EXPIRED', because: 'RESTORED', restart: { epoch: NO_EPOCH, no: 0 } };
  }
  const { epoch, lastNo, deletedNo, previousEpoch, previousNo } = head;
  if (after === 'OLDEST') return fromNo(epoch, deletedNo);
  if (after === 'LATEST') return fromNo(epoch, lastNo);
  const isKnown = after.epoch === epoch || after.epoch === NO_EPOCH;
  // More than there is: a restore that the gateway was not told of.
  if (!isKnown || after.no > lastNo) {
    const same = after.epoch === previousEpoch ? Math.min(after.no, previousNo) : deletedNo;
    return { type: 'EXPIRED', because: 'RESTORED', restart: { epoch, no: Math.max(same, deletedNo) } };
  }
  if (after.no < deletedNo) return { type: 'EXPIRED', because: 'DELETED', restart: { epoch, no: deletedNo } };
  return fromNo(epoch, after.no);
}

function fromNo(epoch: string, no: number): Start {
  return { type: 'FROM', from: { epoch, no } };
}

async function openEvents(
  { store }: FeedPart,
  { mayReveal }: EventOrder,
  events: readonly NumberedEvent[],
): Promise<readonly MerchantEvent[]> {
  const { database, keyring } = store;
  const statuses = byName(await listStatusEvents(database, events.filter(isOf('P'))));
  const movements = byName(await listMovementEvents(database, events.filter(isOf('M'))));
  const numbers = [...statuses.values(), ...[...movements.values()].filter(isOfPayment)];
  const payments = await listPaymentsByNumber(database, keyring, [
    ...new Set(numbers.map(({ subjectId }) => subjectId)),
  ]);
  const seen = payments.map((payment) => (mayReveal ? payment : hidePersonal(payment)));
  const found = { statuses, movements, payments: new Map(seen.map((one) => [one.paymentNo, one])) };
  return events.flatMap((event) => openEvent(event, found) ?? []);
}

type Found = {
  readonly statuses: ReadonlyMap<string, StatusEvent>;
  readonly movements: ReadonlyMap<string, MovementEvent>;
  readonly payments: ReadonlyMap<string, StoredPayment>;
};

/** Null where it is not there. */
function openEvent(event: NumberedEvent, found: Found): MerchantEvent | null {
  const { type, subjectId, no, number, numberedAt } = event;
  const eventId = derivedUuid(`event/${type}/${subjectId}/${no}`);
  const payment = found.payments.get(subjectId);
  switch (type) {
    case 'P': {
      const happened = found.statuses.get(nameOf(event));
      if (happened === undefined || payment === undefined) return null;
      const { occurredAt, status } = happened;
      return { type: 'STATUS', eventId, number, occurredAt, status, payment: asItWas(payment, status) };
    }
    case 'M': {
      const movement = found.movements.get(nameOf(event));
      if (movement === undefined || (isOfPayment(movement) && payment === undefined)) return null;
      const { occurredAt } = movement;
      return { type: 'MOVEMENT', eventId, number, occurredAt, movement, payment: payment ?? null };
    }
    case 'S':
    case 'C':
    case 'T':
      return {
        type: 'END',
        eventId,
        number,
        occurredAt: numberedAt,
        kind: ENDED_KINDS[type],
        id: subjectId,
        status: statusOfNo(no),
      };
  }
}

/** With what came later left out: only the status and the outcome of a payment ever change. */
function asItWas(payment: StoredPayment, state: PaymentState): StoredPayment {
  if (isFinal(state)) return { ...payment, state };
  const { failureCode: _code, providerTransactionId: _transaction, ...before } = payment;
  return { ...before, state };
}

function isOf(type: NumberedEvent['type']) {
  return (event: NumberedEvent) => event.type === type;
}

export function isOfPayment({ subjectKind }: Pick<MovementEvent, 'subjectKind'>): boolean {
  return PAYMENT_KINDS.some((kind) => kind === subjectKind);
}

function byName<One extends SubjectNo>(all: readonly One[]): ReadonlyMap<string, One> {
  return new Map(all.map((one) => [nameOf(one), one]));
}

function nameOf({ subjectId, no }: SubjectNo): string {
  return `${subjectId}/${no}`;
}
