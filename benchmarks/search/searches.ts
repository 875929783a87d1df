// Typical searches, and their expected results.
import type { StoredPayment } from '../../server/src/store/payments/payments.ts';
import type { Random } from '../../drills/kit/random.ts';
import { randomPayment, RARE_PROVIDER, type Past } from '../../tools/seed-payments/random-payment.ts';
import { referenceOf } from '../../tools/seed-payments/rows.ts';

export type Search = {
  readonly name: string;
  readonly generate: (random: Random, past: Past) => Look;
};

export type Look = {
  readonly query: Readonly<Record<string, string>>;
  /** The payment that must be on the first page; null if it is enough that every row matches. */
  readonly finds: string | null;
  readonly fits: (row: FoundRow) => boolean;
};

export type FoundRow = {
  readonly paymentId: string;
  readonly kind: string;
  readonly state: string;
  readonly provider: string;
  readonly amount: string;
  readonly createdAt: string;
};

const anything = () => true;

/** By something that one payment, or a few, have. */
function byValue(name: string, valueOf: (payment: StoredPayment) => string | undefined): Search {
  return {
    name,
    generate: (random, past) => {
      for (;;) {
        const payment = randomPayment(random.between(1, past.count), past);
        const search = valueOf(payment);
        if (search !== undefined) return { query: { search }, finds: payment.paymentId, fits: anything };
      }
    },
  };
}

/** By common properties of payments. */
function byFilter(name: string, generate: (random: Random, past: Past) => Omit<Look, 'finds'>): Search {
  return { name, generate: (random, past) => ({ ...generate(random, past), finds: null }) };
}

function day(random: Random, { until, days }: Past) {
  const from = new Date(until.getTime() - random.between(2, days - 1) * 86_400_000);
  return { from: from.toISOString(), to: new Date(from.getTime() + 86_400_000).toISOString() };
}

const isWithin =
  ({ from, to }: ReturnType<typeof day>) =>
  ({ createdAt }: FoundRow) =>
    createdAt >= from && createdAt < to;

export const SEARCHES: readonly Search[] = [
  byValue('identifier', ({ paymentId }) => paymentId),
  byValue('eight characters of an identifier', ({ paymentId }) => paymentId.slice(0, 8)),
  byValue('client reference', ({ details }) => details.clientReferenceId),
  byValue('phone number', ({ details }) => details.phoneNumber),
  byValue('operator transaction', ({ providerTransactionId }) => providerTransactionId),
  byValue('reference at the operator', (payment) =>
    payment.state === 'ENQUEUED' ? undefined : referenceOf(payment),
  ),
  byValue('metadata value', ({ details }) => details.metadata?.[0]?.value),
  byValue('personal metadata value', ({ details }) => details.metadata?.[1]?.value),
  byFilter('nothing that exists', () => ({ query: { search: 'no such thing' }, fits: () => false })),
  byFilter('no filter', () => ({ query: {}, fits: anything })),
  byFilter('state COMPLETED', () => ({
    query: { states: 'COMPLETED' },
    fits: ({ state }) => state === 'COMPLETED',
  })),
  byFilter('state FAILED', () => ({ query: { states: 'FAILED' }, fits: ({ state }) => state === 'FAILED' })),
  byFilter('what is in progress', () => ({
    query: { states: 'ACCEPTED,ENQUEUED,PROCESSING,IN_RECONCILIATION' },
    fits: ({ state }) => state !== 'COMPLETED' && state !== 'FAILED',
  })),
  byFilter('a day', (random, past) => {
    const span = day(random, past);
    return { query: span, fits: isWithin(span) };
  }),
  byFilter('amount that is common', () => ({
    query: { amountMin: '1000', amountMax: '1000' },
    fits: ({ amount }) => amount === '1000',
  })),
  byFilter('amount that is rare', (random) => {
    const amount = String(random.between(51, 19_999));
    return { query: { amountMin: amount, amountMax: amount }, fits: (row) => row.amount === amount };
  }),
  byFilter('amounts of a narrow range', (random) => {
    const least = random.between(51, 19_000);
    return {
      query: { amountMin: String(least), amountMax: String(least + 20) },
      fits: ({ amount }) => Number(amount) >= least && Number(amount) <= least + 20,
    };
  }),
  byFilter('amounts of a wide range', () => ({
    query: { amountMin: '3000', amountMax: '15000' },
    fits: ({ amount }) => Number(amount) >= 3_000 && Number(amount) <= 15_000,
  })),
  byFilter('amounts without an upper end', () => ({
    query: { amountMin: '19990' },
    fits: ({ amount }) => Number(amount) >= 19_990,
  })),
  byFilter('kind and state', () => ({
    query: { kinds: 'REMITTANCE', states: 'FAILED' },
    fits: ({ kind, state }) => kind === 'REMITTANCE' && state === 'FAILED',
  })),
  byFilter('a rare provider', () => ({
    query: { providers: RARE_PROVIDER },
    fits: ({ provider }) => provider === RARE_PROVIDER,
  })),
  byFilter('rare provider, kind and state', () => ({
    query: { providers: RARE_PROVIDER, kinds: 'PAYOUT', states: 'FAILED' },
    fits: ({ provider, kind, state }) =>
      provider === RARE_PROVIDER && kind === 'PAYOUT' && state === 'FAILED',
  })),
  byFilter('provider, state, day and amount', (random, past) => {
    const span = day(random, past);
    return {
      query: { ...span, providers: 'MPESA_KEN', states: 'FAILED', amountMin: '500', amountMax: '500' },
      fits: (row) => isWithin(span)(row) && row.provider === 'MPESA_KEN' && row.amount === '500',
    };
  }),
];
