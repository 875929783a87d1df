// Statements: created in the background, listed, downloaded.
import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import type { Area } from '../../area.ts';
import { merchantRoute } from '../../routes.ts';

export const statementRoutes = [
  createRoute({
    getParentRoute: () => merchantRoute,
    path: 'statements',
    staticData: { needs: 'statements:make' },
    component: lazyRouteComponent(() => import('./statements-screen.tsx'), 'StatementsScreen'),
  }),
];

export const statementArea: Area = {
  entries: [
    {
      scope: 'merchant',
      path: 'statements',
      label: { en: 'Statements', fr: 'Relevés' },
      icon: 'statement',
      needs: 'statements:make',
      group: 'money',
    },
  ],
};
