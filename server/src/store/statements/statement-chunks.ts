// The files of statements, in pieces, each encrypted for its position: none can be exchanged or put in another order.
import { columns, type Row } from '../columns.ts';
import type { Tx } from '../database.ts';
import { countChanged, oneRowInserter } from '../rows.ts';
import type { Pruning } from '../retention.ts';
import type { Keyring } from '../encryption/encryption.ts';

/** One piece of what one making of a statement wrote. */
const chunkKeys = columns({ merchantId: 'uuid', statementId: 'uuid', makingNo: 'int', chunkNo: 'int' });
export type ChunkKey = Row<typeof chunkKeys>;

const insertEncrypted = oneRowInserter(
  'statement_chunks',
  columns({ ...chunkKeys.defs, encryptedBytes: 'bytea' }).cells,
);

/** The merchant's data key must be loaded. */
export async function insertChunk(tx: Tx, keyring: Keyring, key: ChunkKey, bytes: Buffer): Promise<void> {
  await insertEncrypted(tx, { ...key, encryptedBytes: keyring.encrypt(identityOf(key), bytes) });
}

/** Null behind the last one, and where there is none any more. The merchant's data key must be loaded. */
export async function findChunk(tx: Tx, keyring: Keyring, key: ChunkKey): Promise<Buffer | null> {
  const { rows } = await tx.query<{ encrypted_bytes: Buffer }>(
    `select encrypted_bytes from statement_chunks
     where merchant_id = $1 and statement_id = $2 and making_no = $3 and chunk_no = $4`,
    [key.merchantId, key.statementId, key.makingNo, key.chunkNo],
  );
  return rows[0] === undefined ? null : keyring.open(identityOf(key), rows[0].encrypted_bytes);
}

/** What other makings of a statement left behind. */
export async function deleteOtherChunks(
  tx: Tx,
  { merchantId, statementId, makingNo }: Omit<ChunkKey, 'chunkNo'>,
): Promise<void> {
  await tx.query(
    'delete from statement_chunks where merchant_id = $1 and statement_id = $2 and making_no <> $3',
    [merchantId, statementId, makingNo],
  );
}

/** Answers how many. Of statements that were asked for before the time given. */
export async function pruneStatementChunks(tx: Tx, { before, countMax }: Pruning): Promise<number> {
  return countChanged(
    tx,
    `delete from statement_chunks where (merchant_id, statement_id, making_no, chunk_no) in (
       select c.merchant_id, c.statement_id, c.making_no, c.chunk_no from statements s cross join lateral (
         select merchant_id, statement_id, making_no, chunk_no from statement_chunks c
         where c.merchant_id = s.merchant_id and c.statement_id = s.statement_id limit $2) c
       where s.created_at < $1 limit $2)`,
    [before, countMax],
  );
}

function identityOf({ merchantId, statementId, makingNo, chunkNo }: ChunkKey) {
  return { merchantId, row: `statement_chunks/${statementId}/${makingNo}/${chunkNo}` };
}
