// Whether a request that reads well may become a payment: the business checks, in the specification's order.
// Pure over what it is given; duplicates were looked for before, funds are decided in the transaction.
import { findCountry, findProvider, limitsOf, type ProviderFacts } from '../domain/catalogue.ts';
import { failureReason, type FailureReason } from '../domain/failure.ts';
import { decimalsWritten, type Amount } from '../domain/money.ts';
import type { PaymentKind } from '../domain/payment.ts';
import { isPhoneNumberOf } from '../domain/phone-number.ts';
import type { Availability } from '../store/availability.ts';
import type { Merchant } from '../store/merchants.ts';

export type AdmissionFacts = {
  readonly merchant: Merchant;
  readonly kind: PaymentKind;
  readonly amount: Amount;
  readonly amountText: string;
  readonly currency: string;
  readonly provider: string;
  readonly phoneNumber: string;
  readonly availability: Availability;
  /** The connector this installation binds the provider to. */
  readonly connector: string | null;
  readonly testNumbersAllowed: boolean;
};

export type Admission =
  | { readonly type: 'ADMITTED'; readonly country: string; readonly connector: string }
  | { readonly type: 'REJECTED'; readonly reason: FailureReason }
  /** The account may not do this at all: answered 403. */
  | { readonly type: 'NOT_ALLOWED'; readonly reason: FailureReason };

export function admit(facts: AdmissionFacts): Admission {
  if (!facts.merchant.operations.includes(facts.kind)) {
    return { type: 'NOT_ALLOWED', reason: failureReason('DEPOSITS_NOT_ALLOWED') };
  }
  const provider = findProvider(facts.provider);
  const isActive = facts.merchant.activeProviders.has(`${facts.provider} ${facts.kind}`);
  if (provider === null || !isActive || facts.connector === null) {
    const operation = `${facts.kind.toLowerCase()}s`;
    return rejected(failureReason('INVALID_PROVIDER', { provider: facts.provider, operation }));
  }
  const reason =
    checkPhoneNumber(facts, provider) ?? checkAmount(facts, provider) ?? checkAvailability(facts, provider);
  if (reason !== null) return rejected(reason);
  return { type: 'ADMITTED', country: provider.country, connector: facts.connector };
}

function checkPhoneNumber(facts: AdmissionFacts, provider: ProviderFacts): FailureReason | null {
  const country = findCountry(provider.country);
  const { testNumbersAllowed } = facts;
  if (country !== null && isPhoneNumberOf(facts.phoneNumber, country, { testNumbersAllowed })) return null;
  return failureReason('INVALID_PHONE_NUMBER', { country: provider.country });
}

function checkAmount(facts: AdmissionFacts, provider: ProviderFacts): FailureReason | null {
  const limits = limitsOf(provider, { currency: facts.currency, operation: facts.kind });
  const names = { provider: facts.provider, currency: facts.currency };
  if (limits === null) return failureReason('INVALID_CURRENCY', names);
  if (decimalsWritten(facts.amountText) > limits.decimals) {
    return failureReason('INVALID_AMOUNT', { ...names, decimals: String(limits.decimals) });
  }
  // Zero is out of bounds whatever the catalogue says.
  if (facts.amount > 0n && facts.amount >= limits.minAmount && facts.amount <= limits.maxAmount) return null;
  return failureReason('AMOUNT_OUT_OF_BOUNDS', {
    ...names,
    minAmount: limits.minAmountText,
    maxAmount: limits.maxAmountText,
  });
}

/** A deposit needs its payer now: what cannot be sent at once is not accepted. */
function checkAvailability(facts: AdmissionFacts, provider: ProviderFacts): FailureReason | null {
  if (facts.availability === 'OPERATIONAL') return null;
  return failureReason('PROVIDER_TEMPORARILY_UNAVAILABLE', { provider: provider.code });
}

function rejected(reason: FailureReason): Admission {
  return { type: 'REJECTED', reason };
}
