// Payments that hold funds of a wallet which has less than must stay in it: what its merchant owes uncovered, and what
// its holds want.
import { paymentKeyText, type PaymentKey } from '../../domain/payments/payment.ts';
import type { Tx } from '../database.ts';
import { IS_SHORT_OF_CLAIMS } from '../ledger/wallet-funds.ts';
import { paymentKeyColumns, unnested, valuesOf } from '../rows.ts';

/** By their names in the order of locks. */
export async function listOwing(tx: Tx, keys: readonly PaymentKey[]): Promise<ReadonlySet<string>> {
  if (keys.length === 0) return new Set();
  const { rows } = await tx.query<PaymentKey>(
    `select distinct k.merchant_id as "merchantId", k.kind, k.payment_id as "paymentId"
     from ${unnested(paymentKeyColumns, 'n')} join payment_keys k using (merchant_id, kind, payment_id)
     join transfers t on t.subject_id = k.payment_no
     join wallets w on w.account_id = t.debit_account_id
     where t.state = 'PENDING' and ${IS_SHORT_OF_CLAIMS}`,
    valuesOf(paymentKeyColumns, keys),
  );
  return new Set(rows.map(paymentKeyText));
}
