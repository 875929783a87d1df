// Requests of a chaos run: payments of every kind, most of which succeed. Pure except for new identifiers.
import { randomUUID } from 'node:crypto';
import numbers from '../../../server/src/sandbox/fakes/payers/numbers.json' with { type: 'json' };
import type { ApiVersion } from '../../../server/src/domain/payments/payment.ts';
import { remittanceRecipient, remittanceRequest } from '../../../server/test/requests.ts';
import type { Random } from '../random.ts';
import type { Kind } from './endpoint.ts';
import { inEither } from './api-versions.ts';
import { randomNumber, type Market } from './markets.ts';

export type Request = {
  readonly kind: Kind;
  readonly apiVersion: ApiVersion;
  readonly path: string;
  readonly ids: readonly string[];
  readonly body: object;
};

/** Requests are generated for API v2. */
const CURRENT = { apiVersion: 'v2' } as const;

type Markets = readonly Market[];

export function randomDeposit(random: Random, markets: Markets): Request {
  const market = random.pick(markets);
  const depositId = randomUUID();
  const payer = randomWallet(random, market, 'DEPOSIT');
  const body = { depositId, ...randomAmount(random, market), payer, ...market.authorisation };
  return inEither(random, { ...CURRENT, kind: 'DEPOSIT', path: '/v2/deposits', ids: [depositId], body });
}

export function randomPayout(random: Random, markets: Markets): Request {
  const body = randomPayoutBody(random, markets);
  return inEither(random, { ...CURRENT, kind: 'PAYOUT', path: '/v2/payouts', ids: [body.payoutId], body });
}

export function randomPayouts(random: Random, markets: Markets): Request {
  const bodies = Array.from({ length: random.between(2, 10) }, () => randomPayoutBody(random, markets));
  const ids = bodies.map(({ payoutId }) => payoutId);
  return inEither(random, { ...CURRENT, kind: 'PAYOUT', path: '/v2/payouts/bulk', ids, body: bodies });
}

export function randomRefund(random: Random, depositId: string): Request {
  const refundId = randomUUID();
  const body = { refundId, depositId, ...randomPart(random) };
  return inEither(random, { ...CURRENT, kind: 'REFUND', path: '/v2/refunds', ids: [refundId], body });
}

/** Often the whole remainder, sometimes a part, and sometimes more than there is. */
function randomPart(random: Random): object {
  return random.chance(0.5) ? {} : { amount: String(random.between(10, 60)), currency: 'RWF' };
}

export function randomRemittance(random: Random, markets: Markets): Request {
  const market = random.pick(markets);
  const remittanceId = randomUUID();
  const { phoneNumber } = randomWallet(random, market, 'PAYOUT').accountDetails;
  const recipient = remittanceRecipient(market.code, phoneNumber);
  const body = remittanceRequest({ remittanceId, ...randomAmount(random, market), recipient });
  return { ...CURRENT, kind: 'REMITTANCE', path: '/v2/remittances', ids: [remittanceId], body };
}

/** In the first market, because the amounts are fixed here. */
export function randomSplit(random: Random, markets: Markets): Request {
  const market = markets[0] ?? random.pick(markets);
  const splitPaymentId = randomUUID();
  const splits = Array.from({ length: random.between(1, 3) }, () => ({
    payoutId: randomUUID(),
    amount: String(random.between(100, 150)),
    recipient: randomWallet(random, market, 'PAYOUT'),
  }));
  const payer = randomWallet(random, market, 'DEPOSIT');
  const body = { splitPaymentId, amount: '600', currency: market.currency, payer, splits };
  return { ...CURRENT, kind: 'SPLIT_PAYMENT', path: '/v2/split-payments', ids: [splitPaymentId], body };
}

function randomPayoutBody(random: Random, markets: Markets) {
  const market = random.pick(markets);
  const recipient = randomWallet(random, market, 'PAYOUT');
  return { payoutId: randomUUID(), ...randomAmount(random, market), recipient };
}

function randomAmount(random: Random, { currency, decimals, amountMin }: Market) {
  const cents = decimals === 0 || random.chance(0.5) ? '' : `.${random.between(10, 99)}`;
  return { amount: `${random.between(amountMin, amountMin + 200)}${cents}`, currency };
}

/** Four in five are normal payers; the others are test numbers, a few of which never end. */
function randomWallet(random: Random, market: Market, operation: 'DEPOSIT' | 'PAYOUT') {
  const phoneNumber = random.chance(0.82)
    ? randomNumber(random, market)
    : randomOddNumber(random, market, operation);
  return { type: 'MMO', accountDetails: { phoneNumber, provider: market.code } };
}

function randomOddNumber(random: Random, market: Market, operation: 'DEPOSIT' | 'PAYOUT'): string {
  const odd = numbers.filter((row) => row.provider === market.code && row.operation === operation);
  const failing = odd.filter(({ outcome }) => outcome !== 'COMPLETED' && outcome !== 'STUCK');
  const stuck = odd.filter(({ outcome }) => outcome === 'STUCK');
  const generated = random.chance(0.05) && stuck.length > 0 ? stuck : failing;
  return generated.length === 0 ? randomNumber(random, market) : random.pick(generated).phoneNumber;
}
