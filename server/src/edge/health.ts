// For whoever runs the process: is it alive, should it get traffic, and how is it doing.
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

async function answers(database: Database): Promise<boolean> {
  try {
    await database.query('select 1');
    return true;
  } catch {
    return false;
  }
}
