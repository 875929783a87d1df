// A merchant's time zone and home currency. They are read with `me`, which every screen has.
import type { FastifyInstance } from 'fastify';
import { changeRegionalSettings, isKnownCurrency } from '../../../core/merchants/regional-settings.ts';
import { isTimeZone } from '../../../domain/time-zone.ts';
import { regionalCalls } from '../../../wire/console/merchant/regional-settings.ts';
import { done } from '../../../wire/console/shape.ts';
import { failureBecause } from '../failure.ts';
import { consoleRoutes, type ConsoleParts } from '../route.ts';

const WRITE = { for: 'MERCHANT', permission: 'settings:write' } as const;

export function registerRegionalSettings(app: FastifyInstance, parts: ConsoleParts): void {
  const route = consoleRoutes(app, parts, 'settings');
  route('PUT', '/merchants/:merchantId/regional-settings', WRITE, regionalCalls.setRegionalSettings, {
    summary: 'Set the time zone of days and the currency that the overview opens with',
    handle: async ({ path, body, user: { by } }) => {
      const { timeZone, homeCurrency } = body;
      if (!isTimeZone(timeZone)) throw failureBecause('INVALID_INPUT', 'TIME_ZONE_UNKNOWN', { timeZone });
      if (homeCurrency !== null && !isKnownCurrency(homeCurrency)) {
        throw failureBecause('INVALID_INPUT', 'CURRENCY_UNKNOWN', { currency: homeCurrency });
      }
      await changeRegionalSettings(parts.engine, { ...path, ...body, by });
      return done;
    },
  });
}
