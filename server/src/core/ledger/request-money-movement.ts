// Money moved by hand through the console: one person asks, another decides. The approval moves it, in its own
// transaction and exactly once; whoever asked can only take it back.
import { randomUUID } from 'node:crypto';
import { isSamePerson } from '../../domain/reconciliation/cases.ts';
import type { MoneyOrderType } from '../../domain/ledger/money-movement.ts';
import { parseReference } from '../../domain/ledger/money-reference.ts';
import { renderAmount, type Amount } from '../../domain/money.ts';
import type { AuditedAct } from '../../store/audit.ts';
import { loadDataKeys } from '../../store/encryption/data-keys.ts';
import type { Tx } from '../../store/database.ts';
import {
  findMoneyOrder,
  insertMoneyOrder,
  listDecidedMoneyOrders,
  listOpenMoneyOrders,
  lockMoneyOrder,
  markDecided,
  openMoneyOrder,
  type MoneyDecision,
  type MoneyOrder,
  type OrderPlace,
} from '../../store/ledger/money-movement-requests.ts';
import { isWalletPlace, moveApproved, referencedBy } from './administer-wallets.ts';
import { record, type Act, type ByHand } from '../audit.ts';
import type { Engine } from '../engine.ts';
import { inMerchant } from '../cells/lock-merchant.ts';
import { isIndependent } from '../approvals/independence.ts';
import { findUse, type ReferenceUse } from './money-references.ts';

export type MoneyRequest = ByHand & {
  readonly merchantId: string;
  readonly type: MoneyOrderType;
  readonly country: string;
  readonly currency: string;
  readonly walletProvider: string;
  /** Below zero only for an adjustment that takes. */
  readonly amount: Amount;
  /** The bank's, as the person wrote it; null for an adjustment. */
  readonly reference: string | null;
  readonly reason: string;
};

export type MoneyRequestAnswer =
  | { readonly type: 'REQUESTED'; readonly orderId: string }
  | { readonly type: 'NO_SUCH_MERCHANT' }
  /** No payment of this merchant would use such a wallet. */
  | { readonly type: 'NO_SUCH_WALLET' }
  | { readonly type: 'REFERENCE_MISSING' | 'REFERENCE_UNREADABLE' | 'NO_REFERENCE_HERE' }
  | ReferenceUse;

export async function requestMoney(engine: Engine, request: MoneyRequest): Promise<MoneyRequestAnswer> {
  const { by, merchantId, reason } = request;
  const { store } = engine;
  const merchant = await engine.directory.merchant(merchantId);
  if (merchant === null) return { type: 'NO_SUCH_MERCHANT' };
  if (!isWalletPlace(merchant, request)) return { type: 'NO_SUCH_WALLET' };
  const named = referenceOf(engine, request);
  if (named.type !== 'READ') return named;
  await loadDataKeys(store, [merchantId]);
  const asked = { requestedBy: by, requestedAt: engine.clock.now() };
  const order = { ...request, ...asked, orderId: randomUUID(), reference: named.reference };
  return inMerchant(store.database, merchantId, async (tx) => {
    const referenced = referencedBy(order.type, order);
    const use = referenced === null ? null : await findUse(tx, referenced);
    if (use !== null) return repeated(use);
    await insertMoneyOrder(tx, store.keyring, order);
    await record(engine, tx, [{ ...entryOf(order, { by, act: 'MONEY_REQUESTED' }), reason }]);
    return { type: 'REQUESTED', orderId: order.orderId };
  });
}

type ReadReference =
  | { readonly type: 'READ'; readonly reference: string | null }
  | { readonly type: 'REFERENCE_MISSING' | 'REFERENCE_UNREADABLE' | 'NO_REFERENCE_HERE' };

/** Where money is real, what went through the bank has the bank's reference. */
export function referenceOf(
  { environment }: Pick<Engine, 'environment'>,
  { type, reference }: Pick<MoneyRequest, 'type' | 'reference'>,
): ReadReference {
  if (type === 'ADJUSTMENT')
    return reference === null ? { type: 'READ', reference } : { type: 'NO_REFERENCE_HERE' };
  if (reference === null) {
    return environment === 'production' ? { type: 'REFERENCE_MISSING' } : { type: 'READ', reference };
  }
  const read = parseReference(reference);
  return read === null ? { type: 'REFERENCE_UNREADABLE' } : { type: 'READ', reference: read };
}

/** The same request once more, after a lost answer for instance, is the request that waits. */
function repeated(use: ReferenceUse): MoneyRequestAnswer {
  const { status, id } = use.used;
  const waits = use.type === 'REFERENCE_REQUESTED' && status === 'ORDERED';
  return waits ? { type: 'REQUESTED', orderId: id } : use;
}

/** Those that wait, the oldest first; or those that were decided, the newest first. */
export async function readMoneyOrders(
  engine: Engine,
  page: { readonly isOpen: boolean; readonly after: OrderPlace | null; readonly countMax: number },
): Promise<readonly MoneyOrder[]> {
  const { store } = engine;
  const list = page.isOpen ? listOpenMoneyOrders : listDecidedMoneyOrders;
  const orders = await list(store.database, page);
  await loadDataKeys(
    store,
    orders.map(({ merchantId }) => merchantId),
  );
  return orders.map((order) => openMoneyOrder(store.keyring, order));
}

export type MoneyAnswer =
  | { readonly type: 'DONE' }
  | { readonly type: 'NO_SUCH_ORDER' }
  | { readonly type: 'DECIDED_BEFORE'; readonly decision: MoneyDecision }
  /** Who asked cannot decide, and nobody else can take it back. */
  | { readonly type: 'SAME_PERSON' }
  | { readonly type: 'NOT_THEIRS' }
  /** They onboarded the merchant, or belong to it. */
  | { readonly type: 'NOT_INDEPENDENT' }
  /** The wallet does not have it: nothing was moved, and the order still waits. */
  | { readonly type: 'SHORT'; readonly available: Amount }
  /** The reference was posted another way: nothing was moved, and the order still waits. */
  | ReferenceUse;

type OrderAct = ByHand & { readonly orderId: string };

export async function approveMoney(engine: Engine, { by, orderId }: OrderAct): Promise<MoneyAnswer> {
  return withOrder(engine, orderId, async (tx, order) => {
    if (isSamePerson(by, order.requestedBy)) return { type: 'SAME_PERSON' };
    const merchantIds = [order.merchantId];
    if (!(await isIndependent(tx, { by, merchantIds, as: 'PLATFORM' }))) return { type: 'NOT_INDEPENDENT' };
    const moved = await moveApproved(engine, tx, { ...order, by });
    if (moved.type !== 'DONE') return moved;
    await decide(engine, tx, { order, by, type: 'APPROVED', act: 'MONEY_APPROVED' });
    return { type: 'DONE' };
  });
}

export async function rejectMoney(
  engine: Engine,
  { by, orderId, reason }: OrderAct & { readonly reason: string },
): Promise<MoneyAnswer> {
  return withOrder(engine, orderId, async (tx, order) => {
    if (isSamePerson(by, order.requestedBy)) return { type: 'SAME_PERSON' };
    await decide(engine, tx, { order, by, type: 'REJECTED', act: 'MONEY_REJECTED', reason });
    return { type: 'DONE' };
  });
}

export async function withdrawMoney(engine: Engine, { by, orderId }: OrderAct): Promise<MoneyAnswer> {
  return withOrder(engine, orderId, async (tx, order) => {
    if (!isSamePerson(by, order.requestedBy)) return { type: 'NOT_THEIRS' };
    await decide(engine, tx, { order, by, type: 'WITHDRAWN', act: 'MONEY_WITHDRAWN' });
    return { type: 'DONE' };
  });
}

async function decide(
  engine: Engine,
  tx: Tx,
  decided: ByHand & {
    readonly order: MoneyOrder;
    readonly type: MoneyDecision;
    readonly act: AuditedAct;
    readonly reason?: string;
  },
): Promise<void> {
  const { order, by, type, act, reason } = decided;
  const decision = { type, by, at: engine.clock.now(), reason: reason ?? null };
  await markDecided(tx, engine.store.keyring, { ...order, decision });
  const entry = entryOf(order, { by, act });
  const detail = { ...entry.detail, requestedBy: order.requestedBy };
  await record(engine, tx, [{ ...entry, detail, ...(reason !== undefined && { reason }) }]);
}

/** Runs `work` with the order locked, before accounts and wallets, and only while it waits. */
async function withOrder(
  engine: Engine,
  orderId: string,
  work: (tx: Tx, order: MoneyOrder) => Promise<MoneyAnswer>,
): Promise<MoneyAnswer> {
  const { store } = engine;
  const seen = await findMoneyOrder(store.database, orderId);
  if (seen === null) return { type: 'NO_SUCH_ORDER' };
  await loadDataKeys(store, [seen.merchantId]);
  return inMerchant(store.database, seen.merchantId, async (tx) => {
    const locked = await lockMoneyOrder(tx, orderId);
    if (locked === null) return { type: 'NO_SUCH_ORDER' };
    const order = openMoneyOrder(store.keyring, locked);
    if (order.decision !== null) return { type: 'DECIDED_BEFORE', decision: order.decision.type };
    return work(tx, order);
  });
}

function entryOf(
  order: Omit<MoneyOrder, 'decision'>,
  { by, act }: ByHand & { readonly act: AuditedAct },
): Act {
  const { orderId, merchantId, type, country, currency, walletProvider, amount, reference } = order;
  const detail = { type, country, currency, walletProvider, amount: renderAmount(amount), reference };
  return { by, act, merchantId, subject: orderId, detail };
}
