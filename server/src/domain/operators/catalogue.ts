// The catalogue: facts of countries and mobile-money providers. They are data, so that a new provider or a new
// limit is an edit of a JSON row and not of code. The rows are checked once, when this file is loaded.
import countryRows from '../catalogue/countries.json' with { type: 'json' };
import { parseCountries, parseProviders } from './catalogue/parse-rows.ts';
import providerRows from '../catalogue/providers.json' with { type: 'json' };
import type { Amount } from '../money.ts';
import type { PaymentKind } from '../payments/payment.ts';

export type CountryFacts = {
  /** The code the specification uses: ISO 3166-1 alpha-3. */
  readonly alpha3: string;
  /** The code numbering-plan libraries use: ISO 3166-1 alpha-2. */
  readonly alpha2: string;
  readonly displayName: { readonly en: string; readonly fr: string };
  /** The country's dial code, digits only. */
  readonly prefix: string;
  /** How many digits of a mobile number follow the prefix. Several where an old length is still in use. */
  readonly nationalDigits: readonly number[];
  /** Whole test numbers that no subscriber can have: for the sandbox only. */
  readonly testNumberPattern?: string;
};

export type ProviderFacts = Authorisation & {
  readonly code: string;
  /** Alpha-3 code of the one country the provider serves under this code. */
  readonly country: string;
  readonly displayName: string;
  readonly currencies: readonly CurrencyFacts[];
};

/** How the payer of a deposit agrees. Only a provider that prompts for a PIN has facts about the prompt. */
export type Authorisation =
  | {
      readonly authType: 'PROVIDER_AUTH';
      /** MANUAL: the payer opens the menu; no prompt comes to the phone by itself. */
      readonly pinPrompt: 'AUTOMATIC' | 'MANUAL';
      /** Whether a payer who missed the prompt can call it up again. */
      readonly pinPromptRevivable: boolean;
    }
  | {
      readonly authType: 'PREAUTH' | 'REDIRECT_AUTH';
      readonly pinPrompt: null;
      readonly pinPromptRevivable: null;
    };

export type CurrencyFacts = {
  readonly currency: string;
  /** What people write before or after an amount, such as "CFA". */
  readonly displayName: string;
  /** Null where the provider has published no menu for this currency. */
  readonly ussd: UssdMenu | null;
  /** Facts of this currency's row that no one has published: educated guesses a gateway operator should check. */
  readonly assumed: readonly AssumedFact[];
  /** An operation that is absent is not offered. */
  readonly operations: Readonly<Partial<Record<PaymentKind, OperationLimits>>>;
};

/** Where a payer approves a payment manually. */
export type UssdMenu = {
  readonly shortCode: string;
  /** Leads straight to the waiting payments, where the menu has such a code. */
  readonly quickLink: string | null;
  readonly steps: number;
};

export type AssumedFact = 'displayName' | 'currencyDisplay' | 'pinPrompt' | 'pinPromptRevivable' | 'limits';

export type OperationLimits = {
  readonly minAmount: Amount;
  readonly maxAmount: Amount;
  /** The limits as the catalogue writes them, for messages and the active configuration. */
  readonly minAmountText: string;
  readonly maxAmountText: string;
  /** How many decimal places the provider takes in an amount. */
  readonly decimals: 0 | 2;
};

const countries = parseCountries(countryRows);
const providers = parseProviders(providerRows, countries);
const providersInOrder: readonly ProviderFacts[] = [...providers.values()];

export function findProvider(code: string): ProviderFacts | null {
  return providers.get(code) ?? null;
}

/** Every provider, in the order of the catalogue. */
export function listProviders(): readonly ProviderFacts[] {
  return providersInOrder;
}

export function findCountry(alpha3: string): CountryFacts | null {
  return countries.get(alpha3) ?? null;
}

/** Null when the provider does not take the currency, or not for this operation. */
export function limitsOf(
  provider: ProviderFacts,
  { currency, operation }: { readonly currency: string; readonly operation: PaymentKind },
): OperationLimits | null {
  return provider.currencies.find((facts) => facts.currency === currency)?.operations[operation] ?? null;
}
