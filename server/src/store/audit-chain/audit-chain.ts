// The hash chain of the audit log: links are numbered without gaps in the order in which they commit, because a worker
// builds on the head that it has locked.
import { column, columns, type Row } from '../columns.ts';
import type { Tx } from '../database.ts';
import { rowInserter } from '../rows.ts';
import type { ChainedEntry } from '../../wire/audit-line.ts';

/** As text with microseconds, whatever the session's settings: it is hashed. */
const exactTime = (name: string) => `to_char(${name} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`;

const entries = columns({
  entryId: column<string>('uuid', 'a.id'),
  entryNo: column<number>('bigint', 'a.entry_no'),
  at: column<string>('text', exactTime('a.at')),
  actor: column<string>('text', 'a.actor'),
  act: column<string>('text', 'a.act'),
  merchantId: column<string | null>('uuid null', 'a.merchant_id'),
  subject: column<string>('text', 'a.subject'),
  detail: column<ChainedEntry['detail']>('jsonb', 'a.detail'),
  reasonHash: column<string | null>('text null', `encode(a.reason_hash, 'hex')`),
});

const heads = columns({
  no: column<number>('bigint', 'head_no'),
  hash: column<string>('text', `encode(head_hash, 'hex')`),
  lookedAt: column<Date | null>('timestamptz null', 'looked_at'),
});

export type ChainHead = Row<typeof heads>;

/** Null while another worker builds. It is this one's turn until its transaction ends. */
export function lockHead(tx: Tx): Promise<ChainHead | null> {
  return heads.find(tx, 'from audit_chain_head where is_only for update skip locked');
}

export async function readHead(tx: Tx): Promise<ChainHead> {
  const head = await heads.find(tx, 'from audit_chain_head where is_only');
  if (head === null) throw new Error('the audit log has no chain: a row of audit_chain_head was deleted');
  return head;
}

export async function moveHead(tx: Tx, { no, hash, lookedAt }: ChainHead): Promise<void> {
  await tx.query(
    `update audit_chain_head set head_no = $1, head_hash = decode($2, 'hex'), looked_at = $3 where is_only`,
    [no, hash, lookedAt],
  );
}

/** Entries that are committed and wait for the chain, in the order in which they were made. */
export function listUnchained(tx: Tx, countMax: number): Promise<readonly ChainedEntry[]> {
  return entries.select(
    tx,
    `from audit_log a where a.id = any (array(select entry_id from audit_unchained order by entry_no limit $1))
     order by a.entry_no`,
    [countMax],
  );
}

export async function deleteUnchained(tx: Tx, entryNos: readonly number[]): Promise<void> {
  await tx.query('delete from audit_unchained where entry_no = any($1::bigint[])', [entryNos]);
}

const newLinks = columns({
  no: column<number>('bigint', 'chain_no'),
  entryId: 'uuid',
  chainedAt: 'timestamptz',
  lookedAt: 'timestamptz null',
  hash: 'bytea',
});

export const insertLinks = rowInserter('audit_chain', newLinks.cells);

const links = columns({
  ...entries.defs,
  no: column<number>('bigint', 'c.chain_no'),
  linkedId: column<string>('uuid', 'c.entry_id'),
  /** Null where the entry is gone. */
  foundId: column<string | null>('uuid null', 'a.id'),
  chainedAt: column<string>('text', exactTime('c.chained_at')),
  lookedAt: column<string | null>('text null', exactTime('c.looked_at')),
  hash: column<string>('text', `encode(c.hash, 'hex')`),
  encryptedReason: column<Buffer | null>('bytea null', 'a.encrypted_reason'),
  /** Whether the entry carries a time at which the chain was complete without it, by more than $2 milliseconds. */
  isLate: column<boolean>('bool', `coalesce(a.at < c.looked_at - $2 * interval '1 millisecond', false)`),
});

export type ChainLink = Row<typeof links>;

/** The links behind a number, in their order. Those that are visible are always all up to the last one. */
export function listLinks(
  tx: Tx,
  {
    afterNo,
    countMax,
    lateAfterMs,
  }: { readonly afterNo: number; readonly countMax: number; readonly lateAfterMs: number },
): Promise<readonly ChainLink[]> {
  return links.select(
    tx,
    `from audit_chain c left join audit_log a on a.id = c.entry_id
     where c.chain_no > $1 order by c.chain_no limit $3`,
    [afterNo, lateAfterMs, countMax],
  );
}

/** The hash of one link; null where there is no such link. */
export async function findHash(tx: Tx, no: number): Promise<string | null> {
  const { rows } = await tx.query<{ hash: string }>(
    `select encode(hash, 'hex') as hash from audit_chain where chain_no = $1`,
    [no],
  );
  return rows[0]?.hash ?? null;
}

/** Up to which number entries of merchants can have been copied here, by merchant: the last time each moved here. */
export async function listArrivals(tx: Tx, cell: string): Promise<ReadonlyMap<string, number>> {
  const { rows } = await tx.query<{ merchant_id: string; last_no: string }>(
    `select a.merchant_id, max(c.chain_no) as last_no from audit_log a join audit_chain c on c.entry_id = a.id
     where a.act = 'MERCHANT_MOVED' and a.detail->>'to' = $1 group by 1`,
    [cell],
  );
  return new Map(rows.map((row) => [row.merchant_id, Number(row.last_no)]));
}

export type Unchained = { readonly count: number; readonly oldestAt: Date | null };

/** What waits for the chain, and the time of the entry that was made first. */
export async function countUnchained(tx: Tx): Promise<Unchained> {
  const { rows } = await tx.query<{ count: string; oldest_at: Date | null }>(
    `select (select count(*) from audit_unchained) as count, (select a.at from audit_log a where a.id = (
       select entry_id from audit_unchained order by entry_no limit 1)) as oldest_at`,
  );
  return { count: Number(rows[0]?.count ?? 0), oldestAt: rows[0]?.oldest_at ?? null };
}

/** Entries that neither are in the chain nor wait for it: they were not written by the gateway. */
export function listStrayEntries(tx: Tx, countMax: number): Promise<readonly string[]> {
  return listIds(
    tx,
    `select a.id from audit_log a
     where not exists (select 1 from audit_chain c where c.entry_id = a.id)
       and not exists (select 1 from audit_unchained u where u.entry_id = a.id)
     order by a.entry_no limit $1`,
    countMax,
  );
}

/** Entries that were removed while they waited for the chain. */
export function listLostEntries(tx: Tx, countMax: number): Promise<readonly string[]> {
  return listIds(
    tx,
    `select u.entry_id as id from audit_unchained u
     where not exists (select 1 from audit_log a where a.id = u.entry_id) order by 1 limit $1`,
    countMax,
  );
}

async function listIds(tx: Tx, text: string, countMax: number): Promise<readonly string[]> {
  const { rows } = await tx.query<{ id: string }>(text, [countMax]);
  return rows.map(({ id }) => id);
}

/** From here on the transaction sees what was committed when it began. */
export async function readConsistently(tx: Tx): Promise<void> {
  await tx.query('set transaction isolation level repeatable read, read only');
}
