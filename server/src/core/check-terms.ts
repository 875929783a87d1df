// Whether somebody could pay what a hosted page would ask for: checked when the page is ordered, so that a merchant
// hears of a mistake and not the payer. What changes by the minute, such as availability, is left to the page.
import type { ActiveCountry } from '../domain/active-configuration.ts';
import { findCountry, findProvider, type CountryFacts } from '../domain/catalogue.ts';
import { failureReason, type FailureCode, type FailureReason } from '../domain/failure.ts';
import { parseAmount } from '../domain/money.ts';
import type { PageAmount, PageTerms } from '../domain/page-terms.ts';
import { isPhoneNumberOf } from '../domain/phone-number.ts';
import type { Merchant } from '../store/merchants.ts';
import { checkAllowed, checkAmount, checkProvider, type Refused } from './admit.ts';
import type { Engine } from './engine.ts';
import { listActive } from './read-configuration.ts';

/** Null when the terms are good. */
export async function checkTerms(
  engine: Engine,
  merchant: Merchant,
  terms: PageTerms,
): Promise<Refused | null> {
  const notAllowed = checkAllowed({ merchant, kind: 'DEPOSIT' });
  if (notAllowed !== null) return notAllowed;
  const active = await listActive(engine, merchant, { country: null, operationType: 'DEPOSIT' });
  const badProvider = checkPayersProvider(engine, merchant, terms);
  if (badProvider !== null) return badProvider;
  const open = active.filter(({ country }) => terms.countries?.includes(country.alpha3) ?? true);
  const reason =
    checkCountries(active, terms) ??
    checkPhone(open, terms, { testNumbersAllowed: engine.environment === 'sandbox' }) ??
    checkAmounts(open, terms);
  return reason === null ? null : { type: 'REJECTED', reason };
}

function checkPayersProvider(engine: Engine, merchant: Merchant, { payer }: PageTerms): Refused | null {
  const provider = payer?.provider;
  if (provider === undefined) return null;
  const connector = engine.connectorOf(provider, 'DEPOSIT');
  return checkProvider({ merchant, kind: 'DEPOSIT', provider, connector }, findProvider(provider));
}

function checkCountries(
  active: readonly ActiveCountry[],
  { countries = [], payer }: PageTerms,
): FailureReason | null {
  const strange = countries.find((alpha3) => !active.some(({ country }) => country.alpha3 === alpha3));
  if (strange !== undefined) {
    const cause = 'no provider of this account is there';
    return failureReason('INVALID_COUNTRY', { country: strange, cause });
  }
  const known = findProvider(payer?.provider ?? '');
  if (known === null || countries.length === 0 || countries.includes(known.country)) return null;
  const cause = `the provider '${known.code}' is not there`;
  return failureReason('INVALID_COUNTRY', { country: countries.join("', '"), cause });
}

function checkPhone(
  open: readonly ActiveCountry[],
  { payer }: PageTerms,
  options: { readonly testNumbersAllowed: boolean },
): FailureReason | null {
  const { phoneNumber, provider } = payer ?? {};
  if (phoneNumber === undefined) return null;
  const providersCountry = findProvider(provider ?? '')?.country;
  const countries = providersCountry === undefined ? open.map(({ country }) => country) : [];
  const own = findCountry(providersCountry ?? '');
  const candidates: readonly CountryFacts[] = own === null ? countries : [own];
  if (candidates.some((country) => isPhoneNumberOf(phoneNumber, country, options))) return null;
  const [only] = candidates.length === 1 ? candidates : [];
  return failureReason('INVALID_PHONE_NUMBER', { country: only?.alpha3 ?? 'any country that can pay' });
}

/** The farther an amount gets, the better its refusal explains. */
const FARTHEST_FIRST: readonly FailureCode[] = ['AMOUNT_OUT_OF_BOUNDS', 'INVALID_AMOUNT', 'INVALID_CURRENCY'];

/** Every amount must be one that a provider takes. */
function checkAmounts(
  open: readonly ActiveCountry[],
  { amounts = [], payer }: PageTerms,
): FailureReason | null {
  for (const amount of amounts) {
    const reasons = open
      .filter(({ country }) => amount.country === undefined || amount.country === country.alpha3)
      .flatMap(({ providers }) => providers.map(({ provider }) => provider))
      .filter(({ code }) => payer === undefined || payer.canChange || (payer.provider ?? code) === code)
      .map((provider) => checkAmount(factsOf(amount, provider.code), provider));
    if (reasons.includes(null)) continue;
    const found = FARTHEST_FIRST.flatMap((code) => reasons.filter((reason) => reason?.failureCode === code));
    return found[0] ?? failureReason('INVALID_CURRENCY', { currency: amount.currency ?? '', provider: '' });
  }
  return null;
}

function factsOf({ currency, amountText }: PageAmount, code: string) {
  const first = findProvider(code)?.currencies[0]?.currency ?? '';
  const amount = parseAmount(amountText) ?? 0n;
  return { kind: 'DEPOSIT' as const, provider: code, currency: currency ?? first, amount, amountText };
}
