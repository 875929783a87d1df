/** One PostgreSQL cluster with its processes. Its id is the home of the merchants created in it. */
export type Cell = {
  readonly id: string;
  readonly databaseUrl: string;
  /** Where the other cells' processes reach its API. None are needed where there is one cell. */
  readonly urls: readonly string[];
};

/** Reads "0001=postgres://… 0002=postgres://…". Answers null when the text does not have this form. */
export function parseCells(text: string): readonly Cell[] | null {
  const entries = parseEntries(text);
  return entries?.map(({ id, value }) => ({ id, databaseUrl: value, urls: [] })) ?? null;
}

/** Reads "0001=http://… 0002=http://…"; a cell may be named more than once. Null when the text is not of this form. */
export function parseCellUrls(text: string): ReadonlyMap<string, readonly string[]> | null {
  const entries = parseEntries(text);
  if (entries === null || entries.some(({ value }) => !isBaseUrl(value))) return null;
  const byCell = Map.groupBy(entries, ({ id }) => id);
  return new Map([...byCell].map(([id, some]) => [id, some.map(({ value }) => value.replace(/\/+$/, ''))]));
}

type Entry = { readonly id: string; readonly value: string };

function parseEntries(text: string): readonly Entry[] | null {
  const entries = text.trim().split(/\s+/).map(parseEntry);
  return entries.every((entry) => entry !== null) ? entries : null;
}

function parseEntry(entry: string): Entry | null {
  const [, id, value] = /^([0-9a-f]{4})=(.+)$/.exec(entry) ?? [];
  return id === undefined || value === undefined ? null : { id, value };
}

function isBaseUrl(text: string): boolean {
  const url = URL.canParse(text) ? new URL(text) : null;
  return url !== null && /^https?:$/.test(url.protocol) && url.search === '' && url.hash === '';
}
