// What the list is narrowed by. It stands in the address, so that a list can be kept and handed on.
import { addDays, startOfDay } from '../../parts/time-zone.ts';

const NAMES = [
  'search',
  // Only in a list of all merchants.
  'merchantId',
  'states',
  'kinds',
  'providers',
  'from',
  'to',
  'amountMin',
  'amountMax',
] as const;
type Name = (typeof NAMES)[number];

/** `from` and `to` are days of the time zone, both included. */
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
export function toQuery({ from, to, ...rest }: Filters, timeZone: string): Filters {
  const [start, end] = [timeOf(from, 0, timeZone), timeOf(to, 1, timeZone)];
  return { ...rest, ...(start !== null && { from: start }), ...(end !== null && { to: end }) };
}

function timeOf(day: string | undefined, daysLater: number, timeZone: string): string | null {
  if (day === undefined || Number.isNaN(Date.parse(`${day}T00:00:00Z`))) return null;
  return startOfDay(addDays(day, daysLater), timeZone).toISOString();
}

/** How many filters are set besides the search. */
export function countFilters({ search: _search, ...rest }: Filters): number {
  return Object.keys(rest).length;
}
