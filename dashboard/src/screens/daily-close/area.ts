// The daily close: operator accounts, their days, and the files that a day is compared with.
import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import type { Area } from '../../area.ts';
import { hostRoute } from '../../routes.ts';

const staticData = { needs: 'host:read' } as const;

export const dailyCloseRoutes = [
  createRoute({
    getParentRoute: () => hostRoute,
    path: 'daily-close',
    staticData,
    component: lazyRouteComponent(() => import('./accounts-screen.tsx'), 'CloseAccountsScreen'),
  }),
  createRoute({
    getParentRoute: () => hostRoute,
    path: 'daily-close/$provider/$currency',
    staticData,
    component: lazyRouteComponent(() => import('./account-screen.tsx'), 'CloseAccountScreen'),
  }),
  createRoute({
    getParentRoute: () => hostRoute,
    path: 'daily-close/$provider/$currency/$day',
    staticData,
    component: lazyRouteComponent(() => import('./day-screen.tsx'), 'DayScreen'),
  }),
];

export const dailyCloseArea: Area = {
  entries: [
    {
      scope: 'host',
      path: 'daily-close',
      label: { en: 'Daily close', fr: 'Clôture journalière' },
      icon: 'calendar',
      needs: 'host:read',
      group: 'money',
    },
  ],
};
