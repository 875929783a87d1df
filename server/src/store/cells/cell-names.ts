// Which database is which cell. A name is given to one database, for ever.
import { columns, type Row } from '../columns.ts';
import type { Tx } from '../database.ts';

const identity = columns({ databaseId: 'uuid', cell: 'text', registeredAt: 'timestamptz null' });

/** A database as it knows itself. A restored one is the same; another one is another, at whatever address. */
export type CellIdentity = Row<typeof identity>;

const names = columns({ cell: 'text', databaseId: 'uuid', registeredAt: 'timestamptz' });

/** A name as the first cell knows it. */
export type CellName = Row<typeof names>;

/** Null where no process of a cell has opened the database yet. */
export async function findIdentity(tx: Tx): Promise<CellIdentity | null> {
  return identity.find(tx, 'from cell_identity', []);
}

/** Gives the database an identity where it has none, and answers the one that it has. */
export async function ensureIdentity(
  tx: Tx,
  { databaseId, cell }: Pick<CellIdentity, 'databaseId' | 'cell'>,
): Promise<CellIdentity> {
  const known = await findIdentity(tx);
  if (known !== null) return known;
  await tx.query('insert into cell_identity (database_id, cell) values ($1, $2) on conflict do nothing', [
    databaseId,
    cell,
  ]);
  const written = await findIdentity(tx);
  if (written === null) throw new Error('the database has no identity');
  return written;
}

export async function markRegistered(tx: Tx, registeredAt: Date): Promise<void> {
  await tx.query('update cell_identity set registered_at = $1 where registered_at is null', [registeredAt]);
}

/** In the first cell. Changes nothing where the name, or the database, is known already. */
export async function insertCellName(tx: Tx, { cell, databaseId, registeredAt }: CellName): Promise<void> {
  await tx.query(
    'insert into cell_names (cell, database_id, registered_at) values ($1, $2, $3) on conflict do nothing',
    [cell, databaseId, registeredAt],
  );
}

/** In the first cell: what has this name, or is this database. */
export async function findCellNames(
  tx: Tx,
  { cell, databaseId }: Pick<CellName, 'cell' | 'databaseId'>,
): Promise<readonly CellName[]> {
  return names.select(tx, 'from cell_names where cell = $1 or database_id = $2 order by cell', [
    cell,
    databaseId,
  ]);
}

/** In the first cell: all names that were ever given. */
export async function listCellNames(tx: Tx): Promise<readonly CellName[]> {
  return names.select(tx, 'from cell_names order by cell');
}
