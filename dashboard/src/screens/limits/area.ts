// A merchant's limits: those of the platform, and stricter ones of its own.
import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import type { Area } from '../../area.ts';
import { merchantRoute } from '../../routes.ts';

export const limitsRoutes = [
  createRoute({
    getParentRoute: () => merchantRoute,
    path: 'limits',
    staticData: { needs: 'settings:read' },
    component: lazyRouteComponent(() => import('./limits-screen.tsx'), 'LimitsScreen'),
  }),
];

export const limitsArea: Area = {
  entries: [
    {
      scope: 'merchant',
      path: 'limits',
      label: { en: 'Limits', fr: 'Limites' },
      icon: 'filter',
      needs: 'settings:read',
      group: 'settings',
    },
  ],
};
