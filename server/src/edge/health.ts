// For whoever runs the process: is it alive, should it get traffic, and how is it doing.
import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import type { Database } from '../store/database.ts';
import type { Metrics } from './metrics.ts';

export type HealthOptions = {
  readonly database: Database;
  readonly metrics: Metrics;
  /** True from the moment the process begins to stop. */
  readonly isStopping: () => boolean;
};

export function registerHealth(app: FastifyInstance, options: HealthOptions): void {
  const hidden = { schema: { hide: true } };

  app.get('/health', hidden, async () => ({ status: 'UP' }));

  app.get('/ready', hidden, async (_request, reply) => {
    const isReady = !options.isStopping() && (await answers(options.database));
    return reply.code(isReady ? 200 : 503).send({ status: isReady ? 'READY' : 'NOT_READY' });
  });

  app.get('/metrics', hidden, async (_request, reply) => {
    const { contentType, text } = await options.metrics.render();
    return reply.type(contentType).send(text);
  });
}

/** A database that takes longer than this is away: a lost network gives no error, and whoever asks will not wait. */
const ANSWERS_WITHIN_MS = 2_000;

async function answers(database: Database): Promise<boolean> {
  const answered = database.query('select 1').then(
    () => true,
    () => false,
  );
  return Promise.race([answered, sleep(ANSWERS_WITHIN_MS, false, { ref: false })]);
}
