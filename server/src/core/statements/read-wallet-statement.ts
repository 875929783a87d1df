// A statement as its merchant may see it, and its file for anyone who has a link to it.
import { canonicalIdentifier } from '../../domain/identifier.ts';
import { loadDataKeys } from '../../store/encryption/data-keys.ts';
import { findChunk } from '../../store/statements/statement-chunks.ts';
import {
  findStatement,
  listStatements,
  type Statement,
  type StatementFile,
  type StatementKey,
  type StatementPage,
} from '../../store/statements/statements.ts';
import { record, type Actor } from '../audit.ts';
import type { Engine, StorePart } from '../engine.ts';
import { inMerchant } from '../cells/lock-merchant.ts';
import { requireStillHere } from '../cells/cell-assignments.ts';
import { addMs } from '../../domain/time.ts';
import { readLink, renderLink, type StatementLink } from './statement-link.ts';

/** Where the files are, behind the gateway's own address. */
export const STATEMENT_FILES_PATH = '/statements';

/** As long as a link is good. Asking for the status again gives a new one. */
const LINK_MS = 24 * 3_600_000;

export type StatementView = {
  readonly statement: Statement;
  /** Only of a COMPLETED one. Made again for every view. */
  readonly download: { readonly url: string; readonly expiresAt: Date } | null;
};

export async function readStatement(
  engine: Engine,
  query: { readonly merchantId: string; readonly writtenId: string },
): Promise<StatementView | null> {
  const { merchantId } = query;
  const statementId = canonicalIdentifier(query.writtenId);
  const statement = await findStatement(engine.store.database, { merchantId, statementId });
  if (statement !== null) return { statement, download: await linkTo(engine, statement) };
  await requireStillHere(engine.cellAssignments, merchantId);
  return null;
}

async function linkTo(engine: Engine, statement: Statement): Promise<StatementView['download']> {
  if (statement.file === null) return null;
  const expiresAt = addMs(await engine.clock.timeOf(engine.store.database), LINK_MS);
  return { url: `${statement.baseUrl}${pathOf(engine, statement, expiresAt)}`, expiresAt };
}

function pathOf({ linkKeys }: Pick<Engine, 'linkKeys'>, statement: Statement, expiresAt: Date): string {
  return `${STATEMENT_FILES_PATH}/${renderLink(linkKeys.statementLinks, { ...statement, expiresAt })}`;
}

/** The newest first. */
export async function readStatementPage(engine: Engine, page: StatementPage): Promise<readonly Statement[]> {
  const statements = await listStatements(engine.store.database, page);
  await requireStillHere(engine.cellAssignments, page.merchantId);
  return statements;
}

/** Long enough to follow it at once. */
const FETCH_MS = 60_000;

/**
 * The path to a file for somebody who is signed in. Files name payers: it is recorded who fetched one. Null where
 * there is no such file, or not yet.
 */
export async function fetchStatement(
  engine: Engine,
  { merchantId, statementId, by }: StatementKey & Actor,
): Promise<{ readonly path: string; readonly expiresAt: Date } | null> {
  return inMerchant(engine.store.database, merchantId, async (tx) => {
    const statement = await findStatement(tx, { merchantId, statementId });
    if (statement === null || statement.file === null) return null;
    const detail = { rowCount: statement.file.rowCount };
    await record(engine, tx, [{ by, act: 'STATEMENT_FETCHED', merchantId, subject: statementId, detail }]);
    const expiresAt = addMs(await engine.clock.timeOf(tx), FETCH_MS);
    return { path: pathOf(engine, statement, expiresAt), expiresAt };
  });
}

export type FileAnswer =
  | {
      readonly type: 'FOUND';
      readonly statement: Statement;
      readonly fileBytes: number;
      readonly chunks: AsyncIterable<Buffer>;
    }
  /** The file is made again, because its merchant moved. */
  | { readonly type: 'NOT_NOW' }
  /** The link is too old, or none of ours, or what it leads to is forgotten. */
  | { readonly type: 'NOT_FOUND' };

/** Throws MerchantInOtherCell where the file is in another cell. */
export async function openStatementFile(engine: Engine, link: string): Promise<FileAnswer> {
  const key = readLink(engine.linkKeys.statementLinks, link);
  if (key === null || !isGood(key, await engine.clock.timeOf(engine.store.database)))
    return { type: 'NOT_FOUND' };
  const merchant = await engine.directory.merchant(key.merchantId);
  if (merchant === null || merchant.isSuspended) return { type: 'NOT_FOUND' };
  await requireStillHere(engine.cellAssignments, key.merchantId);
  const statement = await findStatement(engine.store.database, key);
  if (statement === null || statement.file === null) return { type: 'NOT_FOUND' };
  if (statement.dueAt !== null) return { type: 'NOT_NOW' };
  await loadDataKeys(engine.store, [key.merchantId]);
  const { fileBytes } = statement.file;
  return { type: 'FOUND', statement, fileBytes, chunks: readChunks(engine, statement, statement.file) };
}

/** A database that takes over from another one may be so far behind it. */
const SKEW_MS = 60_000;

/** A link that lasts longer than ours do was not made here, whatever key signed it. */
function isGood({ expiresAt }: StatementLink, now: Date): boolean {
  return expiresAt > now && expiresAt <= addMs(now, LINK_MS + SKEW_MS);
}

/** One at a time: a slow reader keeps one in memory, and no connection to the database. */
async function* readChunks(
  { store }: StorePart,
  statement: Statement,
  { makingNo, fileBytes }: StatementFile,
): AsyncGenerator<Buffer> {
  let bytesLeft = fileBytes;
  for (let chunkNo = 0; bytesLeft > 0; chunkNo += 1) {
    const chunk = await findChunk(store.database, store.keyring, { ...statement, makingNo, chunkNo });
    // Anyone who reads must not take what there was for all of it.
    if (chunk === null) throw new Error(`chunk ${chunkNo} of statement ${statement.statementId} is missing`);
    bytesLeft -= chunk.length;
    yield chunk;
  }
}
