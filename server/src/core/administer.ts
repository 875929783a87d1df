// What the host does by hand: merchants, tokens, callback addresses, top-ups, availability.
import { randomUUID } from 'node:crypto';
import { listProviders } from '../domain/catalogue.ts';
import type { Amount } from '../domain/money.ts';
import { OPERATIONS, PAYMENT_KINDS, type Operation, type PaymentKind } from '../domain/payment.ts';
import { topUp } from '../domain/postings.ts';
import { setAvailability, type Availability } from '../store/availability.ts';
import { inTransaction } from '../store/database.ts';
import { ensureAccounts, post } from '../store/ledger.ts';
import { activateProviders, insertMerchant, setCallbackEndpoint } from '../store/merchants.ts';
import { insertToken, revokeToken } from '../store/tokens.ts';
import { createTokenText, hashSecret } from './api-token.ts';
import type { Engine } from './engine.ts';

/** What a token may do: start payments of a kind (and act on them), read them, read the toolkit, read balances. */
export const SCOPES = [
  'deposits:write',
  'deposits:read',
  'payouts:write',
  'payouts:read',
  'refunds:write',
  'refunds:read',
  'remittances:write',
  'remittances:read',
  'split-payments:write',
  'split-payments:read',
  'toolkit:read',
  'finances:read',
] as const;
export type Scope = (typeof SCOPES)[number];

export type MerchantOrder = {
  readonly companyName: string;
  readonly operations: readonly Operation[];
  readonly walletPerProvider: boolean;
  /** Providers to activate for every operation of the account; all of the catalogue when left out. */
  readonly providers?: readonly string[];
};

export async function createMerchant(engine: Engine, order: MerchantOrder): Promise<string> {
  const merchantId = randomUUID();
  const providers = order.providers ?? listProviders().map(({ code }) => code);
  await inTransaction(engine.store.database, async (tx) => {
    await insertMerchant(tx, {
      ...order,
      merchantId,
      home: engine.home,
      dataKey: engine.store.keyring.createDataKey(merchantId),
      createdAt: engine.clock.now(),
    });
    const activations = providers.flatMap((provider) =>
      PAYMENT_KINDS.filter((kind) => order.operations.includes(kind)).map((operation) => ({
        provider,
        operation,
      })),
    );
    await activateProviders(tx, merchantId, activations);
  });
  return merchantId;
}

/** Answers the token's text, which is shown once and cannot be read again. */
export async function createToken(
  engine: Engine,
  order: {
    readonly merchantId: string;
    readonly name: string;
    readonly scopes: readonly Scope[];
    readonly expiresAt: Date | null;
  },
): Promise<{ readonly tokenId: string; readonly text: string }> {
  const { tokenId, secret, text } = createTokenText(engine.environment, engine.home);
  await insertToken(engine.store.database, {
    ...order,
    tokenId,
    secretHash: hashSecret(secret),
    createdAt: engine.clock.now(),
  });
  return { tokenId, text };
}

export async function withdrawToken(engine: Engine, tokenId: string): Promise<boolean> {
  return revokeToken(engine.store.database, tokenId, engine.clock.now());
}

/** One address for all kinds of payments. */
export async function setCallbackUrl(engine: Engine, merchantId: string, url: string): Promise<void> {
  await inTransaction(engine.store.database, async (tx) => {
    for (const kind of OPERATIONS) {
      const endpoint = { endpointId: randomUUID(), merchantId, kind, url, now: engine.clock.now() };
      await setCallbackEndpoint(tx, endpoint);
    }
  });
}

export type TopUpOrder = {
  readonly merchantId: string;
  readonly country: string;
  readonly currency: string;
  readonly amount: Amount;
};

/** Money a merchant brought in by bank, as ledger transfers. */
export async function topUpWallets(engine: Engine, orders: readonly TopUpOrder[]): Promise<void> {
  const postings = orders.map((order) => ({
    subject: { merchantId: order.merchantId, kind: 'TOP_UP', id: randomUUID() },
    template: 'TOP_UP',
    firstLegNo: 0,
    legs: topUp({ ...order, provider: '', walletProvider: '' }),
  }));
  await inTransaction(engine.store.database, async (tx) => {
    const accounts = postings.flatMap(({ legs }) => legs.flatMap(({ debit, credit }) => [debit, credit]));
    await ensureAccounts(tx, accounts);
    await post(tx, postings, engine.clock.now());
  });
}

export async function changeAvailability(
  engine: Engine,
  change: { readonly provider: string; readonly operation: PaymentKind; readonly status: Availability },
): Promise<void> {
  await setAvailability(engine.store.database, { ...change, now: engine.clock.now() });
}
