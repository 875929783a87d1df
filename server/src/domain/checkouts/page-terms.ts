// What a merchant fixes of a payment that a hosted page asks for, and what that leaves the payer to choose from.
import type { ActiveCountry, ActiveOperation } from '../operators/active-configuration.ts';
import type { CountryFacts, CurrencyFacts, OperationLimits, ProviderFacts } from '../operators/catalogue.ts';
import { decimalsWritten, parseAmount } from '../money.ts';
import type { PaymentDetails } from '../payments/payment.ts';
import { isPhoneNumberOf } from '../phone-number.ts';

export const LANGUAGES = ['en', 'fr'] as const;
export type Language = (typeof LANGUAGES)[number];

export type PageTerms = {
  /** Alpha-3 codes; left out, every country of the account. */
  readonly countries?: readonly string[];
  /** Left out, the payer enters the amount. */
  readonly amounts?: readonly PageAmount[];
  readonly payer?: PagePayer;
};

export type PageAmount = {
  /** Left out, any country whose providers take the currency. */
  readonly country?: string;
  /** Left out, the currency that a provider takes first. */
  readonly currency?: string;
  readonly amountText: string;
};

export type PagePayer = {
  readonly phoneNumber?: string;
  readonly provider?: string;
  /** Whether the payer may choose another wallet. */
  readonly canChange: boolean;
};

/** Everything a page was made for. Encrypted at rest. */
export type PageOrder = {
  readonly terms: PageTerms;
  readonly returnUrl: string;
  /** Where the page speaks this language until the payer chooses another. */
  readonly language?: Language;
  /** What the payer is told to pay for. */
  readonly reason?: Readonly<Partial<Record<Language, string>>>;
  /** What the deposit takes over. */
  readonly details: Pick<PaymentDetails, 'clientReferenceId' | 'metadata'> & {
    readonly customerMessage?: string;
  };
};

/** One wallet a payer could pay from, in one currency. */
export type Offer = {
  readonly country: CountryFacts;
  readonly provider: ProviderFacts;
  readonly currency: CurrencyFacts;
  readonly limits: OperationLimits;
  readonly status: ActiveOperation['status'];
  /** Null where the payer enters it. */
  readonly amountText: string | null;
};

/** In the order of the catalogue. `unfit`: whose provider does not take the amount. */
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

/** Whether an amount has as many decimals as a provider takes, and is within its bounds. */
export function fits(amountText: string, limits: OperationLimits): boolean {
  const amount = parseAmount(amountText);
  if (amount === null || decimalsWritten(amountText) > limits.decimals) return false;
  return amount > 0n && amount >= limits.minAmount && amount <= limits.maxAmount;
}

/** A wallet that is fixed is in one country. */
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

/** What is asked for at a place: nothing where the terms name other places only, null where the payer says. */
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
