// The colour and the logo that a merchant's payers see on payment pages and checkouts.
import { createHash } from 'node:crypto';
import { findPageBrand, setPageBrand } from '../../store/merchants/page-brand.ts';
import { record, type Actor } from '../audit.ts';
import { inMerchant } from '../cells/lock-merchant.ts';
import type { TimedStore } from '../engine.ts';

export type PageBrandOrder = Actor & {
  readonly merchantId: string;
  /** Null: the host's. Left out: as before. */
  readonly colour?: string | null;
  /** An image that was checked. Null: none. Left out: as before. */
  readonly logo?: Buffer | null;
};

/** Takes effect within ten seconds. Answers whether that changed anything. */
export async function changePageBrand(engine: TimedStore, order: PageBrandOrder): Promise<boolean> {
  const { by, merchantId, colour, logo } = order;
  return inMerchant(engine.store.database, merchantId, async (tx) => {
    const before = await findPageBrand(tx, merchantId);
    if (before === null) return false;
    const pageColour = colour === undefined ? before.pageColour : colour;
    const pageLogo = logo === undefined ? before.pageLogo : logo;
    const hasChanged = await setPageBrand(tx, { merchantId, pageColour, pageLogo });
    const detail = { colour: pageColour, logoSha256: pageLogo === null ? null : hashOf(pageLogo) };
    const entry = { by, act: 'PAGE_BRAND_SET', merchantId, subject: merchantId, detail } as const;
    if (hasChanged) await record(engine, tx, [entry]);
    return hasChanged;
  });
}

function hashOf(bytes: Buffer): string {
  return createHash('sha256').update(bytes).digest('hex');
}
