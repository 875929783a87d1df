// The stuck and the strange: payments without a clear answer, steps past their time, addresses that fail; and cases.
import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import type { Area } from '../../area.ts';
import { hostRoute } from '../../routes.ts';

const staticData = { needs: 'host:read' } as const;

export const troubleRoutes = [
  createRoute({
    getParentRoute: () => hostRoute,
    path: 'trouble',
    staticData,
    component: lazyRouteComponent(() => import('./trouble-screen.tsx'), 'TroubleScreen'),
  }),
  createRoute({
    getParentRoute: () => hostRoute,
    path: 'cases',
    staticData,
    component: lazyRouteComponent(() => import('./cases-screen.tsx'), 'CasesScreen'),
  }),
];

export const troubleArea: Area = {
  entries: [
    {
      scope: 'host',
      path: 'trouble',
      label: { en: 'Stuck', fr: 'Bloqués' },
      icon: 'trouble',
      needs: 'host:read',
      group: 'work',
    },
    {
      scope: 'host',
      path: 'cases',
      label: { en: 'Cases', fr: 'Litiges' },
      icon: 'shield',
      needs: 'host:read',
      group: 'work',
    },
  ],
};
