// Whether somebody could pay what a hosted page would ask for: checked when the page is ordered, so that a merchant
// hears of a mistake and not the payer. What changes by the minute, such as availability, is left to the page.
import type { ActiveCountry } from '../../domain/operators/active-configuration.ts';
import { findCountry, findProvider, type CountryFacts } from '../../domain/operators/catalogue.ts';
import { failureReason, type FailureCode, type FailureReason } from '../../domain/failure.ts';
import { parseAmount } from '../../domain/money.ts';
import type { PageAmount, PagePayer, PageTerms } from '../../domain/checkouts/page-terms.ts';
import { isPhoneNumberOf } from '../../domain/phone-number.ts';
import { predictProvider, type PredictionOptions } from '../../domain/operators/prediction.ts';
import type { Merchant } from '../../store/merchants/merchants.ts';
import { checkAllowed, checkAmount, checkProvider, type Refused } from '../payments/admit.ts';
import type { Engine } from '../engine.ts';
import { listActive } from '../payments/read/read-configuration.ts';

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
  const options = { testNumbersAllowed: engine.environment === 'sandbox' };
  const reason =
    checkCountries(active, terms) ?? checkPhone(open, terms, options) ?? checkAmounts(open, terms, options);
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
  { countries = [], amounts = [], payer }: PageTerms,
): FailureReason | null {
  const named = [...countries, ...amounts.flatMap(({ country = [] }) => country)];
  const strange = named.find((alpha3) => !active.some(({ country }) => country.alpha3 === alpha3));
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
  options: PredictionOptions,
): FailureReason | null {
  const { phoneNumber, provider } = payer ?? {};
  if (phoneNumber === undefined) return null;
  const providersCountry = findProvider(provider ?? '')?.country;
  const countries = providersCountry === undefined ? open.map(({ country }) => country) : [];
  const own = findCountry(providersCountry ?? '');
  const candidates: readonly CountryFacts[] = own === null ? countries : [own];
  if (candidates.some((country) => isPhoneNumberOf(phoneNumber, country, options))) return null;
  const names = candidates.map(({ alpha3 }) => alpha3).join("', '");
  return failureReason('INVALID_PHONE_NUMBER', { country: names });
}

/** The farther an amount gets, the better its refusal explains. */
const FARTHEST_FIRST: readonly FailureCode[] = ['AMOUNT_OUT_OF_BOUNDS', 'INVALID_AMOUNT', 'INVALID_CURRENCY'];

/** Some amount must be for the payer, and each of those must be one that a provider takes. */
function checkAmounts(
  open: readonly ActiveCountry[],
  { amounts = [], payer }: PageTerms,
  options: PredictionOptions,
): FailureReason | null {
  const wallet = walletOf(open, payer, options);
  const isPlace = (alpha3: string) => wallet.places.some(({ country }) => country.alpha3 === alpha3);
  const payable = amounts.filter(({ country }) => country === undefined || isPlace(country));
  const [first] = amounts;
  if (first !== undefined && payable.length === 0) return explainForeign(first, wallet);
  for (const amount of payable) {
    const reason = explain(amount, wallet);
    if (reason !== null) return reason;
  }
  return null;
}

/** Where the payer can pay from, and with which provider as far as it is known. */
type Wallet = {
  readonly places: readonly ActiveCountry[];
  /** The only provider that can be used, where the merchant fixed it. */
  readonly fixed: string | null;
  /** The one that refusals are about first: the named one, or the one that the number belongs to. */
  readonly likely: string | null;
};

function walletOf(
  open: readonly ActiveCountry[],
  payer: PagePayer | undefined,
  options: PredictionOptions,
): Wallet {
  const { phoneNumber, provider = null, canChange = true } = payer ?? {};
  const prediction = phoneNumber === undefined ? null : predictProvider(phoneNumber, options);
  const predicted = prediction?.type === 'PREDICTED' ? prediction.provider : null;
  const known = findProvider(provider ?? '');
  const places = open.filter(({ country }) => {
    if (canChange) return true;
    if (known !== null) return known.country === country.alpha3;
    return phoneNumber === undefined || isPhoneNumberOf(phoneNumber, country, options);
  });
  return { places, fixed: canChange ? null : provider, likely: provider ?? predicted };
}

/** Null where a provider takes the amount, else the reason of the likeliest. */
function explain(amount: PageAmount, { places, fixed, likely }: Wallet): FailureReason | null {
  const refusals = places
    .filter(({ country }) => amount.country === undefined || amount.country === country.alpha3)
    .flatMap(({ providers }) => providers.map(({ provider }) => provider))
    .filter(({ code }) => fixed === null || fixed === code)
    .map((provider) => ({
      code: provider.code,
      reason: checkAmount(factsOf(amount, provider.code), provider),
    }));
  const reasons = refusals.flatMap(({ reason }) => reason ?? []);
  if (reasons.length < refusals.length) return null;
  const own = refusals.find(({ code }) => code === likely)?.reason;
  const found = FARTHEST_FIRST.flatMap((code) => reasons.filter(({ failureCode }) => failureCode === code));
  return own ?? found[0] ?? foreign(amount);
}

/** Of an amount that is for other countries than the fixed wallet's. */
function explainForeign(amount: PageAmount, wallet: Wallet): FailureReason {
  const { country: _country, ...anywhere } = amount;
  const reason = explain(anywhere, wallet);
  return reason?.failureCode === 'INVALID_CURRENCY' ? reason : foreign(amount);
}

function foreign({ country = '' }: PageAmount): FailureReason {
  return failureReason('INVALID_COUNTRY', { country, cause: 'the wallet of the payer is not there' });
}

function factsOf({ currency, amountText }: PageAmount, code: string) {
  const first = findProvider(code)?.currencies[0]?.currency ?? '';
  const amount = parseAmount(amountText) ?? 0n;
  return { kind: 'DEPOSIT' as const, provider: code, currency: currency ?? first, amount, amountText };
}
