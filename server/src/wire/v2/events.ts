// The event feed: the query, and a page. An addition to the specification.
import { Type, type Static } from 'typebox';
import { isUuid } from '../../domain/identifier.ts';
import { renderAmount, type Amount } from '../../domain/money.ts';
import type { OperationKey } from '../../domain/payments/payment.ts';
import { parseCursor, renderCursor } from '../cursor.ts';
import { findFault, invalidFault, type Parsed } from '../fault.ts';
import { countryCodeSchema, currencyCodeSchema } from './amount.ts';
import { failureSchema, MEANINGS } from './failure.ts';
import { exampleIdentifier } from './identifier.ts';
import { depositIdSchema } from './payments/deposit.ts';
import { depositRecordSchema } from './payments/deposit-record.ts';
import { payoutRecordSchema } from './payments/payout-record.ts';
import { refundRecordSchema } from './payments/refund-record.ts';
import { listedRemittanceSchema } from './payments/remittance-record.ts';
import { renderTimestamp, timestampSchema } from './timestamp.ts';

const COUNT_USUAL = 50;
const LATEST = 'latest';

export const eventsQuerySchema = Type.Object(
  {
    after: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 200,
        description:
          'Only events after this cursor: `next` of the page before. Left out: from the oldest event that is kept. ' +
          '`latest`: only events from now on.',
      }),
    ),
    limit: Type.Optional(
      Type.String({
        pattern: '^([1-9][0-9]?|100)$',
        default: String(COUNT_USUAL),
        description: 'How many events a page has at most: 1 to 100.',
        examples: ['50'],
      }),
    ),
    wait: Type.Optional(
      Type.String({
        pattern: '^(1?[0-9]|2[0-5])$',
        default: '0',
        description: 'How many seconds the answer may wait for an event where there is none yet: 0 to 25.',
        examples: ['20'],
      }),
    ),
  },
  { additionalProperties: false },
);

/** Which events a reader has seen. Its parts are ours: readers repeat it as it is. */
export type WireCursor = { readonly epoch: string; readonly no: number };

export type EventsQuery = {
  readonly after: WireCursor | 'OLDEST' | 'LATEST';
  readonly countMax: number;
  readonly waitMs: number;
};

export function parseEventsQuery(query: unknown): Parsed<EventsQuery> {
  const fault = findFault(eventsQuerySchema, query);
  if (fault !== null) return { type: 'FAULT', fault };
  const { after, limit = COUNT_USUAL, wait = 0 } = query as Static<typeof eventsQuerySchema>;
  const cursor = after === undefined ? 'OLDEST' : after === LATEST ? 'LATEST' : readCursor(after);
  if (cursor === null)
    return { type: 'FAULT', fault: invalidFault('after', 'it is not a cursor of the event feed') };
  return {
    type: 'PARSED',
    request: { after: cursor, countMax: Number(limit), waitMs: Number(wait) * 1_000 },
  };
}

/** So that the cursor of a list is not taken for one of the feed. */
const OF_EVENTS = 'EVENTS';
const NO_EPOCH = 'none';

function readCursor(text: string): WireCursor | null {
  const [of, epoch = '', no = ''] = parseCursor(text, 3) ?? [];
  if (of !== OF_EVENTS || !(epoch === NO_EPOCH || isUuid(epoch)) || !/^(0|[1-9][0-9]{0,14})$/.test(no))
    return null;
  return { epoch, no: Number(no) };
}

function renderEventCursor({ epoch, no }: WireCursor): string {
  return renderCursor([OF_EVENTS, epoch, String(no)]);
}

const KINDS = [
  'DEPOSIT',
  'PAYOUT',
  'REFUND',
  'REMITTANCE',
  'SPLIT_PAYMENT',
  'CHECKOUT',
  'STATEMENT',
] as const satisfies readonly OperationKey['kind'][];

const STATUSES = [
  'ACCEPTED',
  'ENQUEUED',
  'PROCESSING',
  'IN_RECONCILIATION',
  'COMPLETED',
  'FAILED',
  'PAYOUT_FAILED',
  'EXPIRED',
  'CANCELLED',
] as const;

const signedAmountSchema = Type.String({
  pattern: '^-?(0|[1-9][0-9]*)([.][0-9]+)?$',
  description: 'What the wallet gained, with fees taken off. Negative where the wallet paid.',
  examples: ['980', '-1020'],
});

const movementSchema = Type.Object(
  {
    type: Type.String({
      description:
        'What moved the wallet: a kind of payment, or TOP_UP, SETTLEMENT, ADJUSTMENT and others, as in statements.',
      examples: ['DEPOSIT'],
    }),
    amount: signedAmountSchema,
    currency: currencyCodeSchema('The currency of the wallet: ISO 4217.'),
    country: countryCodeSchema('The country of the wallet: ISO 3166-1 alpha-3.'),
    provider: Type.String({
      description: 'Empty when the wallet serves all providers of the country; otherwise its provider.',
      examples: [''],
    }),
  },
  { description: 'Only of type MOVEMENT. The movements of a wallet add up to what it holds.' },
);

const CURSOR = renderEventCursor({ epoch: '5c0f93de-4b1a-4e6d-9f03-2a7c18e4d5b6', no: 43 });

const RECORD = 'as it was then. Without the scope personal-data:read, personal data is masked.';

export const eventSchema = Type.Object(
  {
    eventId: Type.String({
      description: 'The same each time the event is read: ignore those that you have processed.',
      examples: ['0b6f3a52-9c1d-5e84-a7f0-3d2c6b8e1f49'],
    }),
    number: Type.Integer({
      minimum: 1,
      description: 'The number of the event in your feed: one more than that of the event before it.',
      examples: [43],
    }),
    type: Type.Enum(['STATUS', 'MOVEMENT'], {
      type: 'string',
      description:
        'STATUS: something got a new status. MOVEMENT: money came into a wallet, or left it. Ignore types that are ' +
        'added later.',
    }),
    occurredAt: timestampSchema('When it happened.'),
    kind: Type.Optional(
      Type.Enum([...KINDS], {
        type: 'string',
        description: 'What it is about. Left out where it is no payment.',
      }),
    ),
    id: Type.Optional(
      Type.String({
        description: 'The identifier of what it is about, as you wrote it.',
        examples: [exampleIdentifier(depositIdSchema)],
      }),
    ),
    status: Type.Optional(
      Type.Enum([...STATUSES], { type: 'string', description: 'Only of type STATUS: the new status.' }),
    ),
    deposit: Type.Optional(depositRecordSchema),
    payout: Type.Optional(payoutRecordSchema),
    refund: Type.Optional(refundRecordSchema),
    remittance: Type.Optional(listedRemittanceSchema),
    movement: Type.Optional(movementSchema),
  },
  { title: 'Event', description: `Of type STATUS, a payment has its record, ${RECORD}` },
);

export const eventPageSchema = Type.Object(
  {
    data: Type.Array(eventSchema, { description: 'The events, the oldest first.' }),
    next: Type.String({
      description:
        'Where the next page begins. Store it when you have processed this page; it is always there.',
      examples: [CURSOR],
    }),
    hasMore: Type.Boolean({ description: 'Whether there are more events now.' }),
  },
  { title: 'EventPage', description: 'A page of events.' },
);

export const expiredCursorSchema = Type.Object(
  {
    ...failureSchema(410).properties,
    restartAfter: Type.String({
      description: 'The cursor to continue with. No available event is missed; some may be repeated.',
      examples: [CURSOR],
    }),
  },
  { description: MEANINGS[410] ?? '' },
);

export type RenderedEvent = Static<typeof eventSchema>;

/** What is known of a wallet's movement. */
export type WireMovement = {
  readonly type: string;
  readonly net: Amount;
  readonly currency: string;
  readonly country: string;
  readonly provider: string;
};

export function renderMovement({ type, net, currency, country, provider }: WireMovement) {
  return { type, amount: renderAmount(net), currency, country, provider };
}

export function renderEvent<Parts extends object>(
  event: { readonly eventId: string; readonly number: number; readonly occurredAt: Date },
  parts: Parts & { readonly type: 'STATUS' | 'MOVEMENT' },
) {
  const { eventId, number, occurredAt } = event;
  return { eventId, number, occurredAt: renderTimestamp(occurredAt), ...parts };
}

export function renderEventPage<Event>(
  events: readonly Event[],
  { next, hasMore }: { readonly next: WireCursor; readonly hasMore: boolean },
) {
  return { data: events, next: renderEventCursor(next), hasMore };
}

export function renderRestart(restart: WireCursor): string {
  return renderEventCursor(restart);
}
