// Where a run's payments are made: providers of the catalogue, with what a request to them needs.
import { findProvider } from '../../../server/src/domain/operators/catalogue.ts';
import type { PaymentKind } from '../../../server/src/domain/payments/payment.ts';
import { completingNumberOf } from '../../../server/test/connectors/phone-number.ts';
import type { Random } from '../random.ts';

export type Market = {
  readonly code: string;
  readonly country: string;
  readonly currency: string;
  readonly decimals: 0 | 2;
  /** What every operation of the provider takes, in whole units. */
  readonly amountMin: number;
  /** What a deposit needs beside its payer. */
  readonly authorisation: object;
  /** The beginning of its subscribers' numbers. */
  readonly prefix: string;
};

/** So many digits are left to draw: two payments of a run seldom meet. */
const DRAWN_DIGITS = 6;

/** Below this the fees of a merchant who pays some would be more than the amount. */
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

/** A payer who never asked his operator for a code is taken at his word. */
const AUTHORISATIONS = {
  PROVIDER_AUTH: {},
  PREAUTH: { preAuthorisationCode: '482915' },
  REDIRECT_AUTH: { successfulUrl: 'https://shop.example/paid', failedUrl: 'https://shop.example/not-paid' },
} as const;

export function drawNumber(random: Random, { prefix }: Market): string {
  const most = 10 ** DRAWN_DIGITS - 1;
  return `${prefix}${String(random.between(0, most)).padStart(DRAWN_DIGITS, '0')}`;
}

/** What the chaos run's payments are made with, if no one says otherwise. */
export const MARKETS: readonly Market[] = ['MTN_MOMO_RWA', 'AIRTEL_RWA', 'MTN_MOMO_ZMB'].map(marketOf);
