// The merchants that a drain has to move.
import type { Tx } from '../../database.ts';

/** Those that live here, and those that have left and are not cleared. In the order of their identifiers. */
export async function listMerchantsToMove(tx: Tx): Promise<readonly string[]> {
  const { rows } = await tx.query<{ merchant_id: string }>(
    `select m.merchant_id from merchants m left join migration_locks f using (merchant_id)
     where f.state is null or f.state in ('COPYING', 'LEAVING')
       or f.state = 'AWAY' and not f.is_copy
         and (exists (select 1 from payment_keys k where k.merchant_id = m.merchant_id)
           or exists (select 1 from accounts a where a.merchant_id = m.merchant_id))
     order by m.merchant_id`,
  );
  return rows.map((row) => row.merchant_id);
}
