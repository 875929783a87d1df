// Plays a deposit, a payout and a refund of one provider, each until its final status.
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { completingNumberOf } from '../../server/test/connectors/phone-number.ts';
import { agreeOnPage, makeCode } from './payer.ts';
import type { Call } from '../../drills/kit/api.ts';
import { read, start, type Carrier, type Kind, type Offer } from './shop.ts';

export type Played = {
  readonly connector: string;
  readonly provider: string;
  readonly kind: Kind;
  /** The final status, with its failure code; or why it was not reached. */
  readonly outcome: string;
};

export type Play = {
  readonly call: Call;
  readonly carrier: Carrier;
  readonly offer: Offer;
  /** How long a payment may take to end. */
  readonly patienceMs: number;
};

export async function playProvider(play: Play): Promise<readonly Played[]> {
  const { provider } = play.offer;
  const carried = play.carrier.providers.find((one) => one.provider === provider)?.operations ?? [];
  const played: Played[] = [];
  const attempt = async (kind: Kind, body: (id: string) => object | Promise<object>) => {
    const id = randomUUID();
    const outcome = await playOne(play, { kind, id, body }).catch((error: unknown) => String(error));
    played.push({ connector: play.carrier.connector, provider, kind, outcome });
    return id;
  };
  if (carried.includes('DEPOSIT')) {
    const depositId = await attempt('DEPOSIT', (id) => depositOf(play, id));
    if (carried.includes('REFUND')) await attempt('REFUND', (refundId) => ({ refundId, depositId }));
  }
  if (carried.includes('PAYOUT')) {
    await attempt('PAYOUT', (payoutId) => ({
      payoutId,
      amount: play.offer.minAmounts.PAYOUT,
      currency: play.offer.currency,
      recipient: walletOf(provider),
    }));
  }
  return played;
}

type Wanted = {
  readonly kind: Kind;
  readonly id: string;
  readonly body: (id: string) => object | Promise<object>;
};

async function playOne({ call, patienceMs }: Play, { kind, id, body }: Wanted): Promise<string> {
  const answer = await start(call, kind, await body(id));
  if (answer.status !== 'ACCEPTED') return describe(answer);
  const until = Date.now() + patienceMs;
  let hasAgreed = false;
  for (;;) {
    const payment = await read(call, kind, id);
    if (payment.status === 'COMPLETED' || payment.status === 'FAILED') return describe(payment);
    if (payment.authorizationUrl !== undefined && !hasAgreed) {
      await agreeOnPage(payment.authorizationUrl);
      hasAgreed = true;
    }
    if (Date.now() > until) return `still ${payment.status} after ${patienceMs / 1_000} s`;
    await sleep(200);
  }
}

function describe({ status, failureReason }: Awaited<ReturnType<typeof read>>): string {
  return failureReason === undefined ? status : `${status} ${failureReason.failureCode}`;
}

/** Large enough to be refunded. */
async function depositOf({ offer, carrier }: Play, depositId: string): Promise<object> {
  const { provider, currency, minAmounts, authType } = offer;
  const leasts = [minAmounts.DEPOSIT ?? '0', minAmounts.REFUND ?? '0'];
  const [amount = '0'] = leasts.toSorted((a, b) => Number(b) - Number(a));
  const phoneNumber = completingNumberOf(provider);
  const money = { amount, currency };
  return {
    depositId,
    ...money,
    payer: walletOf(provider),
    ...(authType === 'PREAUTH' && {
      preAuthorisationCode: await makeCode(carrier.fakeUrl ?? '', { phoneNumber, provider, ...money }),
    }),
    ...(authType === 'REDIRECT_AUTH' && {
      successfulUrl: 'https://shop.example/paid',
      failedUrl: 'https://shop.example/not-paid',
    }),
  };
}

function walletOf(provider: string) {
  return { type: 'MMO', accountDetails: { phoneNumber: completingNumberOf(provider), provider } };
}
