// What waits for a second approver: at a merchant, and at the host, which sees all that waits.
import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import type { Area } from '../../area.ts';
import { hostRoute, merchantRoute } from '../../routes.ts';

const component = lazyRouteComponent(() => import('./approvals-screen.tsx'), 'ApprovalsScreen');

export const approvalRoutes = [
  createRoute({
    getParentRoute: () => merchantRoute,
    path: 'approvals',
    staticData: { needs: 'approvals:read' },
    component,
  }),
];

export const hostApprovalRoutes = [
  createRoute({
    getParentRoute: () => hostRoute,
    path: 'approvals',
    staticData: { needs: 'host:read' },
    component,
  }),
];

const shared = {
  path: 'approvals',
  label: { en: 'Approvals', fr: 'Approbations' },
  icon: 'approve',
  group: 'settings',
  badges: ['approvals'],
} as const;

export const approvalArea: Area = {
  entries: [
    { ...shared, scope: 'merchant', needs: 'approvals:read' },
    { ...shared, scope: 'host', needs: 'host:read' },
  ],
};
