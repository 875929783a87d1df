// Up to how much a merchant's payouts need no second approver. The database refuses to raise it without an approval.
import { renderAmount, type Amount } from '../../domain/money.ts';
import type { Tx } from '../database.ts';
import { amountOfNumeric } from '../rows.ts';

export type PayoutLimit = {
  readonly currency: string;
  /** Null: the host's limit counts. */
  readonly amount: Amount | null;
};

export type LimitKey = { readonly merchantId: string; readonly currency: string };

type LimitRow = { currency: string; amount: string | null };

export async function listPayoutLimits(tx: Tx, merchantId: string): Promise<readonly PayoutLimit[]> {
  const { rows } = await tx.query<LimitRow>(
    'select currency, amount from payout_limits where merchant_id = $1 order by currency',
    [merchantId],
  );
  return rows.map(limitOf);
}

/** Makes the row where there is none, and locks it. */
export async function lockPayoutLimit(tx: Tx, { merchantId, currency }: LimitKey): Promise<PayoutLimit> {
  await tx.query('insert into payout_limits (merchant_id, currency) values ($1, $2) on conflict do nothing', [
    merchantId,
    currency,
  ]);
  const { rows } = await tx.query<LimitRow>(
    'select currency, amount from payout_limits where merchant_id = $1 and currency = $2 for update',
    [merchantId, currency],
  );
  const [row] = rows;
  if (row === undefined) throw new Error('a limit that was just made is missing');
  return limitOf(row);
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

function limitOf({ currency, amount }: LimitRow): PayoutLimit {
  return { currency, amount: amount === null ? null : amountOfNumeric(amount) };
}
