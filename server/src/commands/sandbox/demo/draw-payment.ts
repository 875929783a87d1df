// One payment of the demo: the request that starts it, and what its operator does with it.
import { randomUUID } from 'node:crypto';
import type { Operation, PaymentKind } from '../../../domain/payments/payment.ts';
import type { Fault } from '../../../sandbox/fakes/faults/fault.ts';
import numbers from '../../../sandbox/fakes/payers/numbers.json' with { type: 'json' };
import type { Random } from './random.ts';
import { placeOf, type Shop } from './shops.ts';

export type DrawnPayment = {
  readonly shop: Shop;
  readonly id: string;
  readonly operation: Operation;
  readonly path: string;
  readonly body: object;
  /** What the simulator is told before the request is sent. */
  readonly fault: Fault;
  /** How long the operator takes. */
  readonly delayMs: number;
  /** What can be refunded later. Null for everything but a deposit that completes. */
  readonly paid: PaidDeposit | null;
};

/** A deposit that its payer has paid. */
export type PaidDeposit = {
  readonly depositId: string;
  readonly phoneNumber: string;
  readonly currency: string;
  readonly units: number;
};

/** `paid`: a deposit of this shop to give back, where there is one. */
export function drawPayment(random: Random, shop: Shop, paid: PaidDeposit | null): DrawnPayment {
  const drawn = random.pick(shop.profile.operations);
  if (drawn === 'REFUND' && paid !== null) return drawRefund(random, shop, paid);
  const operation = drawn === 'REFUND' ? 'DEPOSIT' : drawn;
  const provider = random.pick(shop.profile.providers);
  const { currency } = placeOf(provider);
  const units = drawUnits(random, currency);
  const phoneNumber = drawNumber(random, provider);
  const id = randomUUID();
  const request = renderRequest(operation, {
    id,
    units,
    currency,
    clientReferenceId: `order-${random.between(1_000, 9_999)}`,
    party: walletOf(phoneNumber, provider),
    other: walletOf(drawNumber(random, provider), provider),
    isRedirected: provider.startsWith('WAVE_'),
  });
  const end = planEnd(random, operation === 'SPLIT_PAYMENT' ? 'DEPOSIT' : operation, phoneNumber);
  const isPaid = operation === 'DEPOSIT' && end.fault.status === 'SUCCESSFUL';
  const deposit = isPaid ? { depositId: id, phoneNumber, currency, units } : null;
  return { shop, id, operation, ...request, ...end, paid: deposit };
}

function walletOf(phoneNumber: string, provider: string) {
  return { type: 'MMO', accountDetails: { phoneNumber, provider } };
}

type RequestFacts = {
  readonly id: string;
  readonly units: number;
  readonly currency: string;
  readonly clientReferenceId: string;
  readonly party: ReturnType<typeof walletOf>;
  /** Who gets a part of a split payment. */
  readonly other: ReturnType<typeof walletOf>;
  readonly isRedirected: boolean;
};

function renderRequest(operation: Exclude<Operation, 'REFUND'>, facts: RequestFacts) {
  const { id, units, currency, clientReferenceId, party, other, isRedirected } = facts;
  const amount = { amount: String(units), currency };
  switch (operation) {
    case 'DEPOSIT': {
      const body = {
        depositId: id,
        ...amount,
        clientReferenceId,
        payer: party,
        ...(isRedirected && REDIRECT),
      };
      return { path: '/v2/deposits', body };
    }
    case 'PAYOUT':
      return { path: '/v2/payouts', body: { payoutId: id, ...amount, clientReferenceId, recipient: party } };
    case 'REMITTANCE': {
      const recipient = { ...party, recipientDetails: { firstName: 'Aline', lastName: 'Uwase' } };
      return { path: '/v2/remittances', body: { remittanceId: id, ...amount, recipient, sender: SENDER } };
    }
    case 'SPLIT_PAYMENT': {
      const part = { payoutId: randomUUID(), amount: String(Math.floor(units * 0.7)), recipient: other };
      return {
        path: '/v2/split-payments',
        body: { splitPaymentId: id, ...amount, payer: party, splits: [part] },
      };
    }
  }
}

function drawRefund(random: Random, shop: Shop, paid: PaidDeposit): DrawnPayment {
  const { depositId, phoneNumber, currency, units } = paid;
  const id = randomUUID();
  const part = random.chance(0.3) ? { amount: String(Math.ceil(units / 2)), currency } : {};
  const body = { refundId: id, depositId, ...part };
  const planned = planEnd(random, 'REFUND', phoneNumber);
  return { shop, id, operation: 'REFUND', path: '/v2/refunds', body, ...planned, paid: null };
}

/** The smallest amounts that people pay, by currency: they pay two to sixty times as much. */
const SMALL_UNITS: Readonly<Record<string, number>> = { RWF: 500, UGX: 1_500, XOF: 300, ZMW: 10, KES: 60 };

/** Small amounts are more frequent. */
function drawUnits(random: Random, currency: string): number {
  return (SMALL_UNITS[currency] ?? 100) * Math.min(random.between(2, 60), random.between(2, 60));
}

const DRAWN_DIGITS = 6;

function drawNumber(random: Random, provider: string): string {
  const { country } = placeOf(provider);
  const completing = numbers.filter(({ outcome }) => outcome === 'COMPLETED');
  const known =
    completing.find((row) => row.provider === provider) ??
    completing.find((row) => row.provider.endsWith(`_${country}`));
  const drawn = String(random.between(0, 10 ** DRAWN_DIGITS - 1)).padStart(DRAWN_DIGITS, '0');
  return `${known?.phoneNumber.slice(0, -DRAWN_DIGITS) ?? ''}${drawn}`;
}

/** The simulator's own codes, more frequent ones first. */
const PAYER_FAILURES = [
  [5, 'FUNDS_TOO_LOW'],
  [4, 'PAYER_DECLINED'],
  [2, 'PIN_TIMEOUT'],
  [1, 'SUBSCRIBER_CEILING'],
] as const;
const RECIPIENT_FAILURES = [
  [3, 'BENEFICIARY_UNKNOWN'],
  [2, 'ACCOUNT_FULL'],
  [1, 'BENEFICIARY_CEILING'],
] as const;

/** Payers fail more often than recipients, and take longer: they have to find their PIN. */
function planEnd(random: Random, kind: PaymentKind, phoneNumber: string) {
  const isDeposit = kind === 'DEPOSIT';
  const delayMs = isDeposit
    ? random.between(4_000, random.chance(0.15) ? 55_000 : 16_000)
    : random.between(1_500, 5_000);
  const aim = { type: 'OUTCOME', operation: kind, phoneNumber, delayMs } as const;
  const hasFailed = random.chance(isDeposit ? 0.13 : 0.04);
  const failureCode = random.pick<string>(isDeposit ? PAYER_FAILURES : RECIPIENT_FAILURES);
  const status = hasFailed ? 'FAILED' : 'SUCCESSFUL';
  const fault = { ...aim, status, ...(hasFailed && { failureCode }) } as const;
  return { fault, delayMs };
}

const REDIRECT = { successfulUrl: 'https://shop.example/paid', failedUrl: 'https://shop.example/not-paid' };

const SENDER = {
  transactionDetails: {
    transactionReference: 'R-1001',
    originalAmount: '25',
    originalCurrency: 'EUR',
    buyFxRate: '80',
    senderFees: '0.5',
    purposeOfFunds: 'FAMILY_SUPPORT',
    sourceOfFunds: 'SALARY',
  },
  senderDetails: {
    firstName: 'Eric',
    lastName: 'Mugabo',
    nationality: 'RWA',
    phoneNumber: '32470000000',
    address: { addressLine: 'Rue Haute 1', postalCode: '1000', city: 'Brussels', country: 'BEL' },
    identification: { type: 'PASSPORT', number: 'PC123456' },
  },
};
