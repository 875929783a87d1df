// What an account can do now: the active part of the catalogue, with the status of each provider.
import type { CountryFacts, CurrencyFacts, OperationLimits, ProviderFacts } from './catalogue.ts';
import type { PaymentKind } from '../payments/payment.ts';

export type ActiveCountry = {
  readonly country: CountryFacts;
  /** At least one, in the order of the catalogue. */
  readonly providers: readonly ActiveProvider[];
};

export type ActiveProvider = {
  readonly provider: ProviderFacts;
  /** At least one. */
  readonly currencies: readonly ActiveCurrency[];
};

export type ActiveCurrency = {
  readonly facts: CurrencyFacts;
  /** At least one. */
  readonly operations: readonly ActiveOperation[];
};

export type ActiveOperation = {
  readonly kind: PaymentKind;
  readonly limits: OperationLimits;
  readonly status: 'OPERATIONAL' | 'DELAYED' | 'CLOSED';
};
