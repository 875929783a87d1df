// Limits of merchants as rows.
import type { Limit, LimitKey, LimitPeriod, LimitScope, LimitSetter } from '../../domain/limits/limit.ts';
import { column, columns } from '../columns.ts';
import type { Tx } from '../database.ts';
import { isChanged, oneRowInserter, replacedOn } from '../rows.ts';

const limits = columns({
  merchantId: 'uuid',
  setBy: column<LimitSetter>('text'),
  kind: 'payment_kind',
  scope: column<LimitScope>('text'),
  subject: 'text',
  period: column<LimitPeriod>('text'),
  currency: 'text',
  countMax: 'int null',
  amountMax: 'numeric null',
});

export type OfMerchant = { readonly merchantId: string };

const KEY = 'merchant_id, set_by, kind, scope, subject, period, currency';

export async function listLimits(tx: Tx, merchantId: string): Promise<readonly (Limit & OfMerchant)[]> {
  return limits.select(tx, `from limits where merchant_id = $1 order by ${KEY}`, [merchantId]);
}

/** Inside a merchant no other limit of it changes until the transaction ends. */
export async function findLimit(tx: Tx, key: LimitKey & OfMerchant): Promise<Limit | null> {
  return limits.find(tx, `from limits where ${OF_KEY} for update`, keyValues(key));
}

const upsert = oneRowInserter<Limit & OfMerchant>('limits', limits.cells, replacedOn(KEY, limits.cells));

export async function setLimit(tx: Tx, limit: Limit & OfMerchant): Promise<void> {
  await upsert(tx, limit);
}

/** Answers whether there was such a limit. */
export async function deleteLimit(tx: Tx, key: LimitKey & OfMerchant): Promise<boolean> {
  return isChanged(tx, `delete from limits where ${OF_KEY}`, keyValues(key));
}

const OF_KEY = `merchant_id = $1 and set_by = $2 and kind = $3 and scope = $4 and subject = $5 and period = $6
  and currency = $7`;

function keyValues(key: LimitKey & OfMerchant): readonly unknown[] {
  const { merchantId, setBy, kind, scope, subject, period, currency } = key;
  return [merchantId, setBy, kind, scope, subject, period, currency];
}
