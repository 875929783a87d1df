// The sandbox's control API: causes outcomes that no test phone number can cause. It is not registered in production.
// Any token of the sandbox may use it, and its changes affect all accounts.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Engine } from '../../core/engine.ts';
import { renderFailure } from '../../wire/v2/failure.ts';
import { failureOf } from '../../edge/failure.ts';
import { requireToken } from '../../edge/request.ts';
import { registerAvailability } from './availability.ts';
import { registerCallbackUrl } from './callback-url.ts';
import { registerClock } from './clock.ts';
import type { SandboxControls } from './controls.ts';
import { registerEvents } from './events.ts';
import { registerOperators } from './operators.ts';
import { registerPrompts } from './prompts.ts';
import { registerPublicKeys } from './public-keys.ts';
import { registerScripts } from './scripts.ts';
import { registerSignatures } from './signatures.ts';

export async function registerSandbox(
  app: FastifyInstance,
  engine: Engine,
  controls: SandboxControls,
): Promise<void> {
  await app.register(async (sandbox) => {
    sandbox.setErrorHandler(answerFailure);
    sandbox.addHook('onRequest', async (request) => void (await requireToken(engine, request)));
    registerAvailability(sandbox, engine);
    registerScripts(sandbox, controls.simulator);
    registerPrompts(sandbox, controls.simulator);
    registerPublicKeys(sandbox, engine);
    registerSignatures(sandbox, engine);
    registerCallbackUrl(sandbox, engine);
    registerEvents(sandbox, engine);
    registerOperators(sandbox, engine, controls.fakeUrls);
    registerClock(sandbox, engine, controls.clock);
  });
}

async function answerFailure(error: unknown, request: FastifyRequest, reply: FastifyReply): Promise<void> {
  const { httpStatus, reason, headers } = failureOf(error, request);
  await reply.code(httpStatus).headers(headers).send(renderFailure(httpStatus, reason));
}
