// What a merchant fixes for a payment on a hosted page, and which choices remain for the payer.
import type { ActiveCountry, ActiveOperation } from '../operators/active-configuration.ts';
import type { CountryFacts, CurrencyFacts, OperationLimits, ProviderFacts } from '../operators/catalogue.ts';
import { decimalsWritten, parseAmount } from '../money.ts';
import type { PaymentDetails } from '../payments/payment.ts';
import { isPhoneNumberOf } from '../phone-number.ts';

export const LANGUAGES = ['en', 'fr'] as const;
export type Language = (typeof LANGUAGES)[number];

export type PageTerms = {
  /** Alpha-3 codes; default: every country of the account. */
  readonly countries?: readonly string[];
  /** If omitted, the payer enters the amount. */
  readonly amounts?: readonly PageAmount[];
  readonly payer?: PagePayer;
};

export type PageAmount = {
  /** Default: any country whose providers support the currency. */
  readonly country?: string;
  /** Default: the first currency of a provider. */
  readonly currency?: string;
  readonly amountText: string;
};

export type PagePayer = {
  readonly phoneNumber?: string;
  readonly provider?: string;
  /** Whether the payer may choose another wallet. */
  readonly canChange: boolean;
};

/** The whole request for a page. Encrypted at rest. */
export type PageOrder = {
  readonly terms: PageTerms;
  readonly returnUrl: string;
  /** The language of the page until the payer chooses another. */
  readonly language?: Language;
  /** What the payer pays for. */
  readonly reason?: Readonly<Partial<Record<Language, string>>>;
  /** Copied to the deposit. */
  readonly details: Pick<PaymentDetails, 'clientReferenceId' | 'metadata'> & {
    readonly customerMessage?: string;
  };
};

/** One wallet that a payer could use, in one currency. */
export type Offer = {
  readonly country: CountryFacts;
  readonly provider: ProviderFacts;
  readonly currency: CurrencyFacts;
  readonly limits: OperationLimits;
  readonly status: ActiveOperation['status'];
  /** Null if the payer enters it. */
  readonly amountText: string | null;
};

/** In the order of the catalogue. `unfit`: providers that do not accept the amount. */
export type Offers = { readonly offers: readonly Offer[]; readonly unfit: readonly Offer[] };

export function listOffers(
  active: readonly ActiveCountry[],
  terms: PageTerms,
  options: { readonly testNumbersAllowed: boolean },
): Offers {
  const wallets = listWallets(active, terms, options);
  return { offers: wallets.filter(isTaken), unfit: wallets.filter((wallet) => !isTaken(wallet)) };
}

function isTaken({ amountText, limits }: Offer): boolean {
  return amountText === null || fits(amountText, limits);
}

function listWallets(
  active: readonly ActiveCountry[],
  terms: PageTerms,
  options: { readonly testNumbersAllowed: boolean },
): readonly Offer[] {
  return active
    .filter(({ country }) => isOpenTo(country, terms, options))
    .flatMap(({ country, providers }) =>
      providers
        .filter(({ provider }) => isOpenProvider(provider.code, terms.payer))
        .flatMap(({ provider, currencies }) =>
          currencies.flatMap(({ facts, operations }, index) => {
            const deposit = operations.find(({ kind }) => kind === 'DEPOSIT');
            if (deposit === undefined) return [];
            const { limits, status } = deposit;
            const place = { country: country.alpha3, currency: facts.currency, isFirst: index === 0 };
            return amountsAt(terms, place).map((amountText) => ({
              country,
              provider,
              currency: facts,
              limits,
              status,
              amountText,
            }));
          }),
        ),
    );
}

/** Whether an amount fits a provider's decimals and limits. */
export function fits(amountText: string, limits: OperationLimits): boolean {
  const amount = parseAmount(amountText);
  if (amount === null || decimalsWritten(amountText) > limits.decimals) return false;
  return amount > 0n && amount >= limits.minAmount && amount <= limits.maxAmount;
}

/** A fixed wallet is in one country. */
function isOpenTo(
  country: CountryFacts,
  { countries, payer }: PageTerms,
  options: { readonly testNumbersAllowed: boolean },
): boolean {
  if (countries !== undefined && !countries.includes(country.alpha3)) return false;
  if (payer === undefined || payer.canChange || payer.phoneNumber === undefined) return true;
  return isPhoneNumberOf(payer.phoneNumber, country, options);
}

function isOpenProvider(code: string, payer: PagePayer | undefined): boolean {
  return payer === undefined || payer.canChange || payer.provider === undefined || payer.provider === code;
}

/** The amounts for a country: none if the terms name only other countries, null if the payer enters the amount. */
function amountsAt(
  { amounts }: PageTerms,
  place: { readonly country: string; readonly currency: string; readonly isFirst: boolean },
): readonly (string | null)[] {
  if (amounts === undefined) return [null];
  return amounts
    .filter(({ country = place.country, currency }) => {
      if (country !== place.country) return false;
      return currency === undefined ? place.isFirst : currency === place.currency;
    })
    .map(({ amountText }) => amountText);
}
