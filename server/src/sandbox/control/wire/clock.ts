// The sandbox's clock: its time, and how far to move it.
import { Type, type Static } from 'typebox';
import { findFault, type Parsed } from '../../../wire/fault.ts';
import { renderTimestamp, timestampSchema } from '../../../wire/v2/timestamp.ts';
import { countSchema, listCountFaults } from '../../../wire/count.ts';

/** One year: longer than every deadline of a payment. */
const COUNTS = { forwardSeconds: { min: 1, max: 31_622_400 } };

export const clockMoveSchema = Type.Object(
  {
    forwardSeconds: countSchema(
      COUNTS.forwardSeconds,
      'How far to move the clock. It never goes back, and moves for everybody: gateway and operator.',
    ),
  },
  { additionalProperties: false, title: 'ClockMove' },
);

export const clockSchema = Type.Object(
  { now: timestampSchema('The time of the sandbox.') },
  { title: 'Clock' },
);

export function parseClockMove(body: unknown): Parsed<Static<typeof clockMoveSchema>> {
  const fault = findFault(clockMoveSchema, body, listCountFaults(body, COUNTS));
  if (fault !== null) return { type: 'FAULT', fault };
  return { type: 'PARSED', request: body as Static<typeof clockMoveSchema> };
}

export function renderClock(now: Date): Static<typeof clockSchema> {
  return { now: renderTimestamp(now) };
}
