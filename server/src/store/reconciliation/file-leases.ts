// Who works with the files of a provider: one import or approval at a time. A row, and no lock of a session: it works
// through a pooler that lends connections for one transaction, and lapses when the process dies.
import { columns, type Row } from '../columns.ts';
import type { Tx } from '../database.ts';
import { isChanged } from '../rows.ts';

const leases = columns({
  provider: 'text',
  owner: 'uuid',
  byName: 'text',
  since: 'timestamptz',
  until: 'timestamptz',
});

export type FileLease = Row<typeof leases>;

/** Answers null where it is taken from now on, or the lease that somebody else holds. */
export async function takeFileLease(tx: Tx, wanted: FileLease): Promise<FileLease | null> {
  const { provider, owner, byName, since, until } = wanted;
  const isTaken = await isChanged(
    tx,
    `insert into file_leases (provider, owner, by_name, since, until) values ($1, $2, $3, $4, $5)
     on conflict (provider) do update
     set owner = excluded.owner, by_name = excluded.by_name, since = excluded.since, until = excluded.until
     where file_leases.until <= excluded.since`,
    [provider, owner, byName, since, until],
  );
  if (isTaken) return null;
  return (await leases.find(tx, 'from file_leases where provider = $1', [provider])) ?? wanted;
}

/** Answers false where it had lapsed and somebody else took it. */
export async function renewFileLease(
  tx: Tx,
  { provider, owner, until }: Pick<FileLease, 'provider' | 'owner' | 'until'>,
): Promise<boolean> {
  return isChanged(tx, 'update file_leases set until = $3 where provider = $1 and owner = $2', [
    provider,
    owner,
    until,
  ]);
}

export async function endFileLease(
  tx: Tx,
  { provider, owner }: Pick<FileLease, 'provider' | 'owner'>,
): Promise<void> {
  await tx.query('delete from file_leases where provider = $1 and owner = $2', [provider, owner]);
}
