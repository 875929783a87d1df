// The colour and the logo of a merchant's payment pages and checkouts.
import { columns, type Row } from '../columns.ts';
import type { Tx } from '../database.ts';
import { isChanged } from '../rows.ts';

const brands = columns({ pageColour: 'text null', pageLogo: 'bytea null' });

export type PageBrand = Row<typeof brands>;

export async function findPageBrand(tx: Tx, merchantId: string): Promise<PageBrand | null> {
  return brands.find(tx, 'from merchants where merchant_id = $1', [merchantId]);
}

/** Answers whether that changed anything. */
export async function setPageBrand(
  tx: Tx,
  { merchantId, pageColour, pageLogo }: PageBrand & { readonly merchantId: string },
): Promise<boolean> {
  return isChanged(
    tx,
    `update merchants set page_colour = $2, page_logo = $3
     where merchant_id = $1 and (page_colour, page_logo) is distinct from ($2, $3)`,
    [merchantId, pageColour, pageLogo],
  );
}
