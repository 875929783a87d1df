// A day of one operator account: its payments, derived from their numbers alone, and what the operator's report says of
// them.
import { createHash } from 'node:crypto';
import type { PaymentKind } from '../../server/src/domain/payments/payment.ts';
import { accountId } from '../../server/src/store/ledger/wallet-funds.ts';
import type { StoredPayment } from '../../server/src/store/payments/payments.ts';
import { firstTimedUuid } from '../../server/src/store/timed-uuid.ts';
import { referenceOf } from '../../tools/seed-payments/rows.ts';

export const ACCOUNT = { provider: 'MTN_MOMO_RWA', currency: 'RWF' } as const;
export const COUNTRY = 'RWA';

/** One in this many payments differs in each way that is planted. */
const ONE_IN = 1_000;
const UNIT = 10_000n;

/** What the report has of a payment. */
type Planted = 'AS_IT_IS' | 'MISSING' | 'OTHER_AMOUNT' | 'WITH_UNKNOWN';

export type Day = {
  readonly merchantId: string;
  readonly from: Date;
  readonly to: Date;
  readonly count: number;
};

/** Of a hundred payments 70 are deposits, 25 payouts and 5 remittances. All are completed. */
export function paymentOf(number: number, { merchantId, from, to, count }: Day): StoredPayment {
  const slot = number % 100;
  const kind: PaymentKind = slot < 70 ? 'DEPOSIT' : slot < 95 ? 'PAYOUT' : 'REMITTANCE';
  // The last ten minutes stay free, so that each payment ends within its day.
  const span = to.getTime() - from.getTime() - 600_000;
  const createdAt = new Date(from.getTime() + Math.floor((span * number) / count));
  const amount = BigInt(100 + ((number * 7) % 900) * 10) * UNIT;
  const paymentId = uuidOf(`payment ${number}`);
  const wallet = { type: 'WALLET', merchantId, country: COUNTRY, currency: ACCOUNT.currency, provider: '' };
  return {
    merchantId,
    kind,
    paymentId,
    paymentNo: firstTimedUuid(createdAt).slice(0, 19) + uuidOf(`number ${number}`).slice(19),
    writtenId: paymentId,
    apiVersion: 'v2',
    state: 'COMPLETED',
    amount,
    amountText: String(amount / UNIT),
    fee: UNIT * 10n,
    currency: ACCOUNT.currency,
    country: COUNTRY,
    provider: ACCOUNT.provider,
    connector: 'simulator',
    ...(kind !== 'DEPOSIT' && { walletId: accountId(wallet as Parameters<typeof accountId>[0]) }),
    details: {
      phoneNumber: phoneNumberOf(number),
      customerMessage: 'Busy Shop',
      clientReferenceId: `INV-${number}`,
    },
    createdAt,
    finalAt: new Date(createdAt.getTime() + 3_000 + (number % 57) * 1_000),
    providerTransactionId: `TX${String(number).padStart(10, '0')}`,
    nextAction: null,
    nextActionAt: null,
    enquiryCount: 0,
    eventCount: 3,
  };
}

/** What differs between the books and the report that `linesOf` makes of the whole day. */
export function countDifferences({ count }: Pick<Day, 'count'>): number {
  let differences = 0;
  for (let number = 1; number <= count; number += 1) if (plantedOf(number) !== 'AS_IT_IS') differences += 1;
  return differences;
}

export const HEADER = 'time,direction,status,amount,currency,reference,transactionId,phoneNumber\n';

/** The report's lines about a payment, in our own columns. */
export function linesOf(payment: StoredPayment, number: number): readonly string[] {
  const { finalAt = payment.createdAt, kind, amount, providerTransactionId = '' } = payment;
  const lineWith = (reference: string, transactionId: string, moved: bigint) =>
    [
      finalAt.toISOString(),
      kind === 'DEPOSIT' ? 'IN' : 'OUT',
      'COMPLETED',
      String(moved / UNIT),
      payment.currency,
      reference,
      transactionId,
      phoneNumberOf(number),
    ].join(',') + '\n';
  const own = lineWith(referenceOf(payment), providerTransactionId, amount);
  switch (plantedOf(number)) {
    case 'AS_IT_IS':
      return [own];
    case 'MISSING':
      return [];
    case 'OTHER_AMOUNT':
      return [lineWith(referenceOf(payment), providerTransactionId, amount + 50n * UNIT)];
    case 'WITH_UNKNOWN':
      return [own, lineWith(uuidOf(`unknown ${number}`), `UN${providerTransactionId}`, amount)];
  }
}

function plantedOf(number: number): Planted {
  const place = number % ONE_IN;
  return place === 7
    ? 'MISSING'
    : place === 107
      ? 'OTHER_AMOUNT'
      : place === 207
        ? 'WITH_UNKNOWN'
        : 'AS_IT_IS';
}

function phoneNumberOf(number: number): string {
  return `25078${String(number % 10_000_000).padStart(7, '0')}`;
}

/** In the format of merchants' identifiers. */
function uuidOf(name: string): string {
  const hex = createHash('md5').update(`daily close ${name}`).digest('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20)}`;
}
