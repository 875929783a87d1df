// The phones of payers: which prompts are open, and how one is answered.
import type { FastifyInstance } from 'fastify';
import type { SimulatorControl } from '../simulator/control-client.ts';
import {
  parsePromptAnswer,
  promptAnswerSchema,
  promptPathSchema,
  promptSchema,
  promptsSchema,
  renderPrompt,
} from './wire/prompt.ts';
import { readJson } from '../../edge/request.ts';
import { failures, requireDone, requireRead, requireSimulator } from './answer.ts';

export function registerPrompts(app: FastifyInstance, simulator: SimulatorControl | null): void {
  app.get(
    '/sandbox/prompts',
    {
      schema: {
        operationId: 'listPrompts',
        tags: ['sandbox'],
        summary: 'List the open prompts',
        description:
          'The deposits that wait for their payer. Most payers approve by themselves after a moment; a deposit under ' +
          'the script AWAIT_PROMPT waits until its prompt is answered.',
        response: { 200: promptsSchema, ...failures([401, 404, 500, 503]) },
      },
    },
    async () => {
      const answer = await requireSimulator(simulator).listPrompts();
      return requireDone(answer, 'the simulator was started without its control interface').map(renderPrompt);
    },
  );

  app.post(
    '/sandbox/prompts/:promptId',
    {
      schema: {
        operationId: 'answerPrompt',
        tags: ['sandbox'],
        summary: 'Answer a prompt',
        description: 'As the payer: approve or decline. A prompt that is not open is answered 404.',
        params: promptPathSchema,
        body: promptAnswerSchema,
        response: { 200: promptSchema, ...failures([400, 401, 404, 500, 503]) },
      },
    },
    async (request) => {
      const { promptId } = request.params as { readonly promptId: string };
      const decided = requireRead(parsePromptAnswer(readJson(request)));
      const answer = await requireSimulator(simulator).answerPrompt(promptId, decided);
      return renderPrompt(requireDone(answer, 'no prompt of this name is open'));
    },
  );
}
