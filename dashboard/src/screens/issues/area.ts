// What the platform's people resolve: payments with unknown outcome, overdue tasks, failing endpoints; and cases.
import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import type { Area } from '../../area.ts';
import { hostRoute } from '../../routes.ts';

const staticData = { needs: 'host:read' } as const;

export const issuesRoutes = [
  createRoute({
    getParentRoute: () => hostRoute,
    path: 'issues',
    staticData,
    component: lazyRouteComponent(() => import('./issues-screen.tsx'), 'IssuesScreen'),
  }),
  createRoute({
    getParentRoute: () => hostRoute,
    path: 'cases',
    staticData,
    component: lazyRouteComponent(() => import('./cases-screen.tsx'), 'CasesScreen'),
  }),
];

const shared = { scope: 'host', needs: 'host:read', group: 'work' } as const;

export const issuesArea: Area = {
  entries: [
    {
      ...shared,
      path: 'issues',
      label: { en: 'Unresolved payments', fr: 'Paiements non résolus' },
      icon: 'trouble',
      badges: ['payments', 'endpoints'],
    },
    {
      ...shared,
      path: 'cases',
      label: { en: 'Discrepancies', fr: 'Dossiers' },
      icon: 'shield',
      badges: ['cases'],
    },
  ],
};
