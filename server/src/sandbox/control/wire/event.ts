// Events in the sandbox, for developers who watch: statuses of payments and deliveries of callbacks.
import { Type, type Static } from 'typebox';
import { PAYMENT_KINDS } from '../../../domain/payments/payment.ts';
import { findFault, invalidFault, type Fault, type Parsed } from '../../../wire/fault.ts';
import { valueAt } from '../../../wire/json.ts';
import { renderTimestamp, timestampSchema } from '../../../wire/v2/timestamp.ts';

const cursorSchema = Type.String({ maxLength: 40, description: 'Hand it in as `after` the next time.' });

export const eventQuerySchema = Type.Object(
  { after: Type.Optional(Type.String({ maxLength: 40, description: 'The cursor of an earlier answer.' })) },
  { additionalProperties: false },
);

const eventSchema = Type.Object({
  at: timestampSchema('When it happened, by the clock of the sandbox.'),
  type: Type.Enum(['PAYMENT', 'DELIVERY'], {
    type: 'string',
    description: 'PAYMENT: a payment changed. DELIVERY: an attempt at a callback.',
  }),
  eventId: Type.String({ description: 'Equal for the same event in several answers.' }),
  kind: Type.Enum(PAYMENT_KINDS, { type: 'string', description: 'What kind of payment it is about.' }),
  paymentId: Type.String({ description: 'The identifier of the payment.' }),
  status: Type.String({
    description: 'The state of the payment; of a delivery the HTTP status, or why there was no answer.',
  }),
  detail: Type.Optional(Type.String({ description: 'What led to it.' })),
});

export const eventsSchema = Type.Object(
  { events: Type.Array(eventSchema), cursor: cursorSchema },
  {
    title: 'SandboxEvents',
    description: 'The oldest first. Answers overlap: an event may be in two of them.',
  },
);

export type SandboxEvent = Omit<Static<typeof eventSchema>, 'at'> & { readonly at: Date };

/** Null: from now on. */
export function parseEventQuery(query: unknown): Parsed<{ readonly after: Date | null }> {
  const fault = findFault(eventQuerySchema, query, listCursorFaults(query));
  if (fault !== null) return { type: 'FAULT', fault };
  const { after } = query as Static<typeof eventQuerySchema>;
  return { type: 'PARSED', request: { after: after === undefined ? null : new Date(after) } };
}

function listCursorFaults(query: unknown): readonly Fault[] {
  const after = valueAt(query, 'after');
  if (typeof after !== 'string' || !Number.isNaN(Date.parse(after))) return [];
  return [invalidFault('after', 'it is no cursor')];
}

export function renderEvents(events: readonly SandboxEvent[], cursor: Date): Static<typeof eventsSchema> {
  return {
    events: events.map((event) => ({ ...event, at: renderTimestamp(event.at) })),
    cursor: cursor.toISOString(),
  };
}
