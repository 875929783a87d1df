// How much waits for people: the numbers beside the entries of the navigation.
import type { FastifyInstance } from 'fastify';
import { readMerchantBadges, readPlatformBadges } from '../../core/console/read-badges.ts';
import { badgeCalls } from '../../wire/console/badges.ts';
import { kindsOf } from './approvals.ts';
import { consoleRoutes, permissionsAt, type ConsoleParts } from './route.ts';

const AT_PLATFORM = { for: 'HOST', permission: 'host:read' } as const;
/** Every role has it; what else a role may see decides what is counted. */
const AT_MERCHANT = { for: 'MERCHANT', permission: 'overview:read' } as const;

export function registerBadges(app: FastifyInstance, parts: ConsoleParts): void {
  const route = consoleRoutes(app, parts, 'badges');
  const { engine } = parts;
  route('GET', '/host/badges', AT_PLATFORM, badgeCalls.readHostBadges, {
    summary: 'Count approvals, cases, payments, endpoints and settlements that need attention',
    handle: () => readPlatformBadges(engine),
  });
  route('GET', '/merchants/:merchantId/badges', AT_MERCHANT, badgeCalls.readMerchantBadges, {
    summary: "Count a merchant's approvals and endpoints that need attention",
    handle: ({ path: { merchantId }, user }) => {
      const permissions = permissionsAt(user, merchantId);
      return readMerchantBadges(engine, {
        merchantId,
        kinds: permissions.includes('approvals:read') ? kindsOf(user, merchantId) : [],
        maySeeEndpoints: permissions.includes('settings:read'),
      });
    },
  });
}
