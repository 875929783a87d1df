// What the list is narrowed by. It stands in the address, so that a list can be kept and handed on.

const NAMES = ['search', 'states', 'kinds', 'providers', 'from', 'to', 'amountMin', 'amountMax'] as const;
type Name = (typeof NAMES)[number];

/** `from` and `to` are days of this machine, both included. */
export type Filters = { readonly [name in Name]?: string };

export function readFilters(search: Readonly<Record<string, unknown>>): Filters {
  return Object.fromEntries(
    NAMES.flatMap((name) => {
      const value = search[name];
      return typeof value === 'string' && value !== '' ? [[name, value]] : [];
    }),
  );
}

/** As the API wants it: times instead of days. */
export function toQuery({ from, to, ...rest }: Filters): Filters {
  const [start, end] = [startOfDay(from, 0), startOfDay(to, 1)];
  return { ...rest, ...(start !== null && { from: start }), ...(end !== null && { to: end }) };
}

function startOfDay(day: string | undefined, daysLater: number): string | null {
  const [, year, month, date] = /^(\d{4})-(\d{2})-(\d{2})$/.exec(day ?? '') ?? [];
  if (year === undefined) return null;
  return new Date(Number(year), Number(month) - 1, Number(date) + daysLater).toISOString();
}

/** How many filters are set besides the search. */
export function countFilters({ search: _search, ...rest }: Filters): number {
  return Object.keys(rest).length;
}
