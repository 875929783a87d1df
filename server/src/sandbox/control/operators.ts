// Lists which connector handles which provider.
import type { FastifyInstance } from 'fastify';
import type { Engine } from '../../core/engine.ts';
import { listProviders } from '../../domain/operators/catalogue.ts';
import { PAYMENT_KINDS } from '../../domain/payments/payment.ts';
import { operatorsSchema, renderOperators } from './wire/operator.ts';
import { failures } from './answer.ts';
import type { SandboxControls } from './controls.ts';

export function registerOperators(
  app: FastifyInstance,
  engine: Engine,
  fakeUrls: SandboxControls['fakeUrls'],
): void {
  app.get(
    '/sandbox/operators',
    {
      schema: {
        operationId: 'listOperators',
        tags: ['sandbox'],
        summary: 'List connectors and their providers',
        description: 'Every connector in use, the providers it carries, and what it can do for each of them.',
        response: { 200: operatorsSchema, ...failures([401, 500]) },
      },
    },
    async () => renderOperators(listCarried(engine), fakeUrls),
  );
}

function listCarried(engine: Engine) {
  return listProviders().flatMap(({ code: provider }) =>
    PAYMENT_KINDS.flatMap((operation) => {
      const connector = engine.connectorOf(provider, operation);
      return connector === null ? [] : [{ connector, provider, operation }];
    }),
  );
}
