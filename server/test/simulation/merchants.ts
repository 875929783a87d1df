// The merchants of a simulation: who they are, what they pay, and the money they bring.
import type { Fee } from '../../src/domain/ledger/fees.ts';
import { OPERATIONS, PAYMENT_KINDS } from '../../src/domain/payments/payment.ts';
import { topUp } from '../../src/domain/ledger/postings.ts';
import type { Merchant } from '../../src/store/merchants/merchants.ts';
import { PROVIDERS, type ProviderPlace } from './providers.ts';
import type { World } from './world.ts';

const MERCHANT_COUNT = 5;
const UNIT = 10_000n;
const NO_KEY = Buffer.alloc(0);

export function makeMerchants(world: World): void {
  for (let no = 1; no <= MERCHANT_COUNT; no += 1) {
    const merchant = makeMerchant(world, no);
    world.merchants.push(merchant);
    for (const place of PROVIDERS) bringMoney(world, merchant, place);
  }
}

/** Money by bank, enough for some payments and not for all. */
export function bringMoney(world: World, merchant: Merchant, place: ProviderPlace): void {
  const { merchantId } = merchant;
  const { country, currency, provider } = place;
  const amount = BigInt(world.random.between(500, 20_000)) * UNIT;
  const walletProvider = merchant.walletPerProvider ? provider : '';
  const name = `${merchantId} ${currency}`;
  world.brought.set(name, (world.brought.get(name) ?? 0n) + amount);
  world.acts += 1;
  world.books.post({
    subject: { merchantId, kind: 'TOP_UP', id: String(world.acts) },
    template: 'TOP_UP',
    firstLegNo: 0,
    legs: topUp({ merchantId, country, currency, provider, walletProvider, amount }),
  });
}

function makeMerchant({ random }: World, no: number): Merchant {
  const active = PROVIDERS.flatMap(({ provider }) => PAYMENT_KINDS.map((kind) => `${provider} ${kind}`));
  const fees = PROVIDERS.flatMap(({ provider, currency }) =>
    PAYMENT_KINDS.map((kind): [string, Fee] => [
      `${provider} ${kind} ${currency}`,
      {
        basisPoints: random.pick([0, 100, 250, 333]),
        fixed: BigInt(random.pick([0, 0, 5, 25])) * UNIT,
      },
    ]),
  );
  return {
    merchantId: `m${no}`,
    home: '0001',
    companyName: `Merchant ${no}`,
    operations: OPERATIONS,
    walletPerProvider: no % 2 === 0,
    isSuspended: false,
    signedRequestsOnly: false,
    signedPagesOnly: false,
    pageColour: null,
    pageLogoHash: null,
    timeZone: 'UTC',
    publicKeys: new Map(),
    limits: [],
    hasListedNumbers: false,
    reviewRules: [],
    dataKey: NO_KEY,
    activeProviders: new Set(active),
    fees: new Map(fees),
  };
}
