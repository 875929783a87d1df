// Providers as the platform sees them: how they answer, outages, and setting them manually.
import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import type { Area } from '../../area.ts';
import { hostRoute } from '../../routes.ts';

const staticData = { needs: 'host:read' } as const;

export const providersRoutes = [
  createRoute({
    getParentRoute: () => hostRoute,
    path: 'providers',
    staticData,
    // Links of problems name the provider that they are about.
    validateSearch: ({ provider }): { readonly provider?: string } =>
      typeof provider === 'string' ? { provider } : {},
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
