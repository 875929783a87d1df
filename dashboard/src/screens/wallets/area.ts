// A merchant's wallets, and what moved each.
import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import type { Area } from '../../area.ts';
import { merchantRoute } from '../../routes.ts';

const staticData = { needs: 'wallets:read' } as const;

export const walletRoutes = [
  createRoute({
    getParentRoute: () => merchantRoute,
    path: 'wallets',
    staticData,
    component: lazyRouteComponent(() => import('./wallets-screen.tsx'), 'WalletsScreen'),
  }),
  createRoute({
    getParentRoute: () => merchantRoute,
    path: 'wallets/$wallet',
    staticData,
    component: lazyRouteComponent(() => import('./movements-screen.tsx'), 'MovementsScreen'),
  }),
];

export const walletArea: Area = {
  entries: [
    {
      scope: 'merchant',
      path: 'wallets',
      label: { en: 'Wallets', fr: 'Portefeuilles' },
      icon: 'wallet',
      needs: 'wallets:read',
      group: 'money',
    },
  ],
};
