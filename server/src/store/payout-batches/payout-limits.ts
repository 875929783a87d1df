// Up to how much a merchant's payouts need no second approver. The database refuses to raise it without an approval.
import { renderAmount, type Amount } from '../../domain/money.ts';
import type { Tx } from '../database.ts';
import { columns, type Row } from '../columns.ts';

const limits = columns({
  currency: 'text',
  /** Null: the host's limit counts. */
  amount: 'numeric null',
});

export type PayoutLimit = Row<typeof limits>;

export type LimitKey = { readonly merchantId: string; readonly currency: string };

export async function listPayoutLimits(tx: Tx, merchantId: string): Promise<readonly PayoutLimit[]> {
  return limits.select(tx, 'from payout_limits where merchant_id = $1 order by currency', [merchantId]);
}

/** Makes the row where there is none, and locks it. */
export async function lockPayoutLimit(tx: Tx, { merchantId, currency }: LimitKey): Promise<PayoutLimit> {
  await tx.query('insert into payout_limits (merchant_id, currency) values ($1, $2) on conflict do nothing', [
    merchantId,
    currency,
  ]);
  const tail = 'from payout_limits where merchant_id = $1 and currency = $2 for update';
  const limit = await limits.find(tx, tail, [merchantId, currency]);
  if (limit === null) throw new Error('a limit that was just made is missing');
  return limit;
}

export async function setPayoutLimit(
  tx: Tx,
  { merchantId, currency }: LimitKey,
  amount: Amount,
): Promise<void> {
  await tx.query('update payout_limits set amount = $3 where merchant_id = $1 and currency = $2', [
    merchantId,
    currency,
    renderAmount(amount),
  ]);
}
