// Who works with the files of a provider: one import or approval at a time. A row, and no lock of a session: it works
// through a pooler that lends connections for one transaction, and lapses when the process dies. An approval that met
// somebody at work is noted in the row: it is next, and imports wait for it.
import { column, columns, type Row } from '../columns.ts';
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

/** Who keeps others out, and since when. AT_WORK: with files. NEXT: an approval that waits for its turn. */
export type FileHolder = Pick<FileLease, 'byName' | 'since'> & { readonly type: 'AT_WORK' | 'NEXT' };

/** Whether an approval is next at $1, which has the milliseconds $2 for it after the work that it met. */
const IS_NEXT = `(f.next_approval is not null and f.until + make_interval(secs => $2::int / 1000.0) > $1
  and is_pending(f.next_approval))`;

const holders = columns({
  byName: column<string>('text', 'case when f.until > $1 then f.by_name else f.next_by_name end'),
  since: column<Date>('timestamptz', 'case when f.until > $1 then f.since else f.next_since end'),
  type: column<FileHolder['type']>('text', `case when f.until > $1 then 'AT_WORK' else 'NEXT' end`),
});

/**
 * Takes the lease for an import, or for other work that no person waits for. Answers null where it is taken from now
 * on, or who keeps it out: whoever works, or an approval that is next, which has `turnMs` after the work that it met.
 */
export async function takeFileLease(
  tx: Tx,
  wanted: FileLease,
  { turnMs }: { readonly turnMs: number },
): Promise<FileHolder | null> {
  const { provider, owner, byName, since, until } = wanted;
  const isTaken = await isChanged(
    tx,
    `insert into file_leases as f (provider, owner, by_name, since, until) values ($3, $4, $5, $1, $6)
     on conflict (provider) do update
     set owner = excluded.owner, by_name = excluded.by_name, since = excluded.since, until = excluded.until,
       next_approval = null, next_by_name = null, next_since = null
     where f.until <= excluded.since and not ${IS_NEXT}`,
    [since, turnMs, provider, owner, byName, until],
  );
  return isTaken ? null : findHolder(tx, wanted);
}

/** The same for an approval, whose identifier is the owner: another one that is next keeps it out no more. */
export async function takeLeaseForApproval(tx: Tx, wanted: FileLease): Promise<FileHolder | null> {
  const { provider, owner, byName, since, until } = wanted;
  const isTaken = await isChanged(
    tx,
    `insert into file_leases as f (provider, owner, by_name, since, until) values ($1, $2, $3, $4, $5)
     on conflict (provider) do update
     set owner = excluded.owner, by_name = excluded.by_name, since = excluded.since, until = excluded.until,
       next_approval = case when f.next_approval <> excluded.owner then f.next_approval end,
       next_by_name = case when f.next_approval <> excluded.owner then f.next_by_name end,
       next_since = case when f.next_approval <> excluded.owner then f.next_since end
     where f.until <= excluded.since`,
    [provider, owner, byName, since, until],
  );
  return isTaken ? null : findHolder(tx, wanted);
}

async function findHolder(tx: Tx, { provider, byName, since }: FileLease): Promise<FileHolder> {
  const found = await holders.find(tx, 'from file_leases f where f.provider = $2', [since, provider]);
  return found ?? { type: 'AT_WORK', byName, since };
}

/**
 * Notes that an approval met somebody at work, and is next. The first one that is still pending stays; an approval that
 * was decided meanwhile is not noted.
 */
export async function noteNextApproval(
  tx: Tx,
  {
    provider,
    approvalId,
    byName,
    now,
  }: {
    readonly provider: string;
    readonly approvalId: string;
    readonly byName: string;
    readonly now: Date;
  },
): Promise<void> {
  await tx.query(
    `insert into file_leases as f (provider, owner, by_name, since, until, next_approval, next_by_name, next_since)
     select $1, $2::uuid, $3, $4, $4, $2::uuid, $3, $4 where is_pending($2::uuid)
     on conflict (provider) do update
     set next_approval = excluded.next_approval, next_by_name = excluded.next_by_name,
       next_since = excluded.next_since, until = greatest(f.until, excluded.until)
     where f.next_approval is null or f.next_approval = excluded.next_approval
       or not is_pending(f.next_approval)`,
    [provider, approvalId, byName, now],
  );
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

/** Gives the lease back. What is next has its time from now on. */
export async function endFileLease(
  tx: Tx,
  { provider, owner, now }: Pick<FileLease, 'provider' | 'owner'> & { readonly now: Date },
): Promise<void> {
  await tx.query(
    'update file_leases set until = least(until, $3) where provider = $1 and owner = $2 and next_approval is not null',
    [provider, owner, now],
  );
  await tx.query('delete from file_leases where provider = $1 and owner = $2 and next_approval is null', [
    provider,
    owner,
  ]);
}
