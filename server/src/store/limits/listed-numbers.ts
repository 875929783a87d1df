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
});

type EntryRow = Row<typeof entries>;

export type ListedNumber = Omit<EntryRow, 'encryptedNumber' | 'encryptedReason'> & {
  readonly phoneNumber: string;
  readonly reason: string;
};

const insertEncrypted = rowInserter(
  'listed_numbers',
  entries.cells,
  // The row is bound to its identifier, so that what was said before is replaced with it.
  `on conflict (number_hash, merchant_id, list) do update set entry_id = excluded.entry_id,
     encrypted_number = excluded.encrypted_number, encrypted_reason = excluded.encrypted_reason,
     expires_at = excluded.expires_at, added_at = excluded.added_at, added_by = excluded.added_by`,
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
     where number_hash = any ($1::bytea[]) and merchant_id is not distinct from $2::uuid and list = $3`,
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
    `from listed_numbers where number_hash = any ($1::bytea[]) and (expires_at is null or expires_at > $2)`,
    [hashes, now],
  );
}

/** A page in the order of identifiers, from behind `after`. */
export async function listListedNumbers(
  tx: Tx,
  keyring: Keyring,
  page: OfNumberList & { readonly after: string | null; readonly countMax: number },
): Promise<readonly ListedNumber[]> {
  const { merchantId, list, after, countMax } = page;
  const whose = merchantId === null ? 'merchant_id is null and $1::uuid is null' : 'merchant_id = $1';
  const rows = await entries.select(
    tx,
    `from listed_numbers where ${whose} and list = $2 and entry_id > $3 order by entry_id limit $4`,
    [merchantId, list, after ?? FIRST_ID, countMax],
  );
  return rows.map((row) => opened(keyring, row));
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
         and o.merchant_id is not distinct from t.merchant_id)`,
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
