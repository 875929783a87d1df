// Merchant accounts of a test's own, on a gateway that other tests use too.
import {
  createMerchant,
  createToken,
  SCOPES,
  setCallbackUrl,
  type Scope,
} from '../../src/core/merchants/administer-merchants.ts';
import type { PaymentKind } from '../../src/domain/payments/payment.ts';
import type { TestGateway } from '../gateway.ts';

/** The gateway an account lives in. */
type Home = Pick<TestGateway, 'engine' | 'url'>;

/** What `call` needs to act for a merchant. */
export type Account = {
  readonly url: string;
  readonly apiToken: string;
  readonly tokenId: string;
  readonly merchantId: string;
};

export type AccountOptions = {
  readonly companyName?: string;
  readonly operations?: readonly PaymentKind[];
  readonly providers?: readonly string[];
  readonly callbackUrl?: string;
};

export type TokenOptions = { readonly scopes?: readonly Scope[]; readonly expiresAt?: Date };

export async function openAccount(gateway: Home, options: AccountOptions = {}): Promise<Account> {
  const { companyName = 'Test Shop', operations = ['DEPOSIT'], providers, callbackUrl } = options;
  const merchantId = await createMerchant(gateway.engine, {
    by: 'test',
    companyName,
    operations,
    walletPerProvider: false,
    ...(providers === undefined ? {} : { providers }),
  });
  if (callbackUrl !== undefined) {
    await setCallbackUrl(gateway.engine, { by: 'test', merchantId, url: callbackUrl });
  }
  return openToken(gateway, merchantId);
}

/** A further token of a merchant. */
export async function openToken(
  gateway: Home,
  merchantId: string,
  { scopes = SCOPES, expiresAt }: TokenOptions = {},
): Promise<Account> {
  const order = { by: 'test', merchantId, name: 'test', scopes, expiresAt: expiresAt ?? null };
  const { tokenId, text: apiToken } = await createToken(gateway.engine, order);
  return { url: gateway.url, apiToken, tokenId, merchantId };
}
