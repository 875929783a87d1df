// For anyone who runs the process: is it alive, should it get traffic, and how is it doing.
import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import type { Engine } from '../core/engine.ts';
import type { Metrics } from './metrics.ts';

export type HealthOptions = {
  /** True from the moment the process begins to stop. */
  readonly isStopping: () => boolean;
};

const hidden = { schema: { hide: true } };

/** They tell no one more than that, so a proxy may ask on the listener that it sends requests to. */
export function registerHealth(app: FastifyInstance, engine: Engine, options: HealthOptions): void {
  // However many ask, and without a token: it is one question to the database at a time.
  let asking: Promise<DatabaseAnswer> | null = null;
  const ask = () =>
    (asking ??= askDatabase(engine).finally(() => {
      asking = null;
    }));

  app.get('/health', hidden, async () => ({ status: 'UP' }));

  app.get('/ready', hidden, async (_request, reply) => {
    const answer = options.isStopping() ? 'STOPPING' : await ask();
    if (answer === 'AGREES') return reply.send({ status: 'READY' });
    const reason = answer === 'CLOCK_DIFFERS' ? { reason: answer } : {};
    return reply.code(503).send({ status: 'NOT_READY', ...reason });
  });
}

export function registerMetrics(app: FastifyInstance, metrics: Metrics): void {
  app.get('/metrics', hidden, async (_request, reply) => {
    const { contentType, text } = await metrics.render();
    return reply.type(contentType).send(text);
  });
}

/** A database that takes longer than this is away: a lost network gives no error, and anyone who asks will not wait. */
const ANSWERS_WITHIN_MS = 2_000;

type DatabaseAnswer = 'AGREES' | 'CLOCK_DIFFERS' | 'AWAY';

/** Its answer is its time: a process whose clock differs from that does not claim and does not send. */
async function askDatabase({ clockCheck, store }: Engine): Promise<DatabaseAnswer> {
  const answered = clockCheck.agrees(store.database).then(
    (agrees) => (agrees ? 'AGREES' : 'CLOCK_DIFFERS'),
    () => 'AWAY' as const,
  );
  return Promise.race([answered, sleep(ANSWERS_WITHIN_MS, 'AWAY' as const, { ref: false })]);
}
