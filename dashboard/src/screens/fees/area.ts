// The fees of a merchant, by provider and kind of payment.
import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import type { Area } from '../../area.ts';
import { hostRoute } from '../../routes.ts';

export const feesRoutes = [
  createRoute({
    getParentRoute: () => hostRoute,
    path: 'fees',
    staticData: { needs: 'host:read' },
    component: lazyRouteComponent(() => import('./fees-screen.tsx'), 'FeesScreen'),
  }),
];

export const feesArea: Area = {
  entries: [
    {
      scope: 'host',
      path: 'fees',
      label: { en: 'Fees', fr: 'Frais' },
      icon: 'fees',
      needs: 'host:read',
      group: 'money',
    },
  ],
};
