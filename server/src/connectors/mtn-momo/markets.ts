// MTN's markets by the country in the provider code, with MTN's value for X-Target-Environment (S). Pure.

const TARGET_ENVIRONMENTS: Readonly<Record<string, string>> = {
  BEN: 'mtnbenin',
  CIV: 'mtnivorycoast',
  CMR: 'mtncameroon',
  COG: 'mtncongo',
  GHA: 'mtnghana',
  GIN: 'mtnguineaconakry',
  LBR: 'mtnliberia',
  NGA: 'mtnnigeria',
  RWA: 'mtnrwanda',
  SSD: 'mtnsouthsudan',
  SWZ: 'mtnswaziland',
  UGA: 'mtnuganda',
  ZAF: 'mtnsouthafrica',
  ZMB: 'mtnzambia',
};

/** Matches MTN_MOMO_RWA and similar. */
export function isMarket(provider: string): boolean {
  return targetEnvironmentOf(provider) !== '';
}

/** Undefined for a provider that is not MTN's. */
export function targetEnvironmentOf(provider: string): string {
  const country = /^MTN_MOMO_([A-Z]{3})$/.exec(provider)?.[1] ?? '';
  return TARGET_ENVIRONMENTS[country] ?? '';
}
