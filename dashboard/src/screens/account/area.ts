// What a person sets for themselves.
import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { signedInRoute } from '../../routes.ts';

export const accountRoutes = [
  createRoute({
    getParentRoute: () => signedInRoute,
    path: 'account',
    staticData: { needs: null },
    component: lazyRouteComponent(() => import('./account-screen.tsx'), 'AccountScreen'),
  }),
];
