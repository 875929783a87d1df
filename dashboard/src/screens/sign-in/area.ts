// Screens for people who are not signed in yet.
import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { rootRoute } from '../../routes.ts';

const getParentRoute = () => rootRoute;
const staticData = { needs: null };

/** Where somebody wanted to be when they were asked to come in. */
const validateSearch = (search: Readonly<Record<string, unknown>>): { readonly to?: string } =>
  typeof search['to'] === 'string' ? { to: search['to'] } : {};

/** Why the identity provider has not signed somebody in. */
const validateRefusal = (
  search: Readonly<Record<string, unknown>>,
): { readonly to?: string; readonly error?: string } => ({
  ...validateSearch(search),
  ...(typeof search['error'] === 'string' && { error: search['error'] }),
});

export const signInRoutes = [
  createRoute({
    getParentRoute,
    path: 'sign-in',
    staticData,
    validateSearch: validateRefusal,
    component: lazyRouteComponent(() => import('./sign-in-screen.tsx'), 'SignInScreen'),
  }),
  createRoute({
    getParentRoute,
    path: 'two-factor',
    staticData,
    validateSearch,
    component: lazyRouteComponent(() => import('./two-factor-screen.tsx'), 'TwoFactorScreen'),
  }),
  createRoute({
    getParentRoute,
    path: 'confirmed',
    staticData,
    validateSearch: validateRefusal,
    component: lazyRouteComponent(() => import('./confirmed-screen.tsx'), 'ConfirmedScreen'),
  }),
  createRoute({
    getParentRoute,
    path: 'join/$token',
    staticData,
    component: lazyRouteComponent(() => import('./join-screen.tsx'), 'JoinScreen'),
  }),
  createRoute({
    getParentRoute,
    path: 'forgotten-password',
    staticData,
    component: lazyRouteComponent(() => import('./forgotten-password-screen.tsx'), 'ForgottenPasswordScreen'),
  }),
  createRoute({
    getParentRoute,
    path: 'new-password/$token',
    staticData,
    component: lazyRouteComponent(() => import('./new-password-screen.tsx'), 'NewPasswordScreen'),
  }),
];
