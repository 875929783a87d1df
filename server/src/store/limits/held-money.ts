// What is held, one row for each hold: payments that wait for screening, for people or because of a freeze, deposits
// that a person ended as COMPLETED, and what open cases could cost.
import type { FundHold, Hold } from '../../domain/limits/freeze.ts';
import { livesHere } from '../cells/migration-locks.ts';
import { column, columns, type Row } from '../columns.ts';
import type { Tx } from '../database.ts';
import { paymentKeys } from '../rows.ts';

const held = columns({
  ...paymentKeys.defs,
  what: column<Hold | FundHold>('text'),
  /** With the fee, where that is held too. */
  amount: 'numeric',
  currency: 'text',
  since: 'timestamptz',
  /** Null: until people or the screening service decide. */
  until: 'timestamptz null',
  /** Codes: the evidence of a case, the reasons of a review, the scope of a freeze, NUMBER_BLOCKED. Empty for none. */
  why: 'text',
});

export type HeldMoney = Row<typeof held>;

/** The oldest first; of all merchants where none is named. */
export async function listHeldMoney(
  tx: Tx,
  { merchantId, countMax }: { readonly merchantId: string | null; readonly countMax: number },
): Promise<readonly HeldMoney[]> {
  return held.select(
    tx,
    `from (
       select h.merchant_id, h.kind, h.payment_id, h.reason as what, h.amount, a.currency, h.held_at as since,
         h.release_at as until, coalesce(h.evidence, '') as why
       from wallet_holds h join accounts a using (account_id) where h.released_at is null
       union all
       select p.merchant_id, p.kind, p.payment_id, p.held, p.amount + p.fee, p.currency,
         coalesce(r.begun_at, greatest(p.created_at, f.frozen_at, b.added_at)),
         coalesce(r.ends_at, f.expires_at, b.expires_at),
         coalesce(array_to_string(r.reasons, ' '), f.scope,
           case when b.entry_id is null then '' else 'NUMBER_BLOCKED' end)
       from payments p
       left join payment_reviews r on r.payment_no = p.payment_no and p.held <> 'FREEZE'
       left join freezes f on f.freeze_id = p.held_by
       left join listed_numbers b on b.entry_id = p.held_by
       where p.held is not null) held
     where ($2::uuid is null or merchant_id = $2) and ${livesHere('held')}
     order by since, payment_id limit $1`,
    [countMax, merchantId],
  );
}
