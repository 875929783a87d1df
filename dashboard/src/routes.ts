// The routes that screens hang below. Each area makes its own with `createRoute`; areas.ts gathers them.
import { createRootRoute, createRoute } from '@tanstack/react-router';
import type { Permission } from './me.ts';

declare module '@tanstack/react-router' {
  interface StaticDataRouteOption {
    /** What somebody must be permitted to see this screen. Null: being here is enough. */
    readonly needs: Permission | null;
  }
}

const staticData = { needs: null };

export const rootRoute = createRootRoute({ staticData });

/** Everything that has the header and the navigation around it. */
export const signedInRoute = createRoute({ getParentRoute: () => rootRoute, id: 'signed-in', staticData });

/** Screens about one merchant: `useMerchant()` says which. */
export const merchantRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: 'm/$merchantId',
  staticData,
});

/** Screens of the platform. */
export const hostRoute = createRoute({ getParentRoute: () => signedInRoute, path: 'host', staticData });
