// MTN's markets by the country in a provider's code, in MTN's own words for X-Target-Environment (S). Pure.

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

/** MTN_MOMO_RWA and its like. */
export function isMarket(provider: string): boolean {
  return targetEnvironmentOf(provider) !== '';
}

/** Nothing for a provider that is not MTN's. */
export function targetEnvironmentOf(provider: string): string {
  const country = /^MTN_MOMO_([A-Z]{3})$/.exec(provider)?.[1] ?? '';
  return TARGET_ENVIRONMENTS[country] ?? '';
}
