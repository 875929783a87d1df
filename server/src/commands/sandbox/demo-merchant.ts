// The sandbox's merchant: every provider, every operation, and money in a wallet of every country and currency.
import {
  createMerchant,
  createToken,
  SCOPES,
  setCallbackUrl,
} from '../../core/merchants/administer-merchants.ts';
import { listWalletPlaces, topUpWallets } from '../../core/ledger/administer-wallets.ts';
import type { Engine } from '../../core/engine.ts';
import { parseAmount, type Amount } from '../../domain/money.ts';
import { OPERATIONS } from '../../domain/payments/payment.ts';

export type DemoMerchant = { readonly merchantId: string; readonly apiToken: string };

/** No one in person: it is made with the sandbox. */
const BY = 'sandbox';

const OPENING_BALANCE: Amount = parseAmount('1000000') ?? 0n;

export async function createDemoMerchant(engine: Engine, callbackUrl: string | null): Promise<DemoMerchant> {
  const merchantId = await createMerchant(engine, {
    by: BY,
    companyName: 'Demo Shop',
    operations: OPERATIONS,
    walletPerProvider: false,
  });
  const { text: apiToken } = await createToken(engine, {
    by: BY,
    merchantId,
    name: 'sandbox',
    scopes: SCOPES,
    expiresAt: null,
  });
  if (callbackUrl !== null) await setCallbackUrl(engine, { by: BY, merchantId, url: callbackUrl });
  await topUpWallets(
    engine,
    listWalletPlaces({ walletPerProvider: false }).map((place) => ({
      ...place,
      by: BY,
      merchantId,
      amount: OPENING_BALANCE,
    })),
  );
  return { merchantId, apiToken };
}
