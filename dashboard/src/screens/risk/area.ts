// What bounds outgoing payments: freezes, lists of phone numbers, limits of merchants.
import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import type { Area } from '../../area.ts';
import { hostRoute } from '../../routes.ts';

export const riskRoutes = [
  createRoute({
    getParentRoute: () => hostRoute,
    path: 'risk',
    staticData: { needs: 'host:read' },
    component: lazyRouteComponent(() => import('./risk-screen.tsx'), 'RiskScreen'),
  }),
];

export const riskArea: Area = {
  entries: [
    {
      scope: 'host',
      path: 'risk',
      label: { en: 'Risk controls', fr: 'Contrôle des risques' },
      icon: 'filter',
      needs: 'host:read',
      group: 'work',
    },
  ],
};
