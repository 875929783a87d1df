// Which personal data is kept, and erasing that of one person.
import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import type { Area } from '../../area.ts';
import { hostRoute } from '../../routes.ts';

export const personalDataRoutes = [
  createRoute({
    getParentRoute: () => hostRoute,
    path: 'personal-data',
    staticData: { needs: 'host:read' },
    component: lazyRouteComponent(() => import('./personal-data-screen.tsx'), 'PersonalDataScreen'),
  }),
];

export const personalDataArea: Area = {
  entries: [
    {
      scope: 'host',
      path: 'personal-data',
      label: { en: 'Personal data', fr: 'Données personnelles' },
      icon: 'erase',
      needs: 'host:read',
      group: 'settings',
    },
  ],
};
