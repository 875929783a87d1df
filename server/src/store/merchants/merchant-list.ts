// Merchants as the host lists them.
import type { Tx } from '../database.ts';

export type ListedMerchant = {
  readonly merchantId: string;
  readonly companyName: string;
  readonly operations: readonly string[];
  readonly isSuspended: boolean;
  readonly createdAt: Date;
};

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
  const { rows } = await tx.query<ListedMerchant>(
    `select merchant_id as "merchantId", company_name as "companyName", operations,
            suspended_at is not null as "isSuspended", created_at as "createdAt"
     from merchants
     where ($1::text is null or strpos(lower(company_name), lower($1)) > 0)
       and ($2::text is null or (company_name, merchant_id) > ($2, $3::uuid))
     order by company_name, merchant_id limit $4`,
    [name, after?.companyName ?? null, after?.merchantId ?? null, countMax],
  );
  return rows;
}
