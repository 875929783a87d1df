// Where a merchant's callbacks go, how those addresses fare, and a button that tries one.
import { portOf } from '../../../callbacks/outgoing-guard.ts';
import type { FastifyInstance } from 'fastify';
import { setCallbackUrl } from '../../../core/merchants/administer-merchants.ts';
import { enableCallbacks } from '../../../core/merchants/administer-callbacks.ts';
import { testCallback } from '../../../core/merchants/test-callback.ts';
import { listEndpointHealth, type EndpointHealth } from '../../../store/callbacks/callback-health.ts';
import {
  enableCallbackShape,
  readCallbacksShape,
  setCallbackShape,
  testCallbackShape,
} from '../../../wire/console/merchant/settings.ts';
import { done } from '../../../wire/console/shape.ts';
import { ConsoleFailure } from '../failure.ts';
import { consoleRoute, type ConsoleParts } from '../route.ts';

const READ = { for: 'MERCHANT', permission: 'settings:read' } as const;
const WRITE = { for: 'MERCHANT', permission: 'settings:write', isDangerous: true } as const;
/** Nothing changes by it. */
const TRY = { for: 'MERCHANT', permission: 'settings:write' } as const;

export function registerCallbackSettings(app: FastifyInstance, parts: ConsoleParts): void {
  const { engine } = parts;
  const url = '/merchants/:merchantId/callbacks';
  const tag = 'settings';
  consoleRoute(app, parts, {
    method: 'GET',
    url,
    access: READ,
    operationId: 'readCallbackAddresses',
    tag,
    summary: 'Callback addresses and how they fare',
    shape: readCallbacksShape,
    handle: async ({ path }) => {
      const endpoints = await listEndpointHealth(engine.store.database, path.merchantId);
      return { endpoints: endpoints.map(renderEndpoint) };
    },
  });
  consoleRoute(app, parts, {
    method: 'PUT',
    url,
    access: WRITE,
    operationId: 'setCallbackAddress',
    tag,
    summary: 'Say where callbacks of some kinds go',
    shape: setCallbackShape,
    handle: async ({ path, body, user: { by } }) => {
      requireUsable(parts, body.url);
      await setCallbackUrl(engine, { ...path, ...body, by });
      return done;
    },
  });
  consoleRoute(app, parts, {
    method: 'POST',
    url: `${url}/:kind/enable`,
    access: WRITE,
    operationId: 'enableCallbackAddress',
    tag,
    summary: 'Switch on what was switched off',
    shape: enableCallbackShape,
    handle: async ({ path: { merchantId, kind }, user: { by } }) => {
      const enabled = await enableCallbacks(engine, { by, merchantId, kinds: [kind] });
      if (enabled.length === 0) throw new ConsoleFailure('CONFLICT', 'This address is not switched off.');
      return done;
    },
  });
  consoleRoute(app, parts, {
    method: 'POST',
    url: `${url}/:kind/test`,
    access: TRY,
    operationId: 'testCallbackAddress',
    tag,
    summary: 'Post a signed message about no payment, and see what comes back',
    shape: testCallbackShape,
    handle: async ({ path, user: { by } }) => {
      const test = await testCallback(engine, { ...path, by });
      if (test === null)
        throw new ConsoleFailure('CONFLICT', 'Callbacks of this kind go nowhere. Set an address first.');
      const { result, durationMs } = test;
      if (result.type === 'NO_ANSWER')
        return { isAcknowledged: false, httpStatus: null, error: result.code, durationMs };
      const { httpStatus } = result;
      return { isAcknowledged: httpStatus >= 200 && httpStatus < 300, httpStatus, error: null, durationMs };
    },
  });
}

function requireUsable({ engine }: ConsoleParts, url: string): void {
  if (!URL.canParse(url)) throw new ConsoleFailure('INVALID_INPUT', 'This is no address.');
  if (engine.environment === 'production' && !url.startsWith('https:')) {
    throw new ConsoleFailure('INVALID_INPUT', 'In production callbacks go to https addresses only.');
  }
  const port = portOf(new URL(url));
  if (!engine.outgoingGuard.mayUsePort(port))
    throw new ConsoleFailure(
      'INVALID_INPUT',
      `Callbacks do not go to port ${port}. Use port 443 or ask the platform.`,
    );
}

function renderEndpoint({ kind, url, waiting, failureCount, ...health }: EndpointHealth) {
  const { disabledAt, disabledBecause, failingSince } = health;
  const state: 'SWITCHED_OFF' | 'FAILING' | 'WORKING' =
    disabledAt !== null ? 'SWITCHED_OFF' : failureCount > 0 ? 'FAILING' : 'WORKING';
  const since = (disabledAt ?? failingSince)?.toISOString() ?? null;
  return { kind, url, waiting, failureCount, state, because: disabledBecause, since };
}
