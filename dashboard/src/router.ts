import { createRouter } from '@tanstack/react-router';
import { SIGN_IN_ROUTES, HOST_ROUTES, MERCHANT_ROUTES, PERSONAL_ROUTES } from './areas.ts';
import { hostRoute, merchantRoute, rootRoute, signedInRoute } from './routes.ts';
import { homeRoutes, hostHomeRoute, merchantHomeRoute } from './shell/home.tsx';
import { LostScreen, NotFoundScreen, ScreenFailed } from './shell/not-found.tsx';
import { Shell } from './shell/shell.tsx';

rootRoute.update({ notFoundComponent: LostScreen, staticData: { needs: null } });
signedInRoute.update({ component: Shell, staticData: { needs: null } });

const routeTree = rootRoute.addChildren([
  ...SIGN_IN_ROUTES,
  signedInRoute.addChildren([
    ...homeRoutes,
    ...PERSONAL_ROUTES,
    merchantRoute.addChildren([merchantHomeRoute, ...MERCHANT_ROUTES]),
    hostRoute.addChildren([hostHomeRoute, ...HOST_ROUTES]),
  ]),
]);

export const router = createRouter({
  routeTree,
  basepath: '/dashboard',
  // Plain texts: a reference made of digits is no number, and must not become one on its way through the address.
  parseSearch: (search) => Object.fromEntries(new URLSearchParams(search)),
  stringifySearch: (search) => {
    const said = Object.entries(search).flatMap(([name, value]) =>
      typeof value === 'string' && value !== '' ? [[name, value]] : [],
    );
    return said.length === 0 ? '' : `?${new URLSearchParams(said).toString()}`;
  },
  defaultPreload: 'intent',
  scrollRestoration: true,
  defaultNotFoundComponent: NotFoundScreen,
  defaultErrorComponent: ScreenFailed,
});

declare module '@tanstack/react-router' {
  interface Register {
    readonly router: typeof router;
  }
}
