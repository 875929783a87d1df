// What merchants ask for in a chaos run: payments of every kind, most of which succeed. Pure but for new identifiers.
import { randomUUID } from 'node:crypto';
import numbers from '../../src/connectors/simulator/numbers.json' with { type: 'json' };
import type { Generation } from '../../src/domain/payment.ts';
import { remittanceRecipient, remittanceRequest } from '../../test/requests.ts';
import type { Random } from '../random.ts';
import type { Kind } from './endpoint.ts';
import { inEither } from './generations.ts';

export type Request = {
  readonly kind: Kind;
  readonly generation: Generation;
  readonly path: string;
  readonly ids: readonly string[];
  readonly body: object;
};

export const PROVIDERS = [
  { code: 'MTN_MOMO_RWA', country: 'RWA', currency: 'RWF', prefix: '25078', decimals: 0 },
  { code: 'AIRTEL_RWA', country: 'RWA', currency: 'RWF', prefix: '25073', decimals: 0 },
  { code: 'MTN_MOMO_ZMB', country: 'ZMB', currency: 'ZMW', prefix: '26076', decimals: 2 },
] as const;

type Provider = (typeof PROVIDERS)[number];

/** Requests are drawn in the words of the current generation. */
const CURRENT = { generation: 'v2' } as const;

export function drawDeposit(random: Random): Request {
  const provider = random.pick(PROVIDERS);
  const depositId = randomUUID();
  const body = { depositId, ...drawAmount(random, provider), payer: drawWallet(random, provider, 'DEPOSIT') };
  return inEither(random, { ...CURRENT, kind: 'DEPOSIT', path: '/v2/deposits', ids: [depositId], body });
}

export function drawPayout(random: Random): Request {
  const body = drawPayoutBody(random);
  return inEither(random, { ...CURRENT, kind: 'PAYOUT', path: '/v2/payouts', ids: [body.payoutId], body });
}

export function drawPayouts(random: Random): Request {
  const bodies = Array.from({ length: random.between(2, 10) }, () => drawPayoutBody(random));
  const ids = bodies.map(({ payoutId }) => payoutId);
  return inEither(random, { ...CURRENT, kind: 'PAYOUT', path: '/v2/payouts/bulk', ids, body: bodies });
}

export function drawRefund(random: Random, depositId: string): Request {
  const refundId = randomUUID();
  const body = { refundId, depositId, ...drawPart(random) };
  return inEither(random, { ...CURRENT, kind: 'REFUND', path: '/v2/refunds', ids: [refundId], body });
}

/** Often the whole of what is left, sometimes a part, and sometimes more than there is. */
function drawPart(random: Random): object {
  return random.chance(0.5) ? {} : { amount: String(random.between(10, 60)), currency: 'RWF' };
}

export function drawRemittance(random: Random): Request {
  const provider = random.pick(PROVIDERS);
  const remittanceId = randomUUID();
  const { phoneNumber } = drawWallet(random, provider, 'PAYOUT').accountDetails;
  const recipient = remittanceRecipient(provider.code, phoneNumber);
  const body = remittanceRequest({ remittanceId, ...drawAmount(random, provider), recipient });
  return { ...CURRENT, kind: 'REMITTANCE', path: '/v2/remittances', ids: [remittanceId], body };
}

export function drawSplit(random: Random): Request {
  const provider = PROVIDERS[0];
  const splitPaymentId = randomUUID();
  const splits = Array.from({ length: random.between(1, 3) }, () => ({
    payoutId: randomUUID(),
    amount: String(random.between(100, 150)),
    recipient: drawWallet(random, provider, 'PAYOUT'),
  }));
  const payer = drawWallet(random, provider, 'DEPOSIT');
  const body = { splitPaymentId, amount: '600', currency: provider.currency, payer, splits };
  return { ...CURRENT, kind: 'SPLIT_PAYMENT', path: '/v2/split-payments', ids: [splitPaymentId], body };
}

function drawPayoutBody(random: Random) {
  const provider = random.pick(PROVIDERS);
  const recipient = drawWallet(random, provider, 'PAYOUT');
  return { payoutId: randomUUID(), ...drawAmount(random, provider), recipient };
}

function drawAmount(random: Random, { currency, decimals }: Provider) {
  const cents = decimals === 0 || random.chance(0.5) ? '' : `.${random.between(10, 99)}`;
  return { amount: `${random.between(100, 300)}${cents}`, currency };
}

/** Four in five are nobody in particular, and pay; the others do as the sandbox's numbers, a few stuck for ever. */
function drawWallet(random: Random, provider: Provider, operation: 'DEPOSIT' | 'PAYOUT') {
  const phoneNumber = random.chance(0.82)
    ? drawNumber(random, provider)
    : drawOddNumber(random, provider, operation);
  return { type: 'MMO', accountDetails: { phoneNumber, provider: provider.code } };
}

function drawNumber(random: Random, { prefix }: Provider): string {
  return `${prefix}${String(random.between(0, 9_999_999)).padStart(7, '0')}`;
}

function drawOddNumber(random: Random, { code }: Provider, operation: 'DEPOSIT' | 'PAYOUT'): string {
  const odd = numbers.filter((row) => row.provider === code && row.operation === operation);
  const failing = odd.filter(({ outcome }) => outcome !== 'COMPLETED' && outcome !== 'STUCK');
  const stuck = odd.filter(({ outcome }) => outcome === 'STUCK');
  return random.pick(random.chance(0.05) && stuck.length > 0 ? stuck : failing).phoneNumber;
}
