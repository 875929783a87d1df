// The time zone and the home currency of merchants, for what their people see.
import { columns, type Row } from '../columns.ts';
import type { Tx } from '../database.ts';
import { isChanged } from '../rows.ts';

const settings = columns({
  /** By its IANA name. */
  timeZone: 'text',
  /** Null: the currency with most payments comes first. */
  homeCurrency: 'text null',
});

export type RegionalSettings = Row<typeof settings>;

export async function findRegionalSettings(tx: Tx, merchantId: string): Promise<RegionalSettings | null> {
  return settings.find(tx, 'from merchants where merchant_id = $1', [merchantId]);
}

/** Answers whether that changed anything. */
export async function setRegionalSettings(
  tx: Tx,
  { merchantId, timeZone, homeCurrency }: RegionalSettings & { readonly merchantId: string },
): Promise<boolean> {
  return isChanged(
    tx,
    `update merchants set time_zone = $2, home_currency = $3
     where merchant_id = $1 and (time_zone, home_currency) is distinct from ($2, $3)`,
    [merchantId, timeZone, homeCurrency],
  );
}
