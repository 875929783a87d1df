// The people of a merchant, and those of the host: one screen for both.
import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import type { Area } from '../../area.ts';
import { hostRoute, merchantRoute } from '../../routes.ts';

export const teamRoutes = [
  createRoute({
    getParentRoute: () => merchantRoute,
    path: 'team',
    staticData: { needs: 'settings:read' },
    component: lazyRouteComponent(() => import('./team-screen.tsx'), 'MerchantTeamScreen'),
  }),
];

export const hostTeamRoutes = [
  createRoute({
    getParentRoute: () => hostRoute,
    path: 'team',
    staticData: { needs: 'host:read' },
    component: lazyRouteComponent(() => import('./team-screen.tsx'), 'HostTeamScreen'),
  }),
];

const label = { en: 'Team', fr: 'Équipe' };

export const teamArea: Area = {
  entries: [
    { scope: 'merchant', path: 'team', label, icon: 'team', needs: 'settings:read', group: 'settings' },
    { scope: 'host', path: 'team', label, icon: 'team', needs: 'host:read', group: 'settings' },
  ],
};
