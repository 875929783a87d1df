// The providers of a run's payments, with what a request to them needs.
import { findProvider } from '../../../server/src/domain/operators/catalogue.ts';
import type { PaymentKind } from '../../../server/src/domain/payments/payment.ts';
import { completingNumberOf } from '../../../server/test/connectors/phone-number.ts';
import type { Random } from '../random.ts';

export type Market = {
  readonly code: string;
  readonly country: string;
  readonly currency: string;
  readonly decimals: 0 | 2;
  /** An amount that every operation of the provider accepts, in whole units. */
  readonly amountMin: number;
  /** Further fields of a deposit. */
  readonly authorisation: object;
  /** The prefix of its subscribers' numbers. */
  readonly prefix: string;
};

/** The number of random digits: two payments of a run rarely have the same number. */
const DRAWN_DIGITS = 6;

/** Below this amount a merchant's fees would exceed it. */
const AMOUNT_MIN = 100;

export function marketOf(code: string): Market {
  const provider = findProvider(code);
  const [facts] = provider?.currencies ?? [];
  if (provider === null || facts === undefined) throw new Error(`The catalogue has no provider ${code}.`);
  const kinds = Object.keys(facts.operations) as PaymentKind[];
  const leasts = kinds.map((kind) => Math.ceil(Number(facts.operations[kind]?.minAmountText ?? '0')));
  return {
    code,
    country: provider.country,
    currency: facts.currency,
    decimals: facts.operations.DEPOSIT?.decimals ?? 0,
    amountMin: Math.max(AMOUNT_MIN, ...leasts),
    authorisation: AUTHORISATIONS[provider.authType],
    prefix: completingNumberOf(code).slice(0, -DRAWN_DIGITS),
  };
}

/** For a payer without codes, any code is accepted. */
const AUTHORISATIONS = {
  PROVIDER_AUTH: {},
  PREAUTH: { preAuthorisationCode: '482915' },
  REDIRECT_AUTH: { successfulUrl: 'https://shop.example/paid', failedUrl: 'https://shop.example/not-paid' },
} as const;

export function randomNumber(random: Random, { prefix }: Market): string {
  const most = 10 ** DRAWN_DIGITS - 1;
  return `${prefix}${String(random.between(0, most)).padStart(DRAWN_DIGITS, '0')}`;
}

/** The default markets of the chaos run. */
export const MARKETS: readonly Market[] = ['MTN_MOMO_RWA', 'AIRTEL_RWA', 'MTN_MOMO_ZMB'].map(marketOf);
