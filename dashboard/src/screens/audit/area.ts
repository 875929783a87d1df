// Manual actions: at a merchant, and everywhere.
import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import type { Area } from '../../area.ts';
import { hostRoute, merchantRoute } from '../../routes.ts';

export const auditRoutes = [
  createRoute({
    getParentRoute: () => merchantRoute,
    path: 'audit',
    staticData: { needs: 'audit:read' },
    component: lazyRouteComponent(() => import('./audit-screen.tsx'), 'MerchantAuditScreen'),
  }),
];

export const hostAuditRoutes = [
  createRoute({
    getParentRoute: () => hostRoute,
    path: 'audit',
    staticData: { needs: 'host:read' },
    component: lazyRouteComponent(() => import('./host-audit-screen.tsx'), 'HostAuditScreen'),
  }),
];

export const auditArea: Area = {
  entries: [
    {
      scope: 'merchant',
      path: 'audit',
      label: { en: 'Audit log', fr: 'Journal d’audit' },
      icon: 'audit',
      needs: 'audit:read',
      group: 'settings',
    },
    {
      scope: 'host',
      path: 'audit',
      label: { en: 'Audit log', fr: 'Journal d’audit' },
      icon: 'audit',
      needs: 'host:read',
      group: 'settings',
    },
  ],
};
