/** One PostgreSQL cluster with its processes. Its id is the home of the merchants created in it. */
export type Cell = { readonly id: string; readonly databaseUrl: string };

/** Reads "0001=postgres://… 0002=postgres://…"; null when it is no such list. */
export function parseCells(text: string): readonly Cell[] | null {
  const entries = text.trim().split(/\s+/);
  const cells = entries.flatMap((entry) => {
    const [, id, databaseUrl] = /^([0-9a-f]{4})=(.+)$/.exec(entry) ?? [];
    return id === undefined || databaseUrl === undefined ? [] : [{ id, databaseUrl }];
  });
  return cells.length === entries.length ? cells : null;
}
