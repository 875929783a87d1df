// What was stopped, held and released lately, and what looks like an attack.
import { Type } from 'typebox';
import { RISK_EVENTS } from '../../../domain/limits/risk-event.ts';
import { arrayOf, describeCalls, orNull, strict, timeSchema } from '../shape.ts';

const eventSchema = Type.Enum([...RISK_EVENTS], { type: 'string' });

export const riskEventCalls = describeCalls({
  listRiskEvents: {
    query: strict({ event: Type.Optional(eventSchema) }),
    answer: strict({
      events: arrayOf({
        eventId: Type.String(),
        cell: Type.String(),
        event: eventSchema,
        lastAt: timeSchema,
        /** How often within its minute. */
        count: Type.Integer(),
        merchantId: orNull(Type.String()),
        merchant: orNull(Type.String()),
        tokenId: orNull(Type.String()),
        /** Null if there were several, as the kind. */
        provider: orNull(Type.String()),
        kind: orNull(Type.String()),
        /** The name of a limit, the scope of a freeze, or an operator's connector. */
        subject: Type.String(),
        currency: orNull(Type.String()),
        /** Of all of them together. */
        amount: orNull(Type.String()),
      }),
      /** Cells that did not answer: their events are not shown. */
      missingCells: Type.Array(Type.String()),
    }),
  },
});
