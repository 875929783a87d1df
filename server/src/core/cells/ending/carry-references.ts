// What a cell that ends has posted under references of banks and operators goes to the cells that go on: when it has
// left the settings nobody can ask it, and a report that is imported once more must find it.
import type { MoneyReference } from '../../../domain/ledger/money-reference.ts';
import {
  deleteClaim,
  listClaimsOfCell,
  type ReferenceClaim,
} from '../../../store/cells/claimed-references.ts';
import { inTransaction, type Database, type Tx } from '../../../store/database.ts';
import {
  insertReferencesOf,
  listReferencesAfter,
  listUnknownReferences,
  type PostedReference,
} from '../../../store/ledger/posted-references.ts';
import type { Engine } from '../../engine.ts';
import { accountSharing } from '../../operators/shared-account.ts';
import { askCell, askOtherCells, type CellSilent } from '../ask-other-cells.ts';
import { isVoidClaim } from '../claim-reference.ts';

/** As many with one statement. */
const PAGE = 1_000;

/**
 * Into every other cell, of the sources that it shares. Doing it twice is harmless. Null where all cells answered.
 */
export async function carryReferences(engine: Engine): Promise<CellSilent | null> {
  for await (const page of pagesOf(engine.store.database)) {
    const sharedWith = await sharing(engine, page);
    const written = await askOtherCells(engine, async (database) => {
      const shared = await sharedWith(database);
      await inTransaction(database, (tx) => insertReferencesOf(tx, shared));
    });
    if (written.type === 'CELL_SILENT') return written;
  }
  return null;
}

/** How many references of this cell another one that shares their source does not know. */
export async function countReferencesLeft(engine: Engine): Promise<number | CellSilent> {
  let count = 0;
  for await (const page of pagesOf(engine.store.database)) {
    const sharedWith = await sharing(engine, page);
    const unknown = await askOtherCells(engine, async (database) =>
      listUnknownReferences(database, await sharedWith(database)),
    );
    if (unknown.type === 'CELL_SILENT') return unknown;
    count += new Set(unknown.answers.flatMap(({ answer }) => answer.map(nameOf))).size;
  }
  return count;
}

/**
 * Gives back what this cell has claimed for requests that were rejected or withdrawn, while it can still be asked about
 * them. What it has posted is known to the others.
 */
export async function settleClaims(engine: Engine): Promise<CellSilent | null> {
  const directory = engine.databaseOf(engine.directoryCell);
  const own = await askCell(engine.directoryCell, () => listClaimsOfCell(directory, engine.home));
  if (own.type === 'CELL_SILENT') return own;
  for (const claim of own.answer) {
    const silent = await settle(engine, claim);
    if (silent !== null) return silent;
  }
  return null;
}

async function settle(engine: Engine, claim: ReferenceClaim): Promise<CellSilent | null> {
  const isVoid = await isVoidClaim(engine, claim);
  if (isVoid === false) return null;
  if (isVoid !== true) return isVoid;
  const directory = engine.databaseOf(engine.directoryCell);
  const deleted = await askCell(engine.directoryCell, () => deleteClaim(directory, claim));
  return deleted.type === 'CELL_SILENT' ? deleted : null;
}

async function* pagesOf(database: Database): AsyncGenerator<readonly PostedReference[]> {
  let after: PostedReference | null = null;
  for (;;) {
    const page: readonly PostedReference[] = await listReferencesAfter(database, { after, countMax: PAGE });
    if (page.length === 0) return;
    yield page;
    after = page.at(-1) ?? null;
  }
}

/** Answers how to tell which of a page are another cell's references too. All cells share the bank. */
async function sharing(
  engine: Engine,
  page: readonly PostedReference[],
): Promise<(cell: Tx) => Promise<readonly PostedReference[]>> {
  const providers = new Set(page.map(({ source }) => source).filter((source) => source !== 'BANK'));
  const tests = await Promise.all(
    [...providers].map(async (source) => ({ source, isShared: await accountSharing(engine, source) })),
  );
  return async (cell) => {
    const shared = new Set(['BANK']);
    for (const { source, isShared } of tests) if (await isShared(cell)) shared.add(source);
    return page.filter(({ source }) => shared.has(source));
  };
}

function nameOf({ source, reference }: MoneyReference): string {
  return `${source} ${reference}`;
}
