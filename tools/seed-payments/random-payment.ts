// A past payment, derived from its number alone, so that the number tells what can be searched for.
import { createHash } from 'node:crypto';
import { findCountry, findProvider, limitsOf } from '../../server/src/domain/operators/catalogue.ts';
import type { PaymentFailureCode } from '../../server/src/domain/failure.ts';
import { renderAmount, type Amount } from '../../server/src/domain/money.ts';
import type { PaymentDetails, PaymentKind, PaymentState } from '../../server/src/domain/payments/payment.ts';
import { accountId } from '../../server/src/store/ledger/wallet-funds.ts';
import { firstTimedUuid } from '../../server/src/store/timed-uuid.ts';
import type { StoredPayment } from '../../server/src/store/payments/payments.ts';
import { streamOf, type Random } from '../../drills/kit/random.ts';

export type Past = {
  readonly merchantId: string;
  readonly count: number;
  readonly until: Date;
  readonly days: number;
  /** Another seed gives other payments. */
  readonly seed: number;
};

/** Several countries and currencies, with one rare provider. */
const MARKETS: readonly (readonly [weight: number, provider: string, currency: string])[] = [
  [30, 'MTN_MOMO_RWA', 'RWF'],
  [12, 'AIRTEL_RWA', 'RWF'],
  [22, 'MPESA_KEN', 'KES'],
  [14, 'MTN_MOMO_UGA', 'UGX'],
  [9, 'AIRTEL_OAPI_UGA', 'UGX'],
  [8, 'ORANGE_SEN', 'XOF'],
  [4.9, 'MTN_MOMO_GHA', 'GHS'],
  [0.1, 'FREE_SEN', 'XOF'],
];
export const RARE_PROVIDER = 'FREE_SEN';

/** Each customer pays about five times. */
const PAYMENTS_PER_CUSTOMER = 5;
/** One in this many is in progress: the newest ones. */
const OPEN_EVERY = 2_000;
/** A refund returns the deposit that came this many payments before it. */
const REFUND_AFTER = 50;
const UNIT = 10_000n;

export function randomPayment(number: number, past: Past): StoredPayment {
  const random = streamOf(past.seed, `payment/${number}`);
  const kind = kindOf(number, past);
  const refunded = kind === 'REFUND' ? randomPayment(number - REFUND_AFTER, past) : null;
  const [provider, currency] =
    refunded === null ? randomMarket(random) : [refunded.provider, refunded.currency];
  const amount = refunded?.amount ?? randomAmount(random, provider, currency, kind);
  const createdAt = timeOf(number, past);
  const state = stateOf(random, kind, number, past);
  const country = findProvider(provider)?.country ?? '';
  const { merchantId } = past;
  const wallet = { type: 'WALLET', merchantId, country, currency, provider: '' } as const;
  return {
    merchantId,
    kind,
    paymentId: uuidOf(`payment ${past.seed} ${past.merchantId} ${number}`),
    paymentNo: numberOf(createdAt, `number ${past.seed} ${past.merchantId} ${number}`),
    writtenId: uuidOf(`payment ${past.seed} ${past.merchantId} ${number}`),
    apiVersion: 'v2',
    state,
    amount,
    amountText: renderAmount(amount),
    fee: (amount / 100n / UNIT) * UNIT,
    currency,
    country,
    provider,
    connector: 'simulator',
    ...(kind !== 'DEPOSIT' && { walletId: accountId(wallet) }),
    ...(refunded === null ? {} : { depositId: refunded.paymentId }),
    details:
      refunded === null
        ? randomDetails(random, number, kind, provider, past)
        : detailsOfRefund(number, refunded),
    createdAt,
    ...ending(random, { number, kind, state, createdAt, seed: past.seed }),
    nextAction: isInProgress(state) ? 'ENQUIRE' : null,
    nextActionAt: isInProgress(state) ? new Date(past.until.getTime() + 3_600_000) : null,
    enquiryCount: 0,
    eventCount: state === 'ENQUEUED' ? 1 : state === 'PROCESSING' ? 2 : 3,
  };
}

const isInProgress = (state: PaymentState) => state === 'PROCESSING' || state === 'IN_RECONCILIATION';

function kindOf(number: number, past: Past): PaymentKind {
  const slot = number % 100;
  if (slot >= 97) return 'REMITTANCE';
  if (slot >= 78 && slot < 92) return 'PAYOUT';
  if (slot < 92 || number <= REFUND_AFTER) return 'DEPOSIT';
  return randomPayment(number - REFUND_AFTER, past).state === 'COMPLETED' ? 'REFUND' : 'DEPOSIT';
}

function stateOf(random: Random, kind: PaymentKind, number: number, { count }: Past): PaymentState {
  const isEnded = number <= count - Math.ceil(count / OPEN_EVERY);
  if (isEnded) return random.chance(0.88) ? 'COMPLETED' : 'FAILED';
  const open: readonly PaymentState[] = ['PROCESSING', 'IN_RECONCILIATION', 'ENQUEUED'];
  return random.pick(kind === 'DEPOSIT' ? open.slice(0, 2) : open);
}

const FAILURES: Readonly<Record<'in' | 'out', readonly (readonly [number, PaymentFailureCode])[]>> = {
  in: [
    [50, 'PAYMENT_NOT_APPROVED'],
    [35, 'INSUFFICIENT_BALANCE'],
    [5, 'PAYER_NOT_FOUND'],
    [5, 'PAYER_LIMIT_REACHED'],
    [5, 'UNSPECIFIED_FAILURE'],
  ],
  out: [
    [60, 'RECIPIENT_NOT_FOUND'],
    [20, 'WALLET_LIMIT_REACHED'],
    [20, 'OTHER_ERROR'],
  ],
};

type Ending = Pick<StoredPayment, 'kind' | 'state' | 'createdAt'> & {
  readonly number: number;
  readonly seed: number;
};

function ending(random: Random, { number, kind, state, createdAt, seed }: Ending) {
  const finalAt = new Date(createdAt.getTime() + random.between(3_000, 60_000));
  const providerTransactionId = `MP${seed}${number.toString(36).toUpperCase().padStart(8, '0')}`;
  if (state === 'COMPLETED') return { finalAt, providerTransactionId };
  if (state !== 'FAILED') return {};
  const failureCode = random.pickWeighted(FAILURES[kind === 'DEPOSIT' ? 'in' : 'out']);
  return { finalAt, failureCode, ...(random.chance(0.3) && { providerTransactionId }) };
}

function timeOf(number: number, { count, until, days }: Past): Date {
  const spanMs = days * 86_400_000;
  return new Date(until.getTime() - Math.round(((count - number + 1) * spanMs) / count));
}

function randomMarket(random: Random): readonly [provider: string, currency: string] {
  return random.pickWeighted(
    MARKETS.map(([weight, provider, currency]) => [weight, [provider, currency] as const]),
  );
}

/** Most amounts are round, like prices. */
function randomAmount(random: Random, provider: string, currency: string, kind: PaymentKind): Amount {
  const facts = findProvider(provider);
  const limits = facts === null ? null : limitsOf(facts, { currency, operation: kind });
  const least = limits?.minAmount ?? UNIT;
  const most = limits?.maxAmount ?? 20_000n * UNIT;
  const round = random.pick([100, 200, 500, 1_000, 1_500, 2_000, 5_000, 10_000]);
  const generated = BigInt(random.chance(0.7) ? round : random.between(50, 20_000)) * UNIT;
  return generated < least ? least : generated > most ? most : generated;
}

function randomDetails(
  random: Random,
  number: number,
  kind: PaymentKind,
  provider: string,
  past: Past,
): PaymentDetails {
  const customer = random.between(1, Math.ceil(past.count / PAYMENTS_PER_CUSTOMER));
  return {
    phoneNumber: phoneNumberOf(provider, customer),
    customerMessage: 'Seeded Shop',
    clientReferenceId: `INV-${number}`,
    metadata: [
      { name: 'orderId', value: `ORD-${past.seed}-${number}`, isPii: false },
      { name: 'email', value: `customer${customer}@example.com`, isPii: true },
    ],
    ...(kind === 'REMITTANCE' && { recipientDetails: { firstName: 'Eric', lastName: `Uwase ${customer}` } }),
  };
}

function detailsOfRefund(number: number, { details }: StoredPayment): PaymentDetails {
  const { phoneNumber, customerMessage } = details;
  return { phoneNumber, customerMessage, clientReferenceId: `INV-${number}` };
}

function phoneNumberOf(provider: string, customer: number): string {
  const country = findCountry(findProvider(provider)?.country ?? '');
  const digits = country?.nationalDigits[0] ?? 9;
  return `${country?.prefix ?? ''}7${customer.toString().padStart(digits - 1, '0')}`;
}

/** In the order of time, as the product makes them. */
function numberOf(at: Date, name: string): string {
  return firstTimedUuid(at).slice(0, 19) + uuidOf(name).slice(19);
}

/** In the format of merchants' identifiers. */
function uuidOf(name: string): string {
  const hex = createHash('md5').update(name).digest('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20)}`;
}
