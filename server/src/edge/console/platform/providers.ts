// The host's providers: how they fare, what happened to them, and switching them off manually.
import type { FastifyInstance } from 'fastify';
import { changeAvailability } from '../../../core/merchants/administer-merchants.ts';
import { readProviders } from '../../../core/operators/read-providers.ts';
import type { AvailabilityReason } from '../../../domain/operators/availability-reason.ts';
import { findProvider } from '../../../domain/operators/catalogue.ts';
import { listAvailabilityChanges } from '../../../store/operators/availability-changes.ts';
import { platformCalls } from '../../../wire/console/platform/platform.ts';
import { done } from '../../../wire/console/shape.ts';
import { show } from '../../../wire/console/show.ts';
import { ConsoleFailure } from '../failure.ts';
import { consoleRoutes, type ConsoleParts } from '../route.ts';

const READ = { for: 'HOST', permission: 'host:read' } as const;
const INCIDENTS_SHOWN = 200;

export function registerHostProviders(app: FastifyInstance, parts: ConsoleParts): void {
  const route = consoleRoutes(app, parts, 'host-providers');
  const { engine } = parts;
  route('GET', '/host/providers', READ, platformCalls.listProviders, {
    summary: 'List providers with connector, availability and error rates',
    handle: async () => {
      const providers = await readProviders(engine);
      return {
        providers: providers.map(({ facts, operations }) => ({
          provider: facts.code,
          name: facts.displayName,
          country: facts.country,
          operations: operations.map((one) =>
            show(one, 'operation', 'connector', 'status', 'setBy', 'since', 'calls', 'failures'),
          ),
        })),
      };
    },
  });
  route('GET', '/host/incidents', READ, platformCalls.listIncidents, {
    summary: 'The latest changes of availability, the newest first',
    handle: async () => {
      const wanted = { provider: null, countMax: INCIDENTS_SHOWN };
      const changes = await listAvailabilityChanges(engine.store.database, wanted);
      const names = ['provider', 'operation', 'from', 'to', 'setBy', 'changedAt'] as const;
      return {
        changes: changes
          .toReversed()
          .map((change) => ({ ...show(change, ...names), reason: renderReason(change.why) })),
      };
    },
  });
  route(
    'PUT',
    '/host/providers/:provider/:operation/availability',
    { for: 'HOST', permission: 'providers:write', isDangerous: true },
    platformCalls.setAvailability,
    {
      summary: 'Set availability manually; OPERATIONAL returns it to measurement',
      handle: async ({ path, body, user: { by } }) => {
        if (findProvider(path.provider) === null) throw new ConsoleFailure('NOT_FOUND');
        await changeAvailability(engine, { ...path, ...body, by });
        return done;
      },
    },
  );
}

function renderReason({ code, ...figures }: AvailabilityReason) {
  const texts = Object.entries(figures).map(([name, value]) => [name, String(value)]);
  return { code, parameters: Object.fromEntries(texts) as Record<string, string> };
}
