// A merchant's own colour and logo on its pages. The logo is kept by us and served by us, so that no one else sees who
// pays where.
import type { Engine } from '../../../core/engine.ts';
import type { Merchant } from '../../../store/merchants/merchants.ts';
import { findPageBrand } from '../../../store/merchants/page-brand.ts';
import { html } from '../html.ts';
import { parseMark, type BrandMark } from '../look/brand.ts';
import { parseColour } from '../look/contrast.ts';
import type { Look } from '../look/look.ts';
import { renderMerchantColours } from './style.ts';
import type { Framed } from './view.ts';

/** The host's own look where the merchant has set nothing. */
export function lookOf(look: Look, { page, path }: Framed): Look {
  const { companyName, pageColour, pageLogoHash } = page.merchant;
  if (pageColour === null && pageLogoHash === null) return look;
  const colour = parseColour(pageColour ?? '');
  return {
    ...look,
    name: companyName,
    style: look.style + (colour === null ? '' : renderMerchantColours(colour)),
    mark:
      pageLogoHash === null ? html`` : html`<img class="logo" src="${path}/logo/${pageLogoHash}" alt="" />`,
  };
}

/** The merchant's logo, under the hash of its contents; null for any other. */
export async function findLogo(
  engine: Engine,
  { merchantId, pageLogoHash }: Merchant,
  hash: string,
): Promise<BrandMark | null> {
  if (pageLogoHash !== hash) return null;
  const brand = await findPageBrand(engine.store.database, merchantId);
  const mark = parseMark(brand?.pageLogo ?? Buffer.of());
  return 'problem' in mark ? null : mark;
}
