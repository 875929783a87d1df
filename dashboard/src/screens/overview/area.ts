// How a merchant's payments went: the first screen its people see.
import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import type { Area } from '../../area.ts';
import { merchantRoute } from '../../routes.ts';

export const overviewRoutes = [
  createRoute({
    getParentRoute: () => merchantRoute,
    path: 'overview',
    staticData: { needs: 'overview:read' },
    component: lazyRouteComponent(() => import('./overview-screen.tsx'), 'OverviewScreen'),
  }),
];

export const overviewArea: Area = {
  entries: [
    {
      scope: 'merchant',
      path: 'overview',
      label: { en: 'Overview', fr: 'Aperçu' },
      icon: 'overview',
      needs: 'overview:read',
      group: 'work',
    },
  ],
};
