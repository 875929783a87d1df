// Payouts in progress, written straight into the tables: for lists in which something else is rare.
import type { Tx } from '../src/store/database.ts';

export type OpenPayouts = {
  readonly merchantId: string;
  readonly count: number;
  /** One each millisecond from here on. */
  readonly from: Date;
  /** A value that all of them have. */
  readonly valueHash: Buffer;
};

export async function insertOpenPayouts(
  tx: Tx,
  { merchantId, count, from, valueHash }: OpenPayouts,
): Promise<void> {
  const numbered = `select gen_random_uuid() as id, $4::timestamptz + number * interval '1 ms' as at
    from generate_series(1, $3::int) as number`;
  await tx.query(
    `with numbered as materialized (${numbered}), keys as (
       insert into payment_keys (merchant_id, kind, payment_id, created_at, payment_no, fingerprint)
       select $1, 'PAYOUT', id, at, id, '\\x00' from numbered), entries as (
       insert into payment_search (value_hash, created_at, payment_no) select $2::bytea, at, id from numbered)
     insert into payments (merchant_id, kind, payment_id, payment_no, api_version, state, amount, amount_text, fee,
       currency, country, provider, connector, encrypted_details, created_at, next_action, next_action_at)
     select $1, 'PAYOUT', id, id, 'v2', 'PROCESSING', 100, '100', 0, 'RWF', 'RWA', 'MTN_MOMO_RWA', 'simulator',
       '\\x00', at, 'ENQUIRE', at + interval '1 day' from numbered`,
    [merchantId, valueHash, count, from],
  );
}
