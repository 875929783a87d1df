// What is set for a merchant: where callbacks go, API tokens, public keys, the look of payment pages.
import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import type { Area } from '../../area.ts';
import { merchantRoute } from '../../routes.ts';

const staticData = { needs: 'settings:read' } as const;

export const settingsRoutes = [
  createRoute({
    getParentRoute: () => merchantRoute,
    path: 'callback-addresses',
    staticData,
    component: lazyRouteComponent(() => import('./callback-screen.tsx'), 'CallbackScreen'),
  }),
  createRoute({
    getParentRoute: () => merchantRoute,
    path: 'tokens',
    staticData,
    component: lazyRouteComponent(() => import('./token-screen.tsx'), 'TokenScreen'),
  }),
  createRoute({
    getParentRoute: () => merchantRoute,
    path: 'keys',
    staticData,
    component: lazyRouteComponent(() => import('./key-screen.tsx'), 'KeyScreen'),
  }),
  createRoute({
    getParentRoute: () => merchantRoute,
    path: 'payment-pages',
    staticData,
    component: lazyRouteComponent(() => import('./page-brand-screen.tsx'), 'PageBrandScreen'),
  }),
];

const shared = { scope: 'merchant', needs: 'settings:read', group: 'settings' } as const;

export const settingsArea: Area = {
  entries: [
    {
      ...shared,
      path: 'callback-addresses',
      label: { en: 'Callback addresses', fr: 'Adresses de callback' },
      icon: 'callbacks',
      badges: ['endpoints'],
    },
    { ...shared, path: 'tokens', label: { en: 'API tokens', fr: 'Jetons d’API' }, icon: 'key' },
    { ...shared, path: 'keys', label: { en: 'Public keys', fr: 'Clés publiques' }, icon: 'shield' },
    {
      ...shared,
      path: 'payment-pages',
      label: { en: 'Payment pages', fr: 'Pages de paiement' },
      icon: 'settings',
    },
  ],
};
