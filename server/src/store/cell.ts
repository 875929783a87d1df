/** One PostgreSQL cluster with its processes. Its id is the home of the merchants created in it. */
export type Cell = { readonly id: string; readonly databaseUrl: string };

/** Reads "0001=postgres://… 0002=postgres://…". Answers null when the text does not have this form. */
export function parseCells(text: string): readonly Cell[] | null {
  const cells = text.trim().split(/\s+/).map(parseCell);
  return cells.every((cell) => cell !== null) ? cells : null;
}

function parseCell(entry: string): Cell | null {
  const [, id, databaseUrl] = /^([0-9a-f]{4})=(.+)$/.exec(entry) ?? [];
  return id === undefined || databaseUrl === undefined ? null : { id, databaseUrl };
}
