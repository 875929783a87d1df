// Fills the event feed of a loaded database: what the gateway numbered for the payments that were copied, for the days
// that a feed goes back.
import type { Database } from '../../server/src/store/database.ts';

/** Less than a feed keeps, so that nothing is deleted while it is measured. */
export const FEED_DAYS = 80;

export type FeedSize = { readonly count: number; readonly shops: number; readonly spanDays: number };

/** Of each template its events, in the order of their numbers. */
export async function takeFeedTemplates(database: Database, shops: number): Promise<void> {
  const { rowCount } = await database.query(
    `create table growth.feed as
     select c.merchant_id as shop, h.last_no as base, string_agg(e.type, '' order by m.last_no, e.at) as types,
       array_agg(e.no order by m.last_no, e.at) as nos
     from growth.chosen c join event_heads h using (merchant_id) join merchant_events m using (merchant_id),
       unnest(string_to_array(m.types, null), m.subject_ids, m.nos) with ordinality as e (type, subject_id, no, at)
     where e.subject_id = c.payment_no group by 1, 2`,
  );
  if (rowCount !== shops) throw new Error(`${rowCount} of ${shops} merchants have events to copy`);
}

/** For the rows of the temporary table `chunk`: payments of one merchant follow each other at equal distances. */
export function feedStatement({ count, shops, spanDays }: FeedSize): string {
  const first = Math.max(0, Math.floor((count * (1 - FEED_DAYS / spanDays)) / shops)) * shops;
  return `insert into merchant_events (merchant_id, last_no, numbered_at, types, subject_ids, nos)
    select c.shop, f.base + cardinality(f.nos) * ((c.n - 1) / ${shops} - ${first / shops} + 1), c.at, f.types,
      array_fill(c.payment_no, array[cardinality(f.nos)]), f.nos
    from chunk c join growth.feed f using (shop) where c.n > ${first}`;
}

export async function setFeedHeads(database: Database): Promise<void> {
  await database.query(
    `update event_heads h set last_no = e.last_no
     from (select merchant_id, max(last_no) as last_no from merchant_events group by 1) e
     where e.merchant_id = h.merchant_id`,
  );
}
