// The changes of status that a database has of a merchant's payments, and the ends of its split payments: each is one
// event of the feed.
import type { Database } from '../../../server/src/store/database.ts';

const PART_OF_SPLIT = `select from payments p
  where p.merchant_id = s.merchant_id and p.split_payment_id = s.split_payment_id`;

/** "KIND id STATUS", in order. */
export async function readStatusChanges(database: Database, merchantId: string): Promise<readonly string[]> {
  const { rows } = await database.query<{ change: string }>(
    `select p.kind || ' ' || p.payment_id || ' ' || case
         when p.kind = 'DEPOSIT' and e.to_state = 'ENQUEUED' then 'ACCEPTED' else e.to_state::text end as change
     from payments p join payment_events e using (payment_no)
     where p.merchant_id = $1 and e.from_state is distinct from e.to_state
     union all
     select 'SPLIT_PAYMENT ' || s.split_payment_id || ' ' || case
         when exists (${PART_OF_SPLIT} and p.kind = 'DEPOSIT' and p.state = 'FAILED') then 'FAILED'
         when exists (${PART_OF_SPLIT} and p.state = 'FAILED') then 'PAYOUT_FAILED' else 'COMPLETED' end
     from split_payments s where s.merchant_id = $1 and s.announced_at is not null`,
    [merchantId],
  );
  return rows.map(({ change }) => change).toSorted();
}
