// What the specification forbids beyond the schemas, written from its text and from the limits in the gateway's active
// configuration. It uses none of the server's own checks.
import type { Operation } from './document.ts';
import { fieldOf, isDay, isObject } from './schema.ts';
import { refused, type Expected, type Limits, type Offer } from './world.ts';

/** Null if the specification allows it. */
export function findForbidden(
  operation: Operation,
  body: unknown,
  offers: readonly Offer[],
): Expected | null {
  if (operation.apiVersion === 'console') return null;
  const parts = Array.isArray(body) ? body : [body];
  for (const [index, part] of parts.entries()) {
    const found = forbiddenIn(operation, part, offers);
    if (found === null) continue;
    return found.type === 'UNACCEPTED' && Array.isArray(body) ? { ...found, at: index } : found;
  }
  return null;
}

function forbiddenIn({ path }: Operation, body: unknown, offers: readonly Offer[]): Expected | null {
  const metadata = metadataFault(fieldOf(body, 'metadata')) ?? splitMetadataFault(body);
  if (metadata !== null) return refused(metadata);
  const kind = kindOf(path);
  if (kind !== null) return requestFault(body, kind, offers);
  if (path === '/v2/checkouts') return checkoutFault(body);
  if (path === '/v2/paymentpage' || path === '/v1/widget/sessions') return returnFault(body);
  if (path === '/v2/statements') return statementFault(body);
  return null;
}

/** What a request at the path starts; null if nothing, or without a party. */
function kindOf(path: string): string | null {
  const [, word = ''] = /\/(deposits|payouts|remittances|split-payments)(\/bulk)?$/.exec(path) ?? [];
  const kinds: Readonly<Record<string, string>> = {
    deposits: 'DEPOSIT',
    payouts: 'PAYOUT',
    remittances: 'REMITTANCE',
    'split-payments': 'DEPOSIT',
  };
  return kinds[word] ?? null;
}

function metadataFault(metadata: unknown): string | null {
  if (!Array.isArray(metadata)) return null;
  const names: unknown[] = [];
  for (const entry of metadata as readonly unknown[]) {
    if (!isObject(entry)) return null;
    const isEarlier = Object.hasOwn(entry, 'fieldName');
    const custom = isEarlier ? [entry['fieldName']] : Object.keys(entry).filter((name) => name !== 'isPII');
    if (custom.length !== 1) return 'an entry of metadata has one name besides isPII';
    names.push(...custom);
  }
  return new Set(names).size < names.length ? 'two entries of metadata have one name' : null;
}

function splitMetadataFault(body: unknown): string | null {
  const splits = fieldOf(body, 'splits');
  if (!Array.isArray(splits)) return null;
  return (
    splits.map((part) => metadataFault(fieldOf(part, 'metadata'))).find((fault) => fault !== null) ?? null
  );
}

function requestFault(body: unknown, kind: string, offers: readonly Offer[]): Expected | null {
  const { provider, phone } = partyOf(body);
  const known = offers.filter((offer) => offer.provider === provider);
  if (known.length === 0) return refused(`no one has the provider ${String(provider).slice(0, 40)}`);
  const [{ authType, prefix, country } = { authType: '', prefix: '', country: '' }] = known;
  if (kind === 'DEPOSIT') {
    const missing = authorisationFault(body, authType);
    if (missing !== null) return refused(missing);
  }
  const currency = fieldOf(body, 'currency');
  const offer = known.find((one) => one.currency === currency);
  const why =
    phoneFault(phone, { prefix, country }) ??
    countryFault(body, country) ??
    (offer === undefined ? 'the provider does not have the currency' : null) ??
    amountFault(fieldOf(body, 'amount'), offer?.limits[kind]) ??
    splitsFault(body);
  return why === null ? null : { type: 'UNACCEPTED', why, at: null };
}

function partyOf(body: unknown): { readonly provider: unknown; readonly phone: unknown } {
  const party = fieldOf(body, 'payer') ?? fieldOf(body, 'recipient');
  const earlier = fieldOf(body, 'correspondent');
  return earlier === undefined
    ? {
        provider: fieldOf(party, 'accountDetails', 'provider'),
        phone: fieldOf(party, 'accountDetails', 'phoneNumber'),
      }
    : { provider: earlier, phone: fieldOf(party, 'address', 'value') };
}

function authorisationFault(body: unknown, authType: string): string | null {
  if (authType === 'PREAUTH' && fieldOf(body, 'preAuthorisationCode') === undefined)
    return 'the provider needs a preAuthorisationCode';
  const urls = ['successfulUrl', 'failedUrl'].map((name) => fieldOf(body, name));
  if (
    authType === 'REDIRECT_AUTH' &&
    fieldOf(body, 'correspondent') === undefined &&
    urls.includes(undefined)
  )
    return 'the provider needs successfulUrl and failedUrl';
  return urls.some((url) => url !== undefined && !isWebAddress(url)) ? 'an address is none of the web' : null;
}

/** The sandbox accepts http too. */
function isWebAddress(url: unknown): boolean {
  return typeof url === 'string' && /^https?:\/\/[^/]/i.test(url) && URL.canParse(url);
}

/** Digits after the country code, if the numbering plan has one length and the sandbox no special numbers. */
const NATIONAL_DIGITS: Readonly<Record<string, number>> = {
  BFA: 8,
  CIV: 10,
  CMR: 9,
  COD: 9,
  GHA: 9,
  KEN: 9,
  MWI: 9,
  RWA: 9,
  SEN: 9,
  SLE: 8,
  TZA: 9,
  UGA: 9,
  ZMB: 9,
};

function phoneFault(
  phone: unknown,
  of: { readonly prefix: string; readonly country: string },
): string | null {
  if (typeof phone !== 'string' || !/^[1-9][0-9]*$/.test(phone))
    return 'a phone number is digits, and no zero first';
  if (!phone.startsWith(of.prefix)) return 'the phone number is of another country';
  const digits = NATIONAL_DIGITS[of.country];
  const isLong = digits !== undefined && phone.length !== of.prefix.length + digits;
  return isLong ? 'the phone number has another length than its country has' : null;
}

function countryFault(body: unknown, country: string): string | null {
  const named = fieldOf(body, 'country');
  return named !== undefined && named !== country ? 'the provider is of another country' : null;
}

function amountFault(amount: unknown, limits: Limits | undefined): string | null {
  if (limits === undefined) return 'the provider does not do this';
  const text = String(amount);
  const decimals = text.split('.')[1]?.length ?? 0;
  if (decimals > limits.decimals) return 'the provider does not have so many decimals';
  const value = unitsOf(text);
  return value < unitsOf(limits.min) || value > unitsOf(limits.max) ? 'the amount is out of bounds' : null;
}

/** Ten-thousandths. */
function unitsOf(text: string): bigint {
  const [whole = '0', fraction = ''] = text.split('.');
  return BigInt(whole + fraction.padEnd(4, '0').slice(0, 4));
}

function splitsFault(body: unknown): string | null {
  const splits = fieldOf(body, 'splits');
  if (!Array.isArray(splits)) return null;
  const sum = splits.reduce<bigint>((total, part) => total + unitsOf(String(fieldOf(part, 'amount'))), 0n);
  if (sum > unitsOf(String(fieldOf(body, 'amount')))) return 'the parts are more than the whole';
  const ids = splits.map((part) => String(fieldOf(part, 'payoutId')).toLowerCase());
  return new Set(ids).size < ids.length ? 'two parts have one identifier' : null;
}

function checkoutFault(body: unknown): Expected | null {
  const countries = fieldOf(body, 'countries');
  const amounts = fieldOf(body, 'amounts');
  if (Array.isArray(countries) && Array.isArray(amounts)) {
    const places = amounts.map((one: unknown) => fieldOf(one, 'country'));
    if (places.some((country) => !countries.includes(country)))
      return refused('an amount is for another country');
  }
  return returnFault(body);
}

function returnFault(body: unknown): Expected | null {
  return isWebAddress(fieldOf(body, 'returnUrl')) ? null : refused('the returnUrl is no address of the web');
}

const STATEMENT_DAYS_MAX = 31;

function statementFault(body: unknown): Expected | null {
  const [start, end] = ['startDate', 'endDate'].map((name) => String(fieldOf(body, name)));
  if (![start, end].every((time) => isDay(time?.slice(0, 10) ?? ''))) return refused('there is no such day');
  const days = (Date.parse(end?.slice(0, 10) ?? '') - Date.parse(start?.slice(0, 10) ?? '')) / 86_400_000;
  const why =
    days < 0 || days > STATEMENT_DAYS_MAX + 1
      ? 'a statement covers at most 31 days'
      : isWebAddress(fieldOf(body, 'callbackUrl'))
        ? null
        : 'the callbackUrl is no address of the web';
  return why === null ? null : { type: 'UNACCEPTED', why, at: null };
}
