// Operators as the host sees them: how they answer, what happened to them, and switching them off by hand.
import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import type { Area } from '../../area.ts';
import { hostRoute } from '../../routes.ts';

const staticData = { needs: 'host:read' } as const;

export const providersRoutes = [
  createRoute({
    getParentRoute: () => hostRoute,
    path: 'providers',
    staticData,
    component: lazyRouteComponent(() => import('./providers-screen.tsx'), 'ProvidersScreen'),
  }),
  createRoute({
    getParentRoute: () => hostRoute,
    path: 'incidents',
    staticData,
    component: lazyRouteComponent(() => import('./incidents-screen.tsx'), 'IncidentsScreen'),
  }),
];

export const providersArea: Area = {
  entries: [
    {
      scope: 'host',
      path: 'providers',
      label: { en: 'Providers', fr: 'Opérateurs' },
      icon: 'providers',
      needs: 'host:read',
      group: 'work',
    },
    {
      scope: 'host',
      path: 'incidents',
      label: { en: 'Incidents', fr: 'Incidents' },
      icon: 'clock',
      needs: 'host:read',
      group: 'work',
    },
  ],
};
