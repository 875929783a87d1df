// Devices from which people have signed in, as hashes of a cookie they were given.
import type { Tx } from '../database.ts';

type Device = { readonly personId: string; readonly deviceHash: Buffer; readonly seenAt: Date };

export type SeenDevice = { readonly isNew: boolean; readonly isFirst: boolean };

export async function seeDevice(tx: Tx, { personId, deviceHash, seenAt }: Device): Promise<SeenDevice> {
  const { rows } = await tx.query<{ is_new: boolean; is_first: boolean }>(
    `with others as (select 1 from people_devices where person_id = $1 limit 1),
       written as (insert into people_devices (person_id, device_hash, seen_at) values ($1, $2, $3)
         on conflict (person_id, device_hash) do update set seen_at = excluded.seen_at returning xmax = 0 as is_new)
     select is_new, not exists (select 1 from others) as is_first from written`,
    [personId, deviceHash, seenAt],
  );
  return { isNew: rows[0]?.is_new === true, isFirst: rows[0]?.is_first === true };
}
