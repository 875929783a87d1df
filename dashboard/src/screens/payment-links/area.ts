// Payment links: made here, shared with payers. Each visit of a payer is a checkout.
import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import type { Area } from '../../area.ts';
import { merchantRoute } from '../../routes.ts';

export const paymentLinkRoutes = [
  createRoute({
    getParentRoute: () => merchantRoute,
    path: 'payment-links',
    staticData: { needs: 'payments:read' },
    component: lazyRouteComponent(() => import('./payment-links-screen.tsx'), 'PaymentLinksScreen'),
  }),
];

export const paymentLinkArea: Area = {
  entries: [
    {
      scope: 'merchant',
      path: 'payment-links',
      label: { en: 'Payment links', fr: 'Liens de paiement' },
      icon: 'external',
      needs: 'payments:read',
      group: 'work',
    },
  ],
};
