// The dashboard's screens of docs/images/dashboard, one line each. Every one is shown at both widths in both themes.
import type { Page } from 'playwright-core';

export type DashboardScreen = {
  /** The name of the file, to which dark ones add "-dark" and wide ones "-wide". */
  readonly name: string;
  /** Who looks at it: the sandbox's people, by the beginning of their address. */
  readonly as: 'owner' | 'developer' | 'finance' | 'support' | 'admin' | 'nobody';
  /** Below /dashboard. "$merchantId" is the sandbox's merchant. */
  readonly at: string;
  /** What to do there before the picture is taken. */
  readonly play?: (page: Page) => Promise<void>;
};

const SHOP = '/m/$merchantId';

export const DASHBOARD_SCREENS: readonly DashboardScreen[] = [
  { name: 'sign-in', as: 'nobody', at: '/sign-in' },
  { name: 'overview', as: 'owner', at: `${SHOP}/overview` },
  { name: 'wallets', as: 'finance', at: `${SHOP}/wallets` },
  { name: 'statements', as: 'finance', at: `${SHOP}/statements` },
  { name: 'callback-addresses', as: 'developer', at: `${SHOP}/callback-addresses` },
  { name: 'tokens', as: 'developer', at: `${SHOP}/tokens` },
  { name: 'keys', as: 'developer', at: `${SHOP}/keys` },
  { name: 'team', as: 'owner', at: `${SHOP}/team` },
  { name: 'audit', as: 'owner', at: `${SHOP}/audit` },
  { name: 'merchants', as: 'admin', at: '/host/merchants' },
  { name: 'merchant', as: 'admin', at: '/host/merchants/$merchantId' },
  { name: 'providers', as: 'admin', at: '/host/providers' },
  {
    name: 'provider',
    as: 'admin',
    at: '/host/providers',
    play: (page) => page.getByText('closed').first().click(),
  },
  { name: 'incidents', as: 'admin', at: '/host/incidents' },
];
