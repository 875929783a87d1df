// The host's providers: how they fare, what happened to them, and switching them off manually.
import type { FastifyInstance } from 'fastify';
import { changeAvailability } from '../../../core/merchants/administer-merchants.ts';
import { readProviders } from '../../../core/operators/read-providers.ts';
import { findCountry, findProvider } from '../../../domain/operators/catalogue.ts';
import { listAvailabilityChanges } from '../../../store/operators/availability-changes.ts';
import {
  listIncidentsShape,
  listProvidersShape,
  setAvailabilityShape,
} from '../../../wire/console/platform/platform.ts';
import { done } from '../../../wire/console/shape.ts';
import { ConsoleFailure } from '../failure.ts';
import { consoleRoute, type ConsoleParts } from '../route.ts';

const READ = { for: 'HOST', permission: 'host:read' } as const;
const INCIDENTS_SHOWN = 200;
const tag = 'host-providers';

export function registerHostProviders(app: FastifyInstance, parts: ConsoleParts): void {
  const { engine } = parts;
  consoleRoute(app, parts, {
    method: 'GET',
    url: '/host/providers',
    access: READ,
    operationId: 'listProviders',
    tag,
    summary: 'Every provider: who carries it, whether it is available, how its operator answers',
    shape: listProvidersShape,
    handle: async () => {
      const providers = await readProviders(engine);
      return {
        providers: providers.map(({ facts, operations }) => ({
          provider: facts.code,
          name: facts.displayName,
          country: facts.country,
          countryName: findCountry(facts.country)?.displayName ?? { en: facts.country, fr: facts.country },
          operations: operations.map(({ since, ...one }) => ({
            ...one,
            since: since?.toISOString() ?? null,
          })),
        })),
      };
    },
  });
  consoleRoute(app, parts, {
    method: 'GET',
    url: '/host/incidents',
    access: READ,
    operationId: 'listIncidents',
    tag,
    summary: 'The latest changes of availability, the newest first',
    shape: listIncidentsShape,
    handle: async () => {
      const wanted = { provider: null, countMax: INCIDENTS_SHOWN };
      const changes = await listAvailabilityChanges(engine.store.database, wanted);
      return {
        changes: changes
          .toReversed()
          .map(({ changedAt, ...change }) => ({ ...change, changedAt: changedAt.toISOString() })),
      };
    },
  });
  consoleRoute(app, parts, {
    method: 'PUT',
    url: '/host/providers/:provider/:operation/availability',
    access: { for: 'HOST', permission: 'providers:write', isDangerous: true },
    operationId: 'setAvailability',
    tag,
    summary: 'Set a provider manually; OPERATIONAL leaves it to measurement again',
    shape: setAvailabilityShape,
    handle: async ({ path, body, user: { by } }) => {
      if (findProvider(path.provider) === null) throw new ConsoleFailure('NOT_FOUND');
      await changeAvailability(engine, { ...path, ...body, by });
      return done;
    },
  });
}
