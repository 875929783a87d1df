// Whether a request that reads well may become a payment: the business checks, in the specification's order.
// Pure over what it is given; duplicates were looked for before, funds are decided in the transaction.
import { findCountry, findProvider, limitsOf, type ProviderFacts } from '../../domain/operators/catalogue.ts';
import { failureReason, type FailureCode, type FailureReason } from '../../domain/failure.ts';
import type { MoneyPlace } from '../../domain/ledger/decimals.ts';
import { NO_FEE, quoteFee } from '../../domain/ledger/fees.ts';
import { decimalsWritten, type Amount } from '../../domain/money.ts';
import type { Operation, PaymentKind } from '../../domain/payments/payment.ts';
import { isPhoneNumberOf } from '../../domain/phone-number.ts';
import type { Availability } from '../../store/operators/availability.ts';
import type { Merchant } from '../../store/merchants/merchants.ts';

export type AdmissionFacts = {
  readonly merchant: Merchant;
  readonly kind: PaymentKind;
  readonly amount: Amount;
  readonly amountText: string;
  readonly currency: string;
  readonly provider: string;
  readonly phoneNumber: string;
  /** Where the merchant expects the provider to be, if it said so. */
  readonly askedCountry?: string | undefined;
  readonly availability: Availability;
  /** The connector this installation binds the provider to. */
  readonly connector: string | null;
  readonly testNumbersAllowed: boolean;
};

export type Admission = Admitted | Refused;

export type Admitted = {
  readonly type: 'ADMITTED';
  readonly country: string;
  readonly connector: string;
  readonly fee: Amount;
  /** ENQUEUED where the provider cannot take the payment now and it can wait. */
  readonly state: 'ACCEPTED' | 'ENQUEUED';
};

export type Refused =
  | { readonly type: 'REJECTED'; readonly reason: FailureReason }
  /** The account may not do this at all, or not now because of a limit: answered 403. */
  | {
      readonly type: 'NOT_ALLOWED';
      readonly reason: FailureReason;
      readonly isLimited?: true;
      readonly limit?: string;
    };

export function admit(facts: AdmissionFacts): Admission {
  const provider = findProvider(facts.provider);
  const refusal =
    checkAllowed(facts) ??
    checkProvider(facts, provider) ??
    rejected(
      checkCountry(facts, provider) ??
        checkPhoneNumber(facts, provider) ??
        checkAmount(facts, provider) ??
        checkAvailability(facts),
    );
  if (refusal !== null) return refusal;
  return {
    type: 'ADMITTED',
    country: provider?.country ?? '',
    connector: facts.connector ?? '',
    fee: feeOf(facts),
    state: facts.availability === 'OPERATIONAL' ? 'ACCEPTED' : 'ENQUEUED',
  };
}

const NOT_ALLOWED: Readonly<Record<Operation, FailureCode>> = {
  DEPOSIT: 'DEPOSITS_NOT_ALLOWED',
  PAYOUT: 'PAYOUTS_NOT_ALLOWED',
  REFUND: 'REFUNDS_NOT_ALLOWED',
  REMITTANCE: 'REMITTANCES_NOT_ALLOWED',
  SPLIT_PAYMENT: 'SPLIT_PAYMENTS_NOT_ALLOWED',
};

export function checkAllowed({
  merchant,
  kind,
}: {
  readonly merchant: Merchant;
  readonly kind: Operation;
}): Refused | null {
  if (merchant.operations.includes(kind)) return null;
  return { type: 'NOT_ALLOWED', reason: failureReason(NOT_ALLOWED[kind]) };
}

/** A limit, by its name, or a list of numbers lets it not through; of several requests only this one is rejected. */
export function limited(kind: Operation, failureMessage: string, limit?: string): Refused {
  const reason = { failureCode: NOT_ALLOWED[kind], failureMessage };
  return { type: 'NOT_ALLOWED', reason, isLimited: true, ...(limit !== undefined && { limit }) };
}

export function checkProvider(
  {
    merchant,
    kind,
    provider,
    connector,
  }: Pick<AdmissionFacts, 'merchant' | 'kind' | 'provider' | 'connector'>,
  known: ProviderFacts | null,
): Refused | null {
  const isActive = merchant.activeProviders.has(`${provider} ${kind}`);
  if (known !== null && isActive && connector !== null) return null;
  const operation = `${kind.toLowerCase()}s`;
  return rejected(failureReason('INVALID_PROVIDER', { provider, operation }));
}

function checkCountry(
  { provider, askedCountry }: AdmissionFacts,
  known: ProviderFacts | null,
): FailureReason | null {
  if (askedCountry === undefined || askedCountry === known?.country) return null;
  const cause = `the provider '${provider}' is not there`;
  return failureReason('INVALID_COUNTRY', { country: askedCountry, cause });
}

function checkPhoneNumber(facts: AdmissionFacts, provider: ProviderFacts | null): FailureReason | null {
  const country = findCountry(provider?.country ?? '');
  const { testNumbersAllowed } = facts;
  if (country !== null && isPhoneNumberOf(facts.phoneNumber, country, { testNumbersAllowed })) return null;
  return failureReason('INVALID_PHONE_NUMBER', { country: provider?.country ?? '' });
}

/** Currency, decimals, bounds. */
export function checkAmount(
  facts: Pick<AdmissionFacts, 'kind' | 'provider' | 'currency' | 'amount' | 'amountText'>,
  provider: ProviderFacts | null,
): FailureReason | null {
  const names = { provider: facts.provider, currency: facts.currency };
  const limits =
    provider === null ? null : limitsOf(provider, { currency: facts.currency, operation: facts.kind });
  if (limits === null) return failureReason('INVALID_CURRENCY', names);
  if (decimalsWritten(facts.amountText) > limits.decimals) {
    return failureReason('INVALID_AMOUNT', { ...names, decimals: String(limits.decimals) });
  }
  // Zero is out of bounds whatever the catalogue says.
  if (facts.amount > 0n && facts.amount >= limits.minAmount && facts.amount <= limits.maxAmount) return null;
  const bounds = { minAmount: limits.minAmountText, maxAmount: limits.maxAmountText };
  const bound = facts.amount > limits.maxAmount ? 'ABOVE_MAXIMUM' : 'BELOW_MINIMUM';
  return { ...failureReason('AMOUNT_OUT_OF_BOUNDS', { ...names, ...bounds }), bound };
}

/** A deposit needs its payer now: what cannot be sent at once is not accepted. The others can wait, unless closed. */
export function checkAvailability({
  kind,
  provider,
  availability,
}: Pick<AdmissionFacts, 'kind' | 'provider' | 'availability'>): FailureReason | null {
  const isRefused = kind === 'DEPOSIT' ? availability !== 'OPERATIONAL' : availability === 'CLOSED';
  return isRefused ? failureReason('PROVIDER_TEMPORARILY_UNAVAILABLE', { provider }) : null;
}

/**
 * What the payment costs the merchant, in whole units of the wallet of its provider. A deposit's fee comes out of the
 * deposit, so it is never more than that.
 */
export function feeOf({
  merchant,
  kind,
  provider,
  currency,
  amount,
}: Pick<AdmissionFacts, 'merchant' | 'kind' | 'provider' | 'currency' | 'amount'>): Amount {
  const price = merchant.fees.get(`${provider} ${kind} ${currency}`) ?? NO_FEE;
  const fee = quoteFee(price, { amount, wallet: walletPlaceOf(merchant, { provider, currency }) });
  return kind === 'DEPOSIT' && fee > amount ? amount : fee;
}

/** The wallet that a merchant keeps for payments of a provider: one for each, or one for all of the country. */
export function walletPlaceOf(
  { walletPerProvider }: Pick<Merchant, 'walletPerProvider'>,
  { provider, currency }: { readonly provider: string; readonly currency: string },
): MoneyPlace {
  const country = findProvider(provider)?.country;
  return { currency, ...(country !== undefined && { country }), provider: walletPerProvider ? provider : '' };
}

function rejected(reason: FailureReason | null): Refused | null {
  return reason === null ? null : { type: 'REJECTED', reason };
}
