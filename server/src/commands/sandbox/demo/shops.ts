// The merchants of the demo: what each sells, where, and for which fee. Demo Shop is the sandbox's own.
import {
  setCallbackUrl,
  changeFee,
  createMerchant,
  createToken,
  SCOPES,
} from '../../../core/merchants/administer-merchants.ts';
import { topUpWallets } from '../../../core/ledger/administer-wallets.ts';
import type { Engine } from '../../../core/engine.ts';
import { findProvider } from '../../../domain/operators/catalogue.ts';
import { parseAmount } from '../../../domain/money.ts';
import {
  ANNOUNCED_KINDS,
  PAYMENT_KINDS,
  type Operation,
  type PaymentKind,
} from '../../../domain/payments/payment.ts';
import type { DemoMerchant } from '../demo-merchant.ts';

type Weighted<Value> = readonly (readonly [weight: number, value: Value])[];

export type ShopProfile = {
  readonly name: string;
  /** Its part of all payments. */
  readonly share: number;
  readonly providers: Weighted<string>;
  readonly operations: Weighted<Operation>;
  readonly feeBasisPoints: number;
};

export const DEMO_SHOP: ShopProfile = {
  name: 'Demo Shop',
  share: 42,
  providers: [
    [6, 'MTN_MOMO_RWA'],
    [2, 'AIRTEL_RWA'],
    [2, 'MTN_MOMO_UGA'],
    [2, 'MPESA_KEN'],
  ],
  operations: [
    [72, 'DEPOSIT'],
    [10, 'PAYOUT'],
    [9, 'REFUND'],
    [4, 'REMITTANCE'],
    [5, 'SPLIT_PAYMENT'],
  ],
  feeBasisPoints: 150,
};

const OTHERS: readonly ShopProfile[] = [
  {
    name: 'Kampala Bus Lines',
    share: 20,
    providers: [
      [3, 'MTN_MOMO_UGA'],
      [2, 'AIRTEL_OAPI_UGA'],
    ],
    operations: [
      [92, 'DEPOSIT'],
      [8, 'REFUND'],
    ],
    feeBasisPoints: 120,
  },
  {
    name: 'Boutique Téranga',
    share: 15,
    providers: [
      [3, 'ORANGE_SEN'],
      [3, 'WAVE_SEN'],
      [1, 'FREE_SEN'],
    ],
    operations: [
      [90, 'DEPOSIT'],
      [10, 'REFUND'],
    ],
    feeBasisPoints: 175,
  },
  {
    name: 'Lusaka Solar Homes',
    share: 13,
    providers: [
      [3, 'MTN_MOMO_ZMB'],
      [2, 'AIRTEL_OAPI_ZMB'],
    ],
    operations: [
      [88, 'DEPOSIT'],
      [12, 'PAYOUT'],
    ],
    feeBasisPoints: 140,
  },
  {
    name: 'Okapi Remit',
    share: 4,
    providers: [
      [2, 'MTN_MOMO_RWA'],
      [1, 'MPESA_KEN'],
    ],
    operations: [
      [1, 'PAYOUT'],
      [3, 'REMITTANCE'],
    ],
    feeBasisPoints: 80,
  },
  {
    name: 'Umurava Payroll',
    share: 4,
    providers: [
      [3, 'MTN_MOMO_RWA'],
      [1, 'AIRTEL_RWA'],
    ],
    operations: [[1, 'PAYOUT']],
    feeBasisPoints: 60,
  },
];

/** A merchant that trades. */
export type Shop = DemoMerchant & { readonly profile: ShopProfile };

const BY = 'admin@demo.example';

/** Enough for a month of payouts in any of these currencies. */
const OPENING_BALANCE = parseAmount('2000000') ?? 0n;

/** `urlOf`: where a shop gets the callbacks of a kind. */
export async function openShops(
  engine: Engine,
  demoShop: DemoMerchant,
  urlOf: (shop: string, kind: string) => string,
): Promise<readonly Shop[]> {
  const shops: Shop[] = [{ ...demoShop, profile: DEMO_SHOP }];
  for (const profile of OTHERS) shops.push({ ...(await openShop(engine, profile)), profile });
  for (const { merchantId, profile } of shops) {
    await setFees(engine, merchantId, profile);
    for (const kind of ANNOUNCED_KINDS) {
      const url = urlOf(profile.name, kind);
      await setCallbackUrl(engine, { by: BY, merchantId, url, kinds: [kind] });
    }
  }
  return shops;
}

async function openShop(engine: Engine, profile: ShopProfile): Promise<DemoMerchant> {
  const merchantId = await createMerchant(engine, {
    by: BY,
    companyName: profile.name,
    operations: profile.operations.map(([, operation]) => operation),
    walletPerProvider: false,
    providers: profile.providers.map(([, provider]) => provider),
  });
  const token = { by: BY, merchantId, name: 'server', scopes: SCOPES, expiresAt: null };
  const { text: apiToken } = await createToken(engine, token);
  const places = profile.providers.map(([, provider]) => placeOf(provider));
  const distinct = new Map(places.map((place) => [`${place.country} ${place.currency}`, place]));
  for (const place of distinct.values()) {
    await topUpWallets(engine, [{ ...place, by: BY, merchantId, amount: OPENING_BALANCE }]);
  }
  return { merchantId, apiToken };
}

async function setFees(engine: Engine, merchantId: string, profile: ShopProfile): Promise<void> {
  const fee = { basisPoints: profile.feeBasisPoints, fixed: 0n };
  for (const [, provider] of profile.providers) {
    const { currency } = placeOf(provider);
    for (const operation of PAYMENT_KINDS.filter((kind) => isPriced(profile, kind))) {
      await changeFee(engine, { by: BY, merchantId, provider, operation, currency, fee });
    }
  }
}

/** Refunds are free. */
function isPriced({ operations }: ShopProfile, kind: PaymentKind): boolean {
  return kind !== 'REFUND' && operations.some(([, operation]) => operation === kind);
}

export function placeOf(code: string): { readonly country: string; readonly currency: string } {
  const provider = findProvider(code);
  const currency = provider?.currencies[0]?.currency;
  if (provider === null || currency === undefined) throw new Error(`There is no provider ${code}.`);
  return { country: provider.country, currency };
}
