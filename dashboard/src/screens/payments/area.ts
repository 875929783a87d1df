// Payments of all kinds: a list that is searched and narrowed, and a page for each.
import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import type { Area } from '../../area.ts';
import { hostRoute, merchantRoute } from '../../routes.ts';
import { readFilters } from './filters.ts';
import { findPayments, lookForPayments } from './find-payments.ts';

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

export const allPaymentRoutes = [
  createRoute({
    getParentRoute: () => hostRoute,
    path: 'payments',
    staticData: { needs: 'host:read' },
    validateSearch: readFilters,
    component: lazyRouteComponent(() => import('./all-payments-screen.tsx'), 'AllPaymentsScreen'),
  }),
];

const entry = {
  path: 'payments',
  label: { en: 'Payments', fr: 'Paiements' },
  icon: 'payments',
  group: 'work',
} as const;

export const paymentArea: Area = {
  entries: [{ ...entry, scope: 'merchant', needs: 'payments:read' }],
  find: findPayments,
  look: lookForPayments,
};

/** Behind others: the first entry is where people land. */
export const allPaymentArea: Area = { entries: [{ ...entry, scope: 'host', needs: 'host:read' }] };
