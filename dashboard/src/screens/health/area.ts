// Open problems, and live checks of the whole system.
import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import type { Area } from '../../area.ts';
import { hostRoute } from '../../routes.ts';

export const healthRoutes = [
  createRoute({
    getParentRoute: () => hostRoute,
    path: 'health',
    staticData: { needs: 'host:read' },
    component: lazyRouteComponent(() => import('./health-screen.tsx'), 'HealthScreen'),
  }),
];

export const healthArea: Area = {
  entries: [
    {
      scope: 'host',
      path: 'health',
      label: { en: 'Health', fr: 'Santé' },
      icon: 'health',
      needs: 'host:read',
      group: 'work',
    },
  ],
};
