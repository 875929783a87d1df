// Parses the rows of number prefixes. An invalid row throws with its name.
import type { CountryFacts, ProviderFacts } from '../catalogue.ts';
import { fail, indexBy, nameIn, parseCount, parseList, parseRow, parseText, type Row } from './row.ts';

/** The providers of one country's numbers, by the digits after its dial code. */
export type NumberingFacts = {
  readonly country: CountryFacts;
  /** Numbers from before the country made its numbers longer, and the digits that were prepended. */
  readonly formerNumbers: { readonly digits: number; readonly prepended: string } | null;
  /** Null for prefixes of operators that are not in the catalogue. */
  readonly providerByPrefix: ReadonlyMap<string, string | null>;
};

/** What the rows refer to. */
export type Known = {
  readonly findCountry: (alpha3: string) => CountryFacts | null;
  readonly findProvider: (code: string) => ProviderFacts | null;
};

/** The countries' numbering by dial code. */
export function parsePrefixes(rows: unknown, known: Known): ReadonlyMap<string, NumberingFacts> {
  const parsed = parseList(rows, 'prefixes', (value, place) => parseCountryPrefixes(value, place, known));
  return indexBy(parsed, ({ country }) => country.prefix);
}

function parseCountryPrefixes(value: unknown, place: string, known: Known): NumberingFacts {
  const row = parseRow(value, `prefixes of ${nameIn(value, 'country') ?? place}`, {
    required: ['country', 'providers'],
    optional: ['formerNumbers', 'notServed'],
  });
  const alpha3 = parseText(row, 'country', /^[A-Z]{3}$/);
  const country = known.findCountry(alpha3) ?? fail(row.name, `has no country '${alpha3}' to belong to`);
  const owned = [
    ...listOwned(row, (code) => known.findProvider(code)?.country === alpha3),
    ...listNotServed(row),
  ];
  indexBy(owned, ({ prefix }) => `prefix ${alpha3} ${prefix}`);
  return {
    country,
    formerNumbers: parseFormerNumbers(row),
    providerByPrefix: new Map(owned.map(({ prefix, provider }) => [prefix, provider])),
  };
}

type OwnedPrefix = { readonly prefix: string; readonly provider: string | null };

function listOwned(row: Row, isOfCountry: (code: string) => boolean): readonly OwnedPrefix[] {
  const providers = row.fields['providers'];
  const entries = typeof providers === 'object' && providers !== null ? Object.entries(providers) : [];
  if (entries.length === 0) fail(row.name, "has a bad 'providers'");
  return entries.flatMap(([provider, prefixes]) => {
    if (!isOfCountry(provider)) fail(row.name, `names '${provider}', which is no provider of the country`);
    const name = `${row.name} for ${provider}`;
    return parseList(prefixes, name, parsePrefix).map((prefix) => ({ prefix, provider }));
  });
}

function listNotServed(row: Row): readonly OwnedPrefix[] {
  if (row.fields['notServed'] === undefined) return [];
  const name = `${row.name} for no one`;
  return parseList(row.fields['notServed'], name, parsePrefix).map((prefix) => ({ prefix, provider: null }));
}

function parsePrefix(value: unknown, place: string): string {
  return typeof value === 'string' && /^[0-9]{1,6}$/.test(value) ? value : fail(place, 'is not a prefix');
}

function parseFormerNumbers(row: Row): NumberingFacts['formerNumbers'] {
  if (row.fields['formerNumbers'] === undefined) return null;
  const former = parseRow(row.fields['formerNumbers'], `${row.name}.formerNumbers`, {
    required: ['digits', 'prepended'],
  });
  return {
    digits: parseCount(former.fields['digits'], `${former.name}.digits`),
    prepended: parseText(former, 'prepended', /^[0-9]+$/),
  };
}
