// For whoever runs the process: is it alive, should it get traffic, and how is it doing.
import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import type { Database } from '../store/database.ts';
import type { Metrics } from './metrics.ts';

export type HealthOptions = {
  readonly database: Database;
  /** True from the moment the process begins to stop. */
  readonly isStopping: () => boolean;
};

const hidden = { schema: { hide: true } };

/** They tell nobody more than that, so a proxy may ask at the door that it sends requests through. */
export function registerHealth(app: FastifyInstance, options: HealthOptions): void {
  // However many ask, and without a token: it is one question to the database at a time.
  let asking: Promise<boolean> | null = null;
  const isThere = () =>
    (asking ??= answers(options.database).finally(() => {
      asking = null;
    }));

  app.get('/health', hidden, async () => ({ status: 'UP' }));

  app.get('/ready', hidden, async (_request, reply) => {
    const isReady = !options.isStopping() && (await isThere());
    return reply.code(isReady ? 200 : 503).send({ status: isReady ? 'READY' : 'NOT_READY' });
  });
}

export function registerMetrics(app: FastifyInstance, metrics: Metrics): void {
  app.get('/metrics', hidden, async (_request, reply) => {
    const { contentType, text } = await metrics.render();
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
