// Where a merchant's callbacks go, how those addresses fare, and a button that tries one.
import { portOf } from '../../../callbacks/outgoing-guard.ts';
import type { FastifyInstance } from 'fastify';
import { setCallbackUrl } from '../../../core/merchants/administer-merchants.ts';
import { enableCallbacks } from '../../../core/merchants/administer-callbacks.ts';
import { testCallback } from '../../../core/merchants/test-callback.ts';
import { listEndpointHealth, type EndpointHealth } from '../../../store/callbacks/callback-health.ts';
import { settingsCalls } from '../../../wire/console/merchant/settings.ts';
import { done } from '../../../wire/console/shape.ts';
import { show, showValue } from '../../../wire/console/show.ts';
import { failureBecause } from '../failure.ts';
import { consoleRoutes, type ConsoleParts } from '../route.ts';

const READ = { for: 'MERCHANT', permission: 'settings:read' } as const;
const WRITE = { for: 'MERCHANT', permission: 'settings:write', isDangerous: true } as const;
/** Nothing changes by it. */
const TRY = { for: 'MERCHANT', permission: 'settings:write' } as const;

export function registerCallbackSettings(app: FastifyInstance, parts: ConsoleParts): void {
  const route = consoleRoutes(app, parts, 'settings');
  const { engine } = parts;
  const url = '/merchants/:merchantId/callbacks';
  route('GET', url, READ, settingsCalls.readCallbackAddresses, {
    summary: 'List callback URLs and their status',
    handle: async ({ path }) => {
      const endpoints = await listEndpointHealth(engine.store.database, path.merchantId);
      return { endpoints: endpoints.map(renderEndpoint) };
    },
  });
  route('PUT', url, WRITE, settingsCalls.setCallbackAddress, {
    summary: 'Set callback URLs',
    handle: async ({ path, body, user: { by } }) => {
      requireUsable(parts, body.url);
      await setCallbackUrl(engine, { ...path, ...body, by });
      return done;
    },
  });
  route('POST', `${url}/:kind/enable`, WRITE, settingsCalls.enableCallbackAddress, {
    summary: 'Enable a disabled callback URL',
    handle: async ({ path: { merchantId, kind }, user: { by } }) => {
      const enabled = await enableCallbacks(engine, { by, merchantId, kinds: [kind] });
      if (enabled.length === 0) throw failureBecause('CONFLICT', 'ENDPOINT_NOT_DISABLED');
      return done;
    },
  });
  route('POST', `${url}/:kind/test`, TRY, settingsCalls.testCallbackAddress, {
    summary: 'Send a signed test callback, and show the answer',
    handle: async ({ path, user: { by } }) => {
      const test = await testCallback(engine, { ...path, by });
      if (test === null) throw failureBecause('CONFLICT', 'ENDPOINT_MISSING');
      const { result, durationMs } = test;
      if (result.type === 'NO_ANSWER')
        return { isAcknowledged: false, httpStatus: null, error: result.code, durationMs };
      const { httpStatus } = result;
      return { isAcknowledged: httpStatus >= 200 && httpStatus < 300, httpStatus, error: null, durationMs };
    },
  });
}

function requireUsable({ engine }: ConsoleParts, url: string): void {
  if (!URL.canParse(url)) throw failureBecause('INVALID_INPUT', 'URL_INVALID');
  if (engine.environment === 'production' && !url.startsWith('https:')) {
    throw failureBecause('INVALID_INPUT', 'URL_NEEDS_HTTPS');
  }
  const port = portOf(new URL(url));
  if (!engine.outgoingGuard.mayUsePort(port))
    throw failureBecause('INVALID_INPUT', 'PORT_NOT_ALLOWED', { port: String(port) });
}

function renderEndpoint(health: EndpointHealth) {
  const { failureCount, disabledAt, disabledBecause: because, failingSince } = health;
  const state: 'SWITCHED_OFF' | 'FAILING' | 'WORKING' =
    disabledAt !== null ? 'SWITCHED_OFF' : failureCount > 0 ? 'FAILING' : 'WORKING';
  const since = showValue(disabledAt ?? failingSince);
  return { ...show(health, 'kind', 'url', 'waiting', 'failureCount'), state, because, since };
}
