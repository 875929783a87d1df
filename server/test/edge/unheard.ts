// Requests that are not heard and may be sent again: of a token that asks too fast, and at a process that stops.
import type { InjectOptions, LightMyRequestResponse } from 'fastify';
import { pino } from 'pino';
import { expect } from 'vitest';
import type { Engine } from '../../src/core/engine.ts';
import { createRateLimiter } from '../../src/core/access/rate-limit.ts';
import { createMetrics } from '../../src/edge/metrics.ts';
import { createLook } from '../../src/edge/pages/look/look.ts';
import { createServer } from '../../src/edge/server.ts';
import type { Answer, TestGateway } from '../gateway.ts';

export type Asked = { readonly method: string; readonly path: string; readonly body: unknown };

/** Asks twice, of a process that hears a token once a second: at least one of the two is not heard. */
export async function askTooFast(gateway: TestGateway, asked: Asked): Promise<Answer> {
  const server = await impatient.of(gateway);
  const first = await server.inject(requestOf(gateway, asked));
  const second = await server.inject(requestOf(gateway, asked));
  return answerOf(first.statusCode === 429 ? first : second);
}

/** Asks a process that has begun to stop. */
export async function askStopping(gateway: TestGateway, asked: Asked): Promise<Answer> {
  const server = await stopping.of(gateway);
  return answerOf(await server.inject(requestOf(gateway, asked)));
}

const stopping = onePerGateway(({ engine }) => createSilent(engine, { isStopping: () => true }));

const impatient = onePerGateway(({ engine }) => {
  const rateLimiter = createRateLimiter(engine.clock, { perSecond: 1, burst: 1 });
  return createSilent({ ...engine, rateLimiter }, { isStopping: () => false });
});

/** They listen nowhere, so there is nothing to close. */
function onePerGateway<Made>(make: (gateway: TestGateway) => Made) {
  const made = new WeakMap<TestGateway, Made>();
  const of = (gateway: TestGateway): Made => {
    const known = made.get(gateway) ?? make(gateway);
    made.set(gateway, known);
    return known;
  };
  return { of };
}

function createSilent(engine: Engine, { isStopping }: { readonly isStopping: () => boolean }) {
  return createServer(engine, {
    metrics: createMetrics(),
    logger: pino({ level: 'silent' }),
    isStopping,
    sandbox: null,
    look: createLook({ name: 'Test', colour: '#00594f', mark: null }),
    console: null,
  });
}

function requestOf({ apiToken }: TestGateway, { method, path, body }: Asked): InjectOptions {
  const headers = { authorization: `Bearer ${apiToken}`, 'content-type': 'application/json' };
  const payload = body === undefined ? {} : { payload: JSON.stringify(body) };
  return { method, url: path, headers, ...payload };
}

/** Anyone who is not heard is told when to come again. */
function answerOf(answer: LightMyRequestResponse): Answer {
  expect(answer.headers['retry-after']).toBe('1');
  return { status: answer.statusCode, body: answer.json() };
}
