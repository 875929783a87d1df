// What is wrong now, and how the payments of all merchants went: the first screen of the platform's people.
import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import type { Area } from '../../area.ts';
import { hostRoute } from '../../routes.ts';

export const platformOverviewRoutes = [
  createRoute({
    getParentRoute: () => hostRoute,
    path: 'overview',
    staticData: { needs: 'host:read' },
    component: lazyRouteComponent(() => import('./platform-overview-screen.tsx'), 'PlatformOverviewScreen'),
  }),
];

export const platformOverviewArea: Area = {
  entries: [
    {
      scope: 'host',
      path: 'overview',
      label: { en: 'Overview', fr: 'Aperçu' },
      icon: 'overview',
      needs: 'host:read',
      group: 'work',
    },
  ],
};
