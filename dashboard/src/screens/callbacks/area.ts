// The deliveries of callbacks (webhooks): a log, failing endpoints first, and resending.
import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import type { Area } from '../../area.ts';
import { merchantRoute } from '../../routes.ts';

export const callbackRoutes = [
  createRoute({
    getParentRoute: () => merchantRoute,
    path: 'callbacks',
    staticData: { needs: 'payments:read' },
    component: lazyRouteComponent(() => import('./callbacks-screen.tsx'), 'CallbacksScreen'),
  }),
];

export const callbackArea: Area = {
  entries: [
    {
      scope: 'merchant',
      path: 'callbacks',
      label: { en: 'Callbacks', fr: 'Callbacks' },
      icon: 'callbacks',
      needs: 'payments:read',
      group: 'work',
    },
  ],
};
