// A merchant's time zone and home currency.
import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import type { Area } from '../../area.ts';
import { merchantRoute } from '../../routes.ts';

export const regionalSettingsRoutes = [
  createRoute({
    getParentRoute: () => merchantRoute,
    path: 'regional-settings',
    staticData: { needs: 'settings:read' },
    component: lazyRouteComponent(() => import('./regional-settings-screen.tsx'), 'RegionalSettingsScreen'),
  }),
];

export const regionalSettingsArea: Area = {
  entries: [
    {
      scope: 'merchant',
      path: 'regional-settings',
      label: { en: 'Time zone and currency', fr: 'Fuseau horaire et devise' },
      icon: 'settings',
      needs: 'settings:read',
      group: 'settings',
    },
  ],
};
