// Random limits, and random requests that count in them.
import * as fc from 'fast-check';
import { LIMIT_PERIODS, LIMIT_SCOPES, type Limit } from '../../src/domain/limits/limit.ts';
import type { PaymentKind } from '../../src/domain/payments/payment.ts';
import { limitOf, UNIT } from './limited-merchants.ts';
import type { Counting } from './limits-model.ts';

/** Francs, which several countries have and which are paid without decimals. */
export const CURRENCY = 'XOF';
const THOUSAND = 1_000n * UNIT;
/** Of one payment. */
export const MOST = 50n * THOUSAND;
export const COUNTRIES = ['BEN', 'CIV'] as const;
/** A number can be paid at several providers, and a provider can pay several numbers. */
const WALLETS = [
  { country: 'BEN', provider: 'MTN_MOMO_BEN', phoneNumber: '2290151345781' },
  { country: 'BEN', provider: 'MOOV_BEN', phoneNumber: '2290151345781' },
  { country: 'BEN', provider: 'MTN_MOMO_BEN', phoneNumber: '2290151345782' },
  { country: 'CIV', provider: 'MTN_MOMO_CIV', phoneNumber: '2250701345783' },
  { country: 'CIV', provider: 'ORANGE_CIV', phoneNumber: '2250701345783' },
] as const;
const TOKENS = ['one', 'two'] as const;
const KINDS = ['PAYOUT', 'DEPOSIT', 'REFUND', 'REMITTANCE'] as const satisfies readonly PaymentKind[];

const anyMaxima = fc.oneof(
  fc.record({ countMax: fc.integer({ min: 1, max: 6 }), amountMax: fc.constant(null) }),
  fc.record({
    countMax: fc.option(fc.integer({ min: 3, max: 8 })),
    amountMax: fc.bigInt({ min: 40n, max: 200n }).map((thousands) => thousands * THOUSAND),
  }),
);

/** What is counted apart: every one, or a single one. */
const anyWhat = fc.constantFrom<Pick<Limit, 'scope' | 'subject'>>(
  ...LIMIT_SCOPES.map((scope) => ({ scope, subject: '' })),
  { scope: 'TOKEN', subject: TOKENS[0] },
  { scope: 'PROVIDER', subject: WALLETS[0].provider },
  { scope: 'COUNTRY', subject: COUNTRIES[1] },
);

/** Of the platform, and beside it often the merchant's own, most of which are stricter. */
export const anyLimits: fc.Arbitrary<readonly Limit[]> = fc
  .uniqueArray(
    fc.record({
      kind: fc.constantFrom(...KINDS, 'PAYOUT'),
      what: anyWhat,
      period: fc.constantFrom(...LIMIT_PERIODS),
      isOfEveryCurrency: fc.boolean(),
      maxima: anyMaxima,
      own: fc.option(anyMaxima),
    }),
    {
      minLength: 4,
      maxLength: 12,
      selector: ({ kind, what, period }) => [kind, what.scope, what.subject, period].join(' '),
    },
  )
  .map((all) =>
    all.flatMap(({ kind, what, period, isOfEveryCurrency, maxima, own }) => {
      const hasAmount = maxima.amountMax !== null || (own !== null && own.amountMax !== null);
      const currency = isOfEveryCurrency && !hasAmount ? '' : CURRENCY;
      const limit = limitOf({ kind, ...what, period, currency, ...maxima });
      return own === null ? [limit] : [limit, { ...limit, setBy: 'MERCHANT' as const, ...own }];
    }),
  );

type Wanted = Omit<Counting, 'paymentId'>;

/** Several payments that are decided together, or the parts of a split payment. */
export type Batch = { readonly type: 'PAYMENTS' | 'SPLIT'; readonly wanted: readonly Wanted[] };

export type Failing = { readonly index: number; readonly isSent: boolean; readonly isPaid: boolean };

/** Requests that are sent at once; meanwhile time may move, and some that were accepted before fail. */
export type Round = {
  readonly batches: readonly Batch[];
  readonly movedMs: number;
  /** `isSent`: only once the operator has received it. `isPaid`: the operator says later that it paid all the same. */
  readonly failing: readonly Failing[];
};

const anyWanted = (kinds: readonly PaymentKind[]): fc.Arbitrary<Wanted> =>
  fc
    .record({
      kind: fc.constantFrom(...kinds),
      amount: fc.bigInt({ min: 10n, max: MOST / THOUSAND }).map((thousands) => thousands * THOUSAND),
      wallet: fc.constantFrom(...WALLETS),
      tokenId: fc.option(fc.constantFrom(...TOKENS), { nil: undefined }),
    })
    .map(({ wallet, ...wanted }) => ({ ...wanted, ...wallet, currency: CURRENCY }));

const anyBatch: fc.Arbitrary<Batch> = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({
      type: fc.constant('PAYMENTS'),
      wanted: fc.array(anyWanted([...KINDS, 'PAYOUT']), { minLength: 1, maxLength: 5 }),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      type: fc.constant('SPLIT'),
      wanted: fc.array(anyWanted(['PAYOUT']), { minLength: 1, maxLength: 3 }),
    }),
  },
);

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;

export const anyRounds: fc.Arbitrary<readonly Round[]> = fc.array(
  fc.record({
    batches: fc.array(anyBatch, { minLength: 2, maxLength: 6 }),
    movedMs: fc.constantFrom(0, 0, MINUTE_MS, 60 * MINUTE_MS, DAY_MS, 31 * DAY_MS),
    failing: fc.array(fc.record({ index: fc.nat(), isSent: fc.boolean(), isPaid: fc.boolean() }), {
      maxLength: 4,
    }),
  }),
  { minLength: 1, maxLength: 4 },
);
