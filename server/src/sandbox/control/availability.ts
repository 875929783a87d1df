// Whether a provider can be used: read, and set manually.
import type { FastifyInstance } from 'fastify';
import { changeAvailability } from '../../core/merchants/administer-merchants.ts';
import type { Engine } from '../../core/engine.ts';
import { listUnavailabilities } from '../../store/operators/availability.ts';
import {
  availabilityChangeSchema,
  parseAvailabilityChange,
  parseProviderOperationPath,
  parseProviderPath,
  providerAvailabilitySchema,
  providerOperationPathSchema,
  providerPathSchema,
  renderProviderAvailability,
} from './wire/availability.ts';
import { readJson } from '../../edge/request.ts';
import { failures, requireRead } from './answer.ts';

export function registerAvailability(app: FastifyInstance, engine: Engine): void {
  app.get(
    '/sandbox/availability/:provider',
    {
      schema: {
        operationId: 'getSandboxAvailability',
        tags: ['sandbox'],
        summary: 'Read whether a provider can be used',
        description: 'For each type of operation, and who set it.',
        params: providerPathSchema,
        response: { 200: providerAvailabilitySchema, ...failures([400, 401, 500]) },
      },
    },
    async (request) => read(engine, requireRead(parseProviderPath(request.params)).provider),
  );

  app.put(
    '/sandbox/availability/:provider/:operation',
    {
      schema: {
        operationId: 'setSandboxAvailability',
        tags: ['sandbox'],
        summary: 'Set whether a provider can be used',
        description:
          'For one type of operation, within a second. DELAYED or CLOSED stays until you change it; OPERATIONAL ' +
          'leaves the provider to what calls to it show.',
        params: providerOperationPathSchema,
        body: availabilityChangeSchema,
        response: { 200: providerAvailabilitySchema, ...failures([400, 401, 500]) },
      },
    },
    async (request) => {
      const target = requireRead(parseProviderOperationPath(request.params));
      const { status } = requireRead(parseAvailabilityChange(readJson(request)));
      await changeAvailability(engine, { ...target, status, by: 'the sandbox' });
      return read(engine, target.provider);
    },
  );
}

/** Reads the database, not the cached directory, so that a change is visible at once. */
async function read(engine: Engine, provider: string) {
  const all = await listUnavailabilities(engine.store.database);
  const own = all.filter((one) => one.provider === provider);
  return renderProviderAvailability(
    provider,
    new Map(own.map(({ operation, status, setBy }) => [operation, { status, setBy }])),
  );
}
