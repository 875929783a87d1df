// Money that the host's people move by hand: one asks, another decides.
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
      label: { en: 'Move money', fr: 'Mouvements manuels' },
      icon: 'move',
      needs: 'host:read',
      group: 'money',
    },
  ],
};
