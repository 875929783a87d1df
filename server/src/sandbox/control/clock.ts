// The sandbox's clock: read, and moved forward.
import type { FastifyInstance } from 'fastify';
import type { Engine } from '../../core/engine.ts';
import { clockMoveSchema, clockSchema, parseClockMove, renderClock } from './wire/clock.ts';
import { readJson } from '../../edge/request.ts';
import { requestFailure } from '../../edge/request-failure.ts';
import { failures, requireRead } from './answer.ts';
import type { SandboxControls } from './controls.ts';

export function registerClock(app: FastifyInstance, engine: Engine, clock: SandboxControls['clock']): void {
  app.get(
    '/sandbox/clock',
    {
      schema: {
        operationId: 'getClock',
        tags: ['sandbox'],
        summary: 'Read the clock',
        description: 'The time that deadlines, callbacks and the operator go by.',
        response: { 200: clockSchema, ...failures([401, 500]) },
      },
    },
    async () => renderClock(await engine.clock.timeOf(engine.store.database)),
  );

  app.post(
    '/sandbox/clock',
    {
      schema: {
        operationId: 'moveClock',
        tags: ['sandbox'],
        summary: 'Move the clock forward',
        description: 'What falls due by it is done at once. A sandbox that runs on real time answers 404.',
        body: clockMoveSchema,
        response: { 200: clockSchema, ...failures([400, 401, 404, 500]) },
      },
    },
    async (request) => {
      const { forwardSeconds } = requireRead(parseClockMove(readJson(request)));
      if (clock === null)
        throw requestFailure('ROUTE_NOT_FOUND', { cause: 'the clock of this sandbox cannot be moved' });
      await clock.move(forwardSeconds * 1_000);
      engine.wake();
      return renderClock(await engine.clock.timeOf(engine.store.database));
    },
  );
}
