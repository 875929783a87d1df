// Events of an account's payments, for developers who watch. In production the dashboard shows them.
import type { FastifyInstance } from 'fastify';
import type { Engine } from '../../core/engine.ts';
import { listRecentEvents } from '../../store/payments/recent-events.ts';
import { eventQuerySchema, eventsSchema, parseEventQuery, renderEvents } from './wire/event.ts';
import { requireToken } from '../../edge/request.ts';
import { failures, requireRead } from './answer.ts';

/** A person cannot follow more payments than this at a time. */
const PAYMENTS_MAX = 100;

/** An event may be committed this long after its timestamp. */
const OVERLAP_MS = 2_000;

export function registerEvents(app: FastifyInstance, engine: Engine): void {
  app.get(
    '/sandbox/events',
    {
      schema: {
        operationId: 'listEvents',
        tags: ['sandbox'],
        summary: 'Watch payments and callbacks',
        description:
          `What happened to the newest ${PAYMENTS_MAX} payments of your own account after a moment. ` +
          'Without `after` the answer has only the cursor to begin with.',
        querystring: eventQuerySchema,
        response: { 200: eventsSchema, ...failures([400, 401, 500]) },
      },
    },
    async (request) => {
      const { merchantId } = (await requireToken(engine, request)).merchant;
      const { after } = requireRead(parseEventQuery(request.query));
      const now = await engine.clock.timeOf(engine.store.database);
      if (after === null) return renderEvents([], now);
      const since = new Date(after.getTime() - OVERLAP_MS);
      const query = { merchantId, after: since, paymentsMax: PAYMENTS_MAX };
      const events = await listRecentEvents(engine.store.database, query);
      return renderEvents(
        events.map(({ detail, ...event }) => (detail === null ? event : { ...event, detail })),
        now,
      );
    },
  );
}
