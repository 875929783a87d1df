// What the host does manually: merchants, what they may do, their tokens and callback addresses, availability. Every
// act says who does it and is recorded in the same transaction.
import { randomUUID } from 'node:crypto';
import { listProviders } from '../../domain/operators/catalogue.ts';
import type { Fee } from '../../domain/ledger/fees.ts';
import { renderAmount } from '../../domain/money.ts';
import {
  ANNOUNCED_KINDS,
  PAYMENT_KINDS,
  type AnnouncedKind,
  type Operation,
  type PaymentKind,
} from '../../domain/payments/payment.ts';
import type { Availability, ProviderOperation } from '../../store/operators/availability.ts';
import { inTransaction, type Tx } from '../../store/database.ts';
import {
  activateProviders,
  deactivateProviders,
  insertMerchant,
  setCallbackEndpoint,
  setFee,
  setOperations,
} from '../../store/merchants/merchants.ts';
import { insertToken, revokeToken } from '../../store/access/tokens.ts';
import { noteSensitiveChange } from '../../store/reviews/review-rules.ts';
import { createTokenText, hashSecret } from '../access/api-token.ts';
import { record, type Actor } from '../audit.ts';
import { applyAvailability } from '../operators/availability.ts';
import type { Engine, TimedStore } from '../engine.ts';
import { lockOneMerchant, inMerchant } from '../cells/lock-merchant.ts';

/**
 * What a token may do: start payments of a kind (and act on them), read them, read the toolkit, read balances, read the
 * event feed. Lists and events show and find personal data only with `personal-data:read`.
 */
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
  'payment-page:write',
  'checkouts:write',
  'checkouts:read',
  'toolkit:read',
  'finances:read',
  'events:read',
  'personal-data:read',
] as const;
export type Scope = (typeof SCOPES)[number];

export type MerchantOrder = Actor & {
  readonly companyName: string;
  readonly operations: readonly Operation[];
  readonly walletPerProvider: boolean;
  /** Providers to activate for every operation of the account; all of the catalogue when left out. */
  readonly providers?: readonly string[];
};

export async function createMerchant(engine: Engine, order: MerchantOrder): Promise<string> {
  const { by, operations, walletPerProvider } = order;
  const merchantId = randomUUID();
  const providers = order.providers ?? listProviders().map(({ code }) => code);
  const kinds = PAYMENT_KINDS.filter((kind) => operations.includes(kind));
  await inTransaction(engine.store.database, async (tx) => {
    await insertMerchant(tx, {
      ...order,
      merchantId,
      home: engine.home,
      dataKey: engine.store.keyring.createDataKey(merchantId),
      createdAt: await engine.clock.timeOf(tx),
    });
    await activateProviders(tx, merchantId, pairsOf(providers, kinds));
    const detail = { operations, walletPerProvider, providers: order.providers ?? 'all' };
    await record(engine, tx, [{ by, act: 'MERCHANT_CREATED', merchantId, subject: merchantId, detail }]);
  });
  return merchantId;
}

type MerchantAct = Actor & { readonly merchantId: string };

/** What a merchant may start from now on. Answers whether there is such a merchant. */
export async function changeOperations(
  engine: TimedStore,
  { by, merchantId, operations }: MerchantAct & { readonly operations: readonly Operation[] },
): Promise<boolean> {
  return inMerchant(engine.store.database, merchantId, async (tx) => {
    const isKnown = await setOperations(tx, merchantId, operations);
    const entry = {
      by,
      act: 'OPERATIONS_SET',
      merchantId,
      subject: merchantId,
      detail: { operations },
    } as const;
    if (isKnown) await record(engine, tx, [entry]);
    return isKnown;
  });
}

/** Switches providers on or off for a merchant, each for every one of `operations`. */
export async function switchProviders(
  engine: TimedStore,
  order: MerchantAct & {
    readonly providers: readonly string[];
    readonly operations: readonly PaymentKind[];
    readonly to: 'ON' | 'OFF';
  },
): Promise<void> {
  const { by, merchantId, providers, operations, to } = order;
  const [change, act] =
    to === 'ON'
      ? ([activateProviders, 'PROVIDERS_ACTIVATED'] as const)
      : ([deactivateProviders, 'PROVIDERS_DEACTIVATED'] as const);
  await inMerchant(engine.store.database, merchantId, async (tx) => {
    await change(tx, merchantId, pairsOf(providers, operations));
    const detail = { providers, operations };
    await record(engine, tx, [{ by, act, merchantId, subject: merchantId, detail }]);
  });
}

type TokenOrder = MerchantAct & {
  readonly name: string;
  readonly scopes: readonly string[];
  readonly expiresAt: Date | null;
};

/** Answers the token's text, which is shown once and cannot be read again. */
export async function createToken(
  engine: Engine,
  order: TokenOrder & { readonly scopes: readonly Scope[] },
): Promise<{ readonly tokenId: string; readonly text: string }> {
  const { text, ...token } = await drawToken(engine, order.merchantId);
  await inMerchant(engine.store.database, order.merchantId, (tx) =>
    keepToken(engine, tx, { ...order, ...token }),
  );
  return { tokenId: token.tokenId, text };
}

/** A token that no one knows yet. */
export async function drawToken(engine: Pick<Engine, 'directory' | 'environment'>, merchantId: string) {
  const merchant = await engine.directory.merchant(merchantId);
  if (merchant === null) throw new Error(`merchant ${merchantId} is not in the directory`);
  const { tokenId, secret, text } = createTokenText(engine.environment, merchant.home);
  return { tokenId, secretHash: hashSecret(secret), text };
}

/** From now on it is known. Call it inside the merchant. */
export async function keepToken(
  engine: TimedStore,
  tx: Tx,
  order: TokenOrder & { readonly tokenId: string; readonly secretHash: Buffer },
): Promise<void> {
  const { by, merchantId, tokenId: subject, name, scopes, expiresAt } = order;
  const createdAt = await engine.clock.timeOf(tx);
  await insertToken(tx, { ...order, createdAt });
  await noteSensitiveChange(tx, { merchantId, what: 'TOKEN', subject, changedAt: createdAt });
  const detail = { name, scopes, expiresAt };
  await record(engine, tx, [{ by, act: 'TOKEN_CREATED', merchantId, subject, detail }]);
}

/** Answers whether there was such a token, not yet revoked. */
export async function withdrawToken(
  engine: TimedStore,
  { by, tokenId }: Actor & { readonly tokenId: string },
): Promise<boolean> {
  return inTransaction(engine.store.database, async (tx) => {
    const merchantId = await revokeToken(tx, tokenId, await engine.clock.timeOf(tx));
    if (merchantId === null) return false;
    // A merchant that moved away has left the token behind, to be known by; it counts where the merchant is.
    await lockOneMerchant(tx, merchantId);
    await record(engine, tx, [{ by, act: 'TOKEN_REVOKED', merchantId, subject: tokenId, detail: {} }]);
    return true;
  });
}

/** Where callbacks go from now on: of these kinds, or of all. */
export async function setCallbackUrl(
  engine: TimedStore,
  order: MerchantAct & { readonly url: string; readonly kinds?: readonly AnnouncedKind[] },
): Promise<void> {
  const { by, merchantId, url, kinds = ANNOUNCED_KINDS } = order;
  await inMerchant(engine.store.database, merchantId, async (tx) => {
    const now = await engine.clock.timeOf(tx);
    for (const kind of kinds) {
      await setCallbackEndpoint(tx, { endpointId: randomUUID(), merchantId, kind, url, now });
    }
    await noteSensitiveChange(tx, { merchantId, what: 'CALLBACK', subject: '', changedAt: now });
    // Paths and queries of callback addresses often carry a secret of the merchant.
    const detail = { kinds, host: new URL(url).host };
    await record(engine, tx, [{ by, act: 'CALLBACK_URL_SET', merchantId, subject: merchantId, detail }]);
  });
}

/** What an operation costs a merchant from now on. Payments accepted before keep the fee they were quoted. */
export async function changeFee(
  engine: TimedStore,
  order: MerchantAct & {
    readonly provider: string;
    readonly operation: PaymentKind;
    readonly currency: string;
    readonly fee: Fee;
  },
): Promise<void> {
  const { by, merchantId, provider, operation, currency, fee } = order;
  await inMerchant(engine.store.database, merchantId, async (tx) => {
    await setFee(tx, order);
    const subject = `${provider} ${operation} ${currency}`;
    const detail = { basisPoints: fee.basisPoints, fixed: renderAmount(fee.fixed) };
    await record(engine, tx, [{ by, act: 'FEE_SET', merchantId, subject, detail }]);
  });
}

/**
 * What a person sets stays until a person changes it; OPERATIONAL leaves the provider to measurement again. Answers
 * whether that changed anything.
 */
export async function changeAvailability(
  engine: TimedStore,
  change: Actor & ProviderOperation & { readonly status: Availability },
): Promise<boolean> {
  const { by, provider, operation, status } = change;
  return inTransaction(engine.store.database, async (tx) => {
    const why = { code: 'SET_MANUALLY', by } as const;
    const order = { provider, operation, status, setBy: 'HAND', why } as const;
    const hasChanged = await applyAvailability(tx, { ...order, now: await engine.clock.timeOf(tx) });
    const subject = `${provider} ${operation}`;
    const entry = { by, act: 'AVAILABILITY_SET', merchantId: null, subject, detail: { status } } as const;
    if (hasChanged) await record(engine, tx, [entry]);
    return hasChanged;
  });
}

function pairsOf(providers: readonly string[], operations: readonly PaymentKind[]) {
  return providers.flatMap((provider) => operations.map((operation) => ({ provider, operation })));
}
