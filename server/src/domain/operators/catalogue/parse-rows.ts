// Parses the catalogue's JSON rows. An invalid row throws with its name: the gateway must not start with a partly
// understood catalogue, and a misspelt field must not count as absent.
import type {
  AssumedFact,
  Authorisation,
  CountryFacts,
  CurrencyFacts,
  OperationLimits,
  ProviderFacts,
  UssdMenu,
} from '../catalogue.ts';
import { decimalsWritten, parseAmount } from '../../money.ts';
import { PAYMENT_KINDS } from '../../payments/payment.ts';
import {
  fail,
  indexBy,
  nameIn,
  parseChoice,
  parseCount,
  parseList,
  parseRow,
  parseText,
  type Row,
} from './row.ts';

const ASSUMED_FACTS: readonly AssumedFact[] = [
  'displayName',
  'currencyDisplay',
  'pinPrompt',
  'pinPromptRevivable',
  'limits',
];

/** Countries by alpha-3 code. */
export function parseCountries(rows: unknown): ReadonlyMap<string, CountryFacts> {
  return indexBy(parseList(rows, 'countries', parseCountry), (country) => country.alpha3);
}

/** Providers by code, each in one of `countries`. */
export function parseProviders(
  rows: unknown,
  countries: ReadonlyMap<string, CountryFacts>,
): ReadonlyMap<string, ProviderFacts> {
  const providers = indexBy(parseList(rows, 'providers', parseProvider), (provider) => provider.code);
  for (const { code, country } of providers.values()) {
    if (!countries.has(country)) fail(code, `is in the country '${country}', which has no row`);
    if (!code.endsWith(`_${country}`)) fail(code, `does not end with its country '${country}'`);
  }
  return providers;
}

function parseCountry(value: unknown, place: string): CountryFacts {
  const row = parseRow(value, nameIn(value, 'alpha3') ?? place, {
    required: ['alpha3', 'alpha2', 'displayName', 'prefix', 'nationalDigits'],
    optional: ['testNumberPattern'],
  });
  const displayName = parseRow(row.fields['displayName'], `${row.name}.displayName`, {
    required: ['en', 'fr'],
  });
  const country = {
    alpha3: parseText(row, 'alpha3', /^[A-Z]{3}$/),
    alpha2: parseText(row, 'alpha2', /^[A-Z]{2}$/),
    displayName: { en: parseText(displayName, 'en', /./), fr: parseText(displayName, 'fr', /./) },
    prefix: parseText(row, 'prefix', /^[1-9][0-9]{0,2}$/),
    nationalDigits: parseList(row.fields['nationalDigits'], `${row.name}.nationalDigits`, parseCount),
  };
  if (row.fields['testNumberPattern'] === undefined) return country;
  return { ...country, testNumberPattern: parseNumberPattern(row, country.prefix) };
}

/** A pattern without anchors at both ends would accept a number with anything around it. */
function parseNumberPattern(row: Row, prefix: string): string {
  const pattern = parseText(row, 'testNumberPattern', new RegExp(`^\\^${prefix}.*\\$$`));
  try {
    return new RegExp(pattern).source;
  } catch {
    return fail(row.name, "has a bad 'testNumberPattern'");
  }
}

function parseProvider(value: unknown, place: string): ProviderFacts {
  const row = parseRow(value, nameIn(value, 'code') ?? place, {
    required: ['code', 'country', 'displayName', 'authType', 'pinPrompt', 'pinPromptRevivable', 'currencies'],
  });
  const currencies = parseList(
    row.fields['currencies'],
    `${row.name}.currencies`,
    (currency, currencyPlace) => parseCurrency(currency, { provider: row.name, place: currencyPlace }),
  );
  indexBy(currencies, (facts) => `${row.name} ${facts.currency}`);
  return {
    code: parseText(row, 'code', /^[A-Z0-9_]+$/),
    country: parseText(row, 'country', /^[A-Z]{3}$/),
    displayName: parseText(row, 'displayName', /./),
    ...parseAuthorisation(row),
    currencies,
  };
}

function parseAuthorisation(row: Row): Authorisation {
  const authType = parseChoice(row, 'authType', ['PROVIDER_AUTH', 'PREAUTH', 'REDIRECT_AUTH']);
  if (authType === 'PROVIDER_AUTH') {
    return {
      authType,
      pinPrompt: parseChoice(row, 'pinPrompt', ['AUTOMATIC', 'MANUAL']),
      pinPromptRevivable: parseChoice(row, 'pinPromptRevivable', [true, false]),
    };
  }
  return {
    authType,
    pinPrompt: parseChoice(row, 'pinPrompt', [null]),
    pinPromptRevivable: parseChoice(row, 'pinPromptRevivable', [null]),
  };
}

function parseCurrency(value: unknown, within: { provider: string; place: string }): CurrencyFacts {
  const currency = nameIn(value, 'currency');
  const name = currency === null ? within.place : `${within.provider} ${currency}`;
  const row = parseRow(value, name, {
    required: ['currency', 'displayName', 'ussd', 'assumed', 'operations'],
  });
  return {
    currency: parseText(row, 'currency', /^[A-Z]{3}$/),
    displayName: parseText(row, 'displayName', /./),
    ussd: parseUssdMenu(row),
    assumed: parseAssumed(row),
    operations: parseOperations(row),
  };
}

function parseUssdMenu(currency: Row): UssdMenu | null {
  const value = currency.fields['ussd'];
  if (value === null) return null;
  const row = parseRow(value, `${currency.name}.ussd`, { required: ['shortCode', 'quickLink', 'steps'] });
  const dialled = /^[*#][0-9*]+#$/;
  return {
    shortCode: parseText(row, 'shortCode', dialled),
    quickLink: row.fields['quickLink'] === null ? null : parseText(row, 'quickLink', dialled),
    steps: parseCount(row.fields['steps'], `${row.name}.steps`),
  };
}

function parseAssumed(currency: Row): readonly AssumedFact[] {
  const value = currency.fields['assumed'];
  if (!Array.isArray(value)) return fail(currency.name, "has a bad 'assumed'");
  return value.map((fact) => {
    const known = ASSUMED_FACTS.find((candidate) => candidate === fact);
    return known ?? fail(currency.name, `assumes '${String(fact)}', which is not a fact of this catalogue`);
  });
}

function parseOperations(currency: Row): CurrencyFacts['operations'] {
  const row = parseRow(currency.fields['operations'], currency.name, {
    required: [],
    optional: PAYMENT_KINDS,
  });
  const offered = PAYMENT_KINDS.filter((kind) => row.fields[kind] !== undefined);
  return Object.fromEntries(
    offered.map((kind) => [kind, parseLimits(row.fields[kind], `${currency.name} ${kind}`)]),
  );
}

function parseLimits(value: unknown, name: string): OperationLimits {
  const row = parseRow(value, name, { required: ['minAmount', 'maxAmount', 'decimals'] });
  const decimals = parseChoice(row, 'decimals', [0, 2]);
  const min = parseLimit(row, 'minAmount', decimals);
  const max = parseLimit(row, 'maxAmount', decimals);
  if (min.amount === 0n) fail(name, 'would let an amount of zero through');
  if (min.amount > max.amount) fail(name, 'has a minAmount above its maxAmount');
  return {
    minAmount: min.amount,
    maxAmount: max.amount,
    minAmountText: min.text,
    maxAmountText: max.text,
    decimals,
  };
}

function parseLimit(
  row: Row,
  field: string,
  decimals: number,
): { readonly amount: bigint; readonly text: string } {
  const text = parseText(row, field, /./);
  const amount = parseAmount(text);
  if (amount === null || decimalsWritten(text) > decimals) return fail(row.name, `has a bad '${field}'`);
  return { amount, text };
}
