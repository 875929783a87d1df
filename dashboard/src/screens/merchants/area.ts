// The platform's merchants.
import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import type { Area } from '../../area.ts';
import { hostRoute } from '../../routes.ts';

const staticData = { needs: 'host:read' } as const;

export const merchantsRoutes = [
  createRoute({
    getParentRoute: () => hostRoute,
    path: 'merchants',
    staticData,
    component: lazyRouteComponent(() => import('./merchants-screen.tsx'), 'MerchantsScreen'),
  }),
  createRoute({
    getParentRoute: () => hostRoute,
    path: 'merchants/$merchantId',
    staticData,
    component: lazyRouteComponent(() => import('./merchant-screen.tsx'), 'MerchantScreen'),
  }),
];

export const merchantsArea: Area = {
  entries: [
    {
      scope: 'host',
      path: 'merchants',
      label: { en: 'Merchants', fr: 'Marchands' },
      icon: 'merchants',
      needs: 'host:read',
      group: 'work',
    },
  ],
};
