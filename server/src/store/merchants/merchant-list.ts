// Merchants as the host lists them.
import { column, columns, type Row } from '../columns.ts';
import type { Tx } from '../database.ts';

const listed = columns({
  merchantId: 'uuid',
  companyName: 'text',
  operations: 'text[]',
  isSuspended: column<boolean>('bool', 'suspended_at is not null'),
  createdAt: 'timestamptz',
});

export type ListedMerchant = Row<typeof listed>;

/** In the order of their names, behind `after`; those whose name holds `name`, or all. */
export async function listMerchants(
  tx: Tx,
  wanted: {
    readonly name: string | null;
    readonly after: { readonly companyName: string; readonly merchantId: string } | null;
    readonly countMax: number;
  },
): Promise<readonly ListedMerchant[]> {
  const { name, after, countMax } = wanted;
  return listed.select(
    tx,
    `from merchants
     where ($1::text is null or strpos(lower(company_name), lower($1)) > 0)
       and ($2::text is null or (company_name, merchant_id) > ($2, $3::uuid))
     order by company_name, merchant_id limit $4`,
    [name, after?.companyName ?? null, after?.merchantId ?? null, countMax],
  );
}

const identified = columns({ merchantId: 'uuid' });

/** In the order of their identifiers, behind `after`. */
export async function listMerchantIds(
  tx: Tx,
  { after, countMax }: { readonly after: string | null; readonly countMax: number },
): Promise<readonly string[]> {
  const rows = await identified.select(
    tx,
    'from merchants where ($1::uuid is null or merchant_id > $1) order by merchant_id limit $2',
    [after, countMax],
  );
  return rows.map(({ merchantId }) => merchantId);
}
