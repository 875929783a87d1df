// Makes the file of a statement: one look at the books, read from a cursor, written away piece by piece. Nothing is
// ever held as a whole, and what does not add up is not handed out.
import { Readable, pipeline } from 'node:stream';
import { createGzip } from 'node:zlib';
import type { Amount } from '../../domain/money.ts';
import { statementRow } from '../../domain/wallet-statement.ts';
import { inTransaction, type Tx } from '../../store/database.ts';
import { loadDataKeys } from '../../store/encryption/data-keys.ts';
import { freezeBooks } from '../../store/ledger/ledger-sums.ts';
import { accountId } from '../../store/ledger/wallet-funds.ts';
import { insertChunk } from '../../store/statements/statement-chunks.ts';
import {
  seesAllBefore,
  type Claim,
  type Statement,
  type StatementFile,
} from '../../store/statements/statements.ts';
import type { Store } from '../../store/store.ts';
import { readMovements, readPosted, sumMovements } from '../../store/ledger/wallet-movements.ts';
import { renderBalanceRow, renderHeader, renderRow } from '../../wire/v2/statements/statement-csv.ts';

/** Large enough that 100,000 rows are some two hundred of them, small enough that no one notices one in memory. */
const CHUNK_BYTES = 32 * 1024;

/** The movements of a statement do not lead from its first balance to its last. */
class DoesNotAddUp extends Error {
  constructor({ statementId }: Statement) {
    super(`the movements of statement ${statementId} do not add up`);
    this.name = 'DoesNotAddUp';
  }
}

/** What is needed to make a file: no clock, and no one to talk to. */
export type MakingStore = Pick<Store, 'database' | 'keyring'>;

/**
 * Writes the chunks of a claimed statement. Answers null when movements of the span can still be in progress, and
 * nothing was written.
 */
export async function makeStatement(store: MakingStore, claim: Claim): Promise<StatementFile | null> {
  const { statement, makingNo } = claim;
  await loadDataKeys(store, [statement.merchantId]);
  return inTransaction(store.database, async (tx) => {
    await freezeBooks(tx);
    if (!(await seesAllBefore(tx, claim))) return null;
    const counted = { rows: 0 };
    let fileBytes = 0;
    let chunkNo = 0;
    for await (const chunk of chunksOf(store, tx, statement, counted)) {
      // A long statement can outlive the key that was there at its beginning.
      await loadDataKeys(store, [statement.merchantId]);
      // On a connection of its own: the look at the books stays as it was.
      await insertChunk(store.database, store.keyring, { ...statement, makingNo, chunkNo }, chunk);
      fileBytes += chunk.length;
      chunkNo += 1;
    }
    return { makingNo, fileBytes, rowCount: counted.rows };
  });
}

type Counted = { rows: number };

async function* chunksOf(
  store: MakingStore,
  tx: Tx,
  statement: Statement,
  counted: Counted,
): AsyncGenerator<Buffer> {
  const text = Readable.from(textOf(store, tx, statement, counted), { objectMode: false });
  const bytes = statement.isCompressed ? pipeline(text, createGzip(), () => undefined) : text;
  let parts: Buffer[] = [];
  let byteCount = 0;
  for await (const part of bytes as AsyncIterable<Buffer>) {
    parts.push(part);
    byteCount += part.length;
    if (byteCount < CHUNK_BYTES) continue;
    yield Buffer.concat(parts);
    parts = [];
    byteCount = 0;
  }
  if (byteCount > 0) yield Buffer.concat(parts);
}

/** A page of rows at a time. */
async function* textOf(
  store: MakingStore,
  tx: Tx,
  statement: Statement,
  counted: Counted,
): AsyncGenerator<Buffer> {
  const { wallet, merchantId, startsAt, coversUntil } = statement;
  const { currency } = wallet;
  const walletId = accountId({ type: 'WALLET', merchantId, ...wallet });
  const span = { accountId: walletId, from: startsAt, until: coversUntil };
  const { opening, closing } = await balancesOf(tx, span);
  yield Buffer.from(
    renderHeader() + renderBalanceRow('OPENING_BALANCE', { currency, balance: opening, at: startsAt }),
  );
  let balance = opening;
  for await (const page of readMovements(tx, store.keyring, { ...span, merchantId })) {
    let text = '';
    for (const movement of page) {
      balance += movement.net;
      text += renderRow(statementRow(movement, balance), currency);
    }
    counted.rows += page.length;
    if (text !== '') yield Buffer.from(text);
  }
  if (balance !== closing) throw new DoesNotAddUp(statement);
  yield Buffer.from(renderBalanceRow('CLOSING_BALANCE', { currency, balance: closing, at: coversUntil }));
}

/** From what the wallet has now, backwards: so much less has to be read than all that ever moved it. */
async function balancesOf(
  tx: Tx,
  span: { readonly accountId: string; readonly from: Date; readonly until: Date },
): Promise<{ readonly opening: Amount; readonly closing: Amount }> {
  const posted = await readPosted(tx, span.accountId);
  const closing = posted - (await sumMovements(tx, { ...span, from: span.until, until: null }));
  return { opening: closing - (await sumMovements(tx, span)), closing };
}
