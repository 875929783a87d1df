// Payouts that people order: the list of batches, one batch, a file, a single payout, and from where two must agree.
import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import type { Area } from '../../area.ts';
import { merchantRoute } from '../../routes.ts';

export const payoutRoutes = [
  createRoute({
    getParentRoute: () => merchantRoute,
    path: 'payouts',
    staticData: { needs: 'payments:read' },
    component: lazyRouteComponent(() => import('./batches-screen.tsx'), 'BatchesScreen'),
  }),
  createRoute({
    getParentRoute: () => merchantRoute,
    path: 'payouts/new',
    staticData: { needs: 'payouts:prepare' },
    component: lazyRouteComponent(() => import('./payout-screen.tsx'), 'PayoutScreen'),
  }),
  createRoute({
    getParentRoute: () => merchantRoute,
    path: 'payouts/file',
    staticData: { needs: 'payouts:prepare' },
    component: lazyRouteComponent(() => import('./file-screen.tsx'), 'FileScreen'),
  }),
  createRoute({
    getParentRoute: () => merchantRoute,
    path: 'payout-approval',
    staticData: { needs: 'settings:read' },
    component: lazyRouteComponent(() => import('./limits-screen.tsx'), 'LimitsScreen'),
  }),
  createRoute({
    getParentRoute: () => merchantRoute,
    path: 'payouts/$batchId',
    staticData: { needs: 'payments:read' },
    component: lazyRouteComponent(() => import('./batch-screen.tsx'), 'BatchScreen'),
  }),
];

export const payoutArea: Area = {
  entries: [
    {
      scope: 'merchant',
      path: 'payouts',
      label: { en: 'Payouts', fr: 'Versements' },
      icon: 'payouts',
      needs: 'payments:read',
      group: 'work',
    },
    {
      scope: 'merchant',
      path: 'payout-approval',
      label: { en: 'Payout approval', fr: 'Approbation des versements' },
      icon: 'approve',
      needs: 'settings:read',
      group: 'settings',
    },
  ],
};
