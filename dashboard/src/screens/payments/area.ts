// Payments of all kinds: a list that is searched and narrowed, and a page for each.
import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import type { Area } from '../../area.ts';
import { merchantRoute } from '../../routes.ts';
import { readFilters } from './filters.ts';

const staticData = { needs: 'payments:read' } as const;

export const paymentRoutes = [
  createRoute({
    getParentRoute: () => merchantRoute,
    path: 'payments',
    staticData,
    validateSearch: readFilters,
    component: lazyRouteComponent(() => import('./payments-screen.tsx'), 'PaymentsScreen'),
  }),
  createRoute({
    getParentRoute: () => merchantRoute,
    path: 'payments/$kind/$paymentId',
    staticData,
    component: lazyRouteComponent(() => import('./payment-screen.tsx'), 'PaymentScreen'),
  }),
];

/** Shorter ones are the beginnings of the names of screens. */
const TYPED_MIN = 4;

export const paymentArea: Area = {
  entries: [
    {
      scope: 'merchant',
      path: 'payments',
      label: { en: 'Payments', fr: 'Paiements' },
      icon: 'payments',
      needs: 'payments:read',
      group: 'work',
    },
  ],
  find: (query, scope) =>
    scope.type !== 'merchant' || !scope.permissions.includes('payments:read') || query.length < TYPED_MIN
      ? []
      : [
          {
            id: 'find-payments',
            label: { en: `Payments with “${query}”`, fr: `Paiements avec « ${query} »` },
            icon: 'payments',
            path: `payments?search=${encodeURIComponent(query)}`,
          },
        ],
};
