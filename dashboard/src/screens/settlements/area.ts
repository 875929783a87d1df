// Money to merchants' banks: a merchant's bank accounts and requests, and what the platform's people do with them.
import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import type { Area } from '../../area.ts';
import { hostRoute, merchantRoute } from '../../routes.ts';

export const settlementRoutes = [
  createRoute({
    getParentRoute: () => merchantRoute,
    path: 'settlement',
    staticData: { needs: 'wallets:read' },
    component: lazyRouteComponent(() => import('./settlement-screen.tsx'), 'SettlementScreen'),
  }),
];

export const hostSettlementRoutes = [
  createRoute({
    getParentRoute: () => hostRoute,
    path: 'settlements',
    staticData: { needs: 'host:read' },
    component: lazyRouteComponent(() => import('./settlements-screen.tsx'), 'SettlementsScreen'),
  }),
];

export const settlementArea: Area = {
  entries: [
    {
      scope: 'merchant',
      path: 'settlement',
      label: { en: 'Settlement', fr: 'Règlement' },
      icon: 'merchants',
      needs: 'wallets:read',
      group: 'money',
    },
    {
      scope: 'host',
      path: 'settlements',
      label: { en: 'Settlements', fr: 'Règlements' },
      icon: 'payouts',
      needs: 'host:read',
      group: 'money',
      badges: ['settlements'],
    },
  ],
};
