// Blocked and allowed phone numbers as rows: found by keyed hash, encrypted under the platform's key, also those of a
// merchant, so that one list is read with one key.
import type { NumberList } from '../../domain/limits/listed-number.ts';
import { column, columns, type Row } from '../columns.ts';
import type { Tx } from '../database.ts';
import { PLATFORM, type Keyring } from '../encryption/encryption.ts';
import { countChanged, isChanged, rowInserter } from '../rows.ts';

const entries = columns({
  entryId: 'uuid',
  merchantId: 'uuid null',
  list: column<NumberList>('text'),
  numberHash: 'bytea',
  encryptedNumber: 'bytea',
  encryptedReason: 'bytea',
  expiresAt: 'timestamptz null',
  addedAt: 'timestamptz',
  addedBy: 'text',
  approvalId: 'uuid null',
  isRequested: 'bool',
});

type EntryRow = Row<typeof entries>;

/** One that is requested is not on the list. */
export type ListedNumber = Omit<EntryRow, 'encryptedNumber' | 'encryptedReason'> & {
  readonly phoneNumber: string;
  readonly reason: string;
};

const insertEncrypted = rowInserter(
  'listed_numbers',
  entries.cells,
  // The row is bound to its identifier, so that what was said before is replaced with it.
  // One person blocks at once, so that it must not end a longer block.
  `on conflict (number_hash, merchant_id, list) where not is_requested do update set entry_id = excluded.entry_id,
     encrypted_number = excluded.encrypted_number, encrypted_reason = excluded.encrypted_reason,
     expires_at = case
       when excluded.list = 'ALLOWED' then excluded.expires_at
       when listed_numbers.expires_at is null or excluded.expires_at is null then null
       else greatest(listed_numbers.expires_at, excluded.expires_at) end,
     added_at = excluded.added_at, added_by = excluded.added_by, approval_id = excluded.approval_id`,
);

export async function insertListedNumbers(
  tx: Tx,
  keyring: Keyring,
  listed: readonly ListedNumber[],
): Promise<void> {
  const rows = listed
    .map(({ phoneNumber, reason, ...entry }) => ({
      ...entry,
      encryptedNumber: keyring.encrypt(identityOf(entry, 'number'), phoneNumber),
      encryptedReason: keyring.encrypt(identityOf(entry, 'reason'), reason),
    }))
    // The order of locks, for two lists with the same numbers.
    .toSorted((a, b) => a.numberHash.compare(b.numberHash));
  await insertEncrypted(tx, rows);
}

export type OfNumberList = { readonly merchantId: string | null; readonly list: NumberList };

/** Answers how many. */
export async function deleteListedNumbers(
  tx: Tx,
  { merchantId, list }: OfNumberList,
  hashes: readonly Buffer[],
): Promise<number> {
  return countChanged(
    tx,
    `delete from listed_numbers
     where number_hash = any ($1::bytea[]) and merchant_id is not distinct from $2::uuid and list = $3
       and not is_requested`,
    [hashes, merchantId, list],
  );
}

const found = columns({ numberHash: 'bytea', merchantId: 'uuid null', list: column<NumberList>('text') });

/** Entries of any merchant with one of these hashes, as far as they have not expired. */
export async function lookUpNumbers(
  tx: Tx,
  hashes: readonly Buffer[],
  now: Date,
): Promise<readonly Row<typeof found>[]> {
  return found.select(
    tx,
    `from listed_numbers where number_hash = any ($1::bytea[]) and not is_requested
       and (expires_at is null or expires_at > $2)`,
    [hashes, now],
  );
}

/** A place in a list that goes by time. */
export type NumberCursor = { readonly at: Date; readonly id: string };

/** A page of a list, what was added last first. */
export async function listListedNumbers(
  tx: Tx,
  keyring: Keyring,
  page: OfNumberList & { readonly after: NumberCursor | null; readonly countMax: number },
): Promise<readonly ListedNumber[]> {
  const { merchantId, list, after, countMax } = page;
  const whose = merchantId === null ? 'merchant_id is null and $1::uuid is null' : 'merchant_id = $1';
  const rows = await entries.select(
    tx,
    `from listed_numbers where ${whose} and list = $2 and not is_requested
       ${after === null ? '' : 'and (added_at, entry_id) < ($4, $5)'}
     order by added_at desc, entry_id desc limit $3`,
    [merchantId, list, countMax, ...(after === null ? [] : [after.at, after.id])],
  );
  return rows.map((row) => opened(keyring, row));
}

/** Entries of one number, under any of its hashes: on any list, of the platform or any merchant. */
export async function findEntriesOfNumber(
  tx: Tx,
  keyring: Keyring,
  hashes: readonly Buffer[],
): Promise<readonly ListedNumber[]> {
  const tail = 'from listed_numbers where number_hash = any ($1::bytea[]) and not is_requested';
  const rows = await entries.select(tx, tail, [hashes]);
  return rows.map((row) => opened(keyring, row));
}

export async function findNumberEntry(
  tx: Tx,
  keyring: Keyring,
  entryId: string,
): Promise<ListedNumber | null> {
  const row = await entries.find(tx, 'from listed_numbers where entry_id = $1', [entryId]);
  return row === null ? null : opened(keyring, row);
}

export async function listNumberEntries(
  tx: Tx,
  keyring: Keyring,
  entryIds: readonly string[],
): Promise<readonly ListedNumber[]> {
  const rows = await entries.select(tx, 'from listed_numbers where entry_id = any ($1::uuid[])', [entryIds]);
  return rows.map((row) => opened(keyring, row));
}

/** Entries that block a number for every merchant, and that the other cell does not have, or not for as long. */
export async function listMissingBlocks(
  { from, to }: { readonly from: Tx; readonly to: Tx },
  { now, since }: { readonly now: Date; readonly since: Date },
): Promise<readonly string[]> {
  const { rows: read } = await from.query<{ blocks: string }>(
    `select coalesce(json_agg(b), '[]')::text as blocks from (
       select entry_id, number_hash, coalesce(expires_at, 'infinity') as expires_at from listed_numbers
       where merchant_id is null and list = 'BLOCKED' and added_at >= $2 and not is_requested
         and (expires_at is null or expires_at > $1)) b`,
    [now, since],
  );
  const { rows } = await to.query<{ entry_id: string }>(
    `select b.entry_id from json_populate_recordset(null::listed_numbers, $1::json) b
     where not exists (
       select 1 from listed_numbers t
       where t.number_hash = b.number_hash and t.merchant_id is null and t.list = 'BLOCKED' and not t.is_requested
         and coalesce(t.expires_at, 'infinity') >= b.expires_at)
       -- Under the hash of another search key it is the same entry.
       and not exists (select 1 from listed_numbers t where t.entry_id = b.entry_id)`,
    [read[0]?.blocks ?? '[]'],
  );
  return rows.map((row) => row.entry_id);
}

/** What a request adds, or has added, in the order of identifiers. */
export async function listNumbersOfApproval(
  tx: Tx,
  keyring: Keyring,
  page: { readonly approvalId: string; readonly after: string | null; readonly countMax: number },
): Promise<readonly ListedNumber[]> {
  const { approvalId, after, countMax } = page;
  const tail = 'from listed_numbers where approval_id = $1 and entry_id > $2 order by entry_id limit $3';
  const rows = await entries.select(tx, tail, [approvalId, after ?? FIRST_ID, countMax]);
  return rows.map((row) => opened(keyring, row));
}

/** From now on they are on the list, instead of what it said about the same numbers. Answers how many. */
export async function putOnList(tx: Tx, approvalId: string): Promise<number> {
  await tx.query(
    `delete from listed_numbers o using listed_numbers n
     where n.approval_id = $1 and n.is_requested and not o.is_requested and o.number_hash = n.number_hash
       and o.list = n.list and o.merchant_id is not distinct from n.merchant_id`,
    [approvalId],
  );
  const text = 'update listed_numbers set is_requested = false where approval_id = $1 and is_requested';
  return countChanged(tx, text, [approvalId]);
}

/** What was rejected or withdrawn. */
export async function deleteRequestedNumbers(tx: Tx, approvalId: string): Promise<void> {
  await tx.query('delete from listed_numbers where approval_id = $1 and is_requested', [approvalId]);
}

/** The same of all lists. */
export async function listAllNumbers(
  tx: Tx,
  keyring: Keyring,
  { after, countMax }: { readonly after: string | null; readonly countMax: number },
): Promise<readonly ListedNumber[]> {
  const tail = 'from listed_numbers where entry_id > $1 order by entry_id limit $2';
  const rows = await entries.select(tx, tail, [after ?? FIRST_ID, countMax]);
  return rows.map((row) => opened(keyring, row));
}

/** The same number under another hash. Where that is on the list too, this entry makes way. */
export async function replaceNumberHash(tx: Tx, entryId: string, hash: Buffer): Promise<void> {
  const isReplaced = await isChanged(
    tx,
    `update listed_numbers t set number_hash = $2 where entry_id = $1 and not exists (
       select 1 from listed_numbers o where o.number_hash = $2 and o.list = t.list
         and o.merchant_id is not distinct from t.merchant_id and o.is_requested = t.is_requested
         and (not t.is_requested or o.approval_id = t.approval_id))`,
    [entryId, hash],
  );
  if (!isReplaced) await tx.query('delete from listed_numbers where entry_id = $1', [entryId]);
}

const FIRST_ID = '00000000-0000-0000-0000-000000000000';

function opened(keyring: Keyring, { encryptedNumber, encryptedReason, ...row }: EntryRow): ListedNumber {
  return {
    ...row,
    phoneNumber: keyring.openText(identityOf(row, 'number'), encryptedNumber),
    reason: keyring.openText(identityOf(row, 'reason'), encryptedReason),
  };
}

function identityOf({ entryId }: Pick<ListedNumber, 'entryId'>, what: 'number' | 'reason') {
  return { merchantId: PLATFORM, row: `listed_numbers/${entryId}/${what}` };
}
