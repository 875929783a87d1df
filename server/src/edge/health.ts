// For anyone who runs the process: is it alive, should it get traffic, and how is it doing.
import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import type { Engine } from '../core/engine.ts';
import { inTransaction, isReadOnlyServer, leaveMark } from '../store/database.ts';
import type { Metrics } from './metrics.ts';

export type HealthOptions = {
  /** True from the moment the process begins to stop. */
  readonly isStopping: () => boolean;
};

const hidden = { schema: { hide: true } };

/** They tell no one more than that, so a proxy may ask on the listener that it sends requests to. */
export function registerHealth(app: FastifyInstance, engine: Engine, options: HealthOptions): void {
  const ask = createQuestion(engine);

  app.get('/health', hidden, async () => ({ status: 'UP' }));

  app.get('/ready', hidden, async (_request, reply) => {
    const { keyAccess } = engine;
    const denied = keyAccess.problem();
    const withoutKeys = keyAccess.mayHearOperators() ? null : denied;
    const answer = options.isStopping() ? 'STOPPING' : (withoutKeys ?? (await ask()));
    if (answer === 'WRITES' && denied === null) return reply.send({ status: 'READY' });
    // Balancers go by the 200: operators must still be sent here. Others are told to come again.
    if (answer === 'WRITES') return reply.send({ status: 'OPERATORS_ONLY', reason: denied });
    const reason = answer === 'STOPPING' || answer === 'AWAY' ? {} : { reason: answer };
    return reply.code(503).send({ status: 'NOT_READY', ...reason });
  });
}

export function registerMetrics(app: FastifyInstance, metrics: Metrics): void {
  app.get('/metrics', hidden, async (_request, reply) => {
    const { contentType, text } = await metrics.render();
    return reply.type(contentType).send(text);
  });
}

/** A database that takes longer is out of reach: a lost network gives no error, and anyone who asks will not wait. */
const ANSWERS_WITHIN_MS = 2_000;

/** Each question is a commit, and anyone may ask: an answer is good for all who ask within this time. */
const ANSWER_IS_GOOD_FOR_MS = 500;

type DatabaseAnswer = 'WRITES' | 'CLOCK_DIFFERS' | 'TIME_AHEAD' | 'DATABASE_READ_ONLY' | 'AWAY';

/** One question at a time, however many ask: while the database does not answer it, no other takes a connection. */
function createQuestion(engine: Engine): () => Promise<DatabaseAnswer> {
  let asked: Promise<DatabaseAnswer> | null = null;
  const forget = () => void (asked = null);
  return () => {
    asked ??= askDatabase(engine).finally(() => void setTimeout(forget, ANSWER_IS_GOOD_FOR_MS).unref());
    return Promise.race([asked, sleep(ANSWERS_WITHIN_MS, 'AWAY' as const, { ref: false })]);
  };
}

/**
 * Writes to the log and commits, as every payment does: neither a standby nor a primary that cannot reach its standby
 * passes.
 * A process whose clock differs from the database's does not claim and does not send, nor does any while its time is
 * ahead.
 */
async function askDatabase({ clockCheck, store }: Engine): Promise<DatabaseAnswer> {
  try {
    const agrees = await inTransaction(store.database, async (tx) => {
      await leaveMark(tx);
      return clockCheck.agrees(tx);
    });
    if (agrees) return 'WRITES';
    return clockCheck.isAhead ? 'TIME_AHEAD' : 'CLOCK_DIFFERS';
  } catch (error) {
    return isReadOnlyServer(error) ? 'DATABASE_READ_ONLY' : 'AWAY';
  }
}
