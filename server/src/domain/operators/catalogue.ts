// The catalogue: facts about countries and mobile-money providers. They are data, so that a new provider or limit is an
// edit of a JSON row, not of code. The rows are checked once, when this file is loaded.
import countryRows from '../catalogue/countries.json' with { type: 'json' };
import { parseCountries, parseProviders } from './catalogue/parse-rows.ts';
import providerRows from '../catalogue/providers.json' with { type: 'json' };
import type { Amount } from '../money.ts';
import type { PaymentKind } from '../payments/payment.ts';

export type CountryFacts = {
  /** ISO 3166-1 alpha-3, as in the specification. */
  readonly alpha3: string;
  /** ISO 3166-1 alpha-2, as in numbering-plan libraries. */
  readonly alpha2: string;
  readonly displayName: { readonly en: string; readonly fr: string };
  /** The country's dial code, digits only. */
  readonly prefix: string;
  /** How many digits of a mobile number follow the dial code. Several if an old length is still in use. */
  readonly nationalDigits: readonly number[];
  /** Test numbers that no subscriber can have, for the sandbox only. */
  readonly testNumberPattern?: string;
};

export type ProviderFacts = Authorisation & {
  readonly code: string;
  /** Alpha-3 code of the country that this provider code serves. */
  readonly country: string;
  readonly displayName: string;
  readonly currencies: readonly CurrencyFacts[];
};

/** How the payer of a deposit approves. Only a provider with PIN prompts has facts about them. */
export type Authorisation =
  | {
      readonly authType: 'PROVIDER_AUTH';
      /** MANUAL: the payer opens the menu; no prompt comes automatically. */
      readonly pinPrompt: 'AUTOMATIC' | 'MANUAL';
      /** Whether a payer who missed the prompt can open it again. */
      readonly pinPromptRevivable: boolean;
    }
  | {
      readonly authType: 'PREAUTH' | 'REDIRECT_AUTH';
      readonly pinPrompt: null;
      readonly pinPromptRevivable: null;
    };

export type CurrencyFacts = {
  readonly currency: string;
  /** The currency sign that people use, such as "CFA". */
  readonly displayName: string;
  /** Null if the provider has published no menu for this currency. */
  readonly ussd: UssdMenu | null;
  /** Facts of this currency's row that are not published: estimates that the host should check. */
  readonly assumed: readonly AssumedFact[];
  /** An absent operation is not offered. */
  readonly operations: Readonly<Partial<Record<PaymentKind, OperationLimits>>>;
};

/** The menu in which a payer approves a payment manually. */
export type UssdMenu = {
  readonly shortCode: string;
  /** Opens the waiting payments directly, if the menu has such a code. */
  readonly quickLink: string | null;
  readonly steps: number;
};

export type AssumedFact = 'displayName' | 'currencyDisplay' | 'pinPrompt' | 'pinPromptRevivable' | 'limits';

export type OperationLimits = {
  readonly minAmount: Amount;
  readonly maxAmount: Amount;
  /** The limits as text, for messages and the active configuration. */
  readonly minAmountText: string;
  readonly maxAmountText: string;
  /** How many decimal places the provider accepts. */
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

/** Null if the provider does not support the currency, or not for this operation. */
export function limitsOf(
  provider: ProviderFacts,
  { currency, operation }: { readonly currency: string; readonly operation: PaymentKind },
): OperationLimits | null {
  return provider.currencies.find((facts) => facts.currency === currency)?.operations[operation] ?? null;
}
