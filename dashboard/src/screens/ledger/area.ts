// The ledger: trial balance, accounts with their transfers, and the float at operators.
import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import type { Area } from '../../area.ts';
import { hostRoute } from '../../routes.ts';

const staticData = { needs: 'host:read' } as const;

export const ledgerRoutes = [
  createRoute({
    getParentRoute: () => hostRoute,
    path: 'ledger',
    staticData,
    component: lazyRouteComponent(() => import('./ledger-screen.tsx'), 'LedgerScreen'),
  }),
  createRoute({
    getParentRoute: () => hostRoute,
    path: 'ledger/accounts/$accountId',
    staticData,
    component: lazyRouteComponent(() => import('./account-screen.tsx'), 'LedgerAccountScreen'),
  }),
  createRoute({
    getParentRoute: () => hostRoute,
    path: 'ledger/transfers/$owner/$kind/$subjectId',
    staticData,
    component: lazyRouteComponent(() => import('./transfers-screen.tsx'), 'TransfersScreen'),
  }),
];

export const ledgerArea: Area = {
  entries: [
    {
      scope: 'host',
      path: 'ledger',
      label: { en: 'Ledger', fr: 'Comptabilité' },
      icon: 'ledger',
      needs: 'host:read',
      group: 'money',
    },
  ],
};
