// Scripts for the simulator: the outcome of the next payments of a phone number.
import type { FastifyInstance } from 'fastify';
import type { SimulatorControl } from '../simulator/control-client.ts';
import {
  parseScriptRequest,
  renderScript,
  scriptPathSchema,
  scriptRequestSchema,
  scriptSchema,
  scriptsRemovedSchema,
  scriptsSchema,
} from './wire/script.ts';
import { readJson } from '../../edge/request.ts';
import { failures, requireDone, requireRead, requireSimulator } from './answer.ts';

const NO_CONTROL = 'the simulator was started without its control interface';

export function registerScripts(app: FastifyInstance, simulator: SimulatorControl | null): void {
  app.post(
    '/sandbox/scripts',
    {
      schema: {
        operationId: 'addScript',
        tags: ['sandbox'],
        summary: 'Script the outcome for a phone number',
        description:
          'The next payments of the phone number play the scenario instead of its usual outcome. Scripts ' +
          'of one number are played in the order they were added.',
        body: scriptRequestSchema,
        response: { 200: scriptSchema, ...failures([400, 401, 404, 500, 503]) },
      },
    },
    async (request) => {
      const script = requireRead(parseScriptRequest(readJson(request)));
      return renderScript(requireDone(await requireSimulator(simulator).addScript(script), NO_CONTROL));
    },
  );

  app.get(
    '/sandbox/scripts',
    {
      schema: {
        operationId: 'listScripts',
        tags: ['sandbox'],
        summary: 'List the scripts that are still to be played',
        description: 'A script that was played to its end is no longer listed.',
        response: { 200: scriptsSchema, ...failures([401, 404, 500, 503]) },
      },
    },
    async () => requireDone(await requireSimulator(simulator).listScripts(), NO_CONTROL).map(renderScript),
  );

  app.delete(
    '/sandbox/scripts',
    {
      schema: {
        operationId: 'clearScripts',
        tags: ['sandbox'],
        summary: 'Clear all scripts',
        description: 'Payments in progress are not changed by it.',
        response: { 200: scriptsRemovedSchema, ...failures([401, 404, 500, 503]) },
      },
    },
    async () => requireDone(await requireSimulator(simulator).removeScripts(), NO_CONTROL),
  );

  app.delete(
    '/sandbox/scripts/:scriptId',
    {
      schema: {
        operationId: 'clearScript',
        tags: ['sandbox'],
        summary: 'Clear one script',
        description: 'A script that has ended or does not exist is answered 404.',
        params: scriptPathSchema,
        response: { 200: scriptsRemovedSchema, ...failures([401, 404, 500, 503]) },
      },
    },
    async (request) => {
      const { scriptId } = request.params as { readonly scriptId: string };
      const answer = await requireSimulator(simulator).removeScripts(scriptId);
      return requireDone(answer, 'no script of this name waits to be played');
    },
  );
}
