// Money that the platform's people move manually: one requests, another approves.
import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import type { Area } from '../../area.ts';
import { hostRoute } from '../../routes.ts';

export const moneyRoutes = [
  createRoute({
    getParentRoute: () => hostRoute,
    path: 'money',
    staticData: { needs: 'host:read' },
    component: lazyRouteComponent(() => import('./money-screen.tsx'), 'MoneyScreen'),
  }),
];

export const moneyArea: Area = {
  entries: [
    {
      scope: 'host',
      path: 'money',
      label: { en: 'Manual transfers', fr: 'Transferts manuels' },
      icon: 'move',
      needs: 'host:read',
      group: 'money',
    },
  ],
};
