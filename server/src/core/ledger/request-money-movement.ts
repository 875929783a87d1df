// Money of merchants that people move manually: one person requests, another approves. The approval moves it, in its
// own transaction and exactly once.
import { isDeepStrictEqual } from 'node:util';
import type { ApprovalRequests } from '../../domain/approval.ts';
import { decimalsOf, fitsDecimals } from '../../domain/ledger/decimals.ts';
import { addMs } from '../../domain/time.ts';
import { moneyMovementLegs, type MoneyMovementType } from '../../domain/ledger/money-movement.ts';
import { parseReference } from '../../domain/ledger/money-reference.ts';
import { parseSigned, renderAmount, type Amount } from '../../domain/money.ts';
import type { ActingPerson } from '../../store/approvals/approvals.ts';
import {
  listAlikeRequests,
  lockMoneyRequest,
  type StoredMoneyRequest,
} from '../../store/ledger/money-requests.ts';
import { readFunds } from '../../store/ledger/wallet-funds.ts';
import { loadDataKeys } from '../../store/encryption/data-keys.ts';
import { merchantOf, NotExecuted, type Executor } from '../approvals/executor.ts';
import { requestApproval } from '../approvals/request.ts';
import { inMerchant } from '../cells/lock-merchant.ts';
import type { Engine } from '../engine.ts';
import { isWalletPlace, leavingBy, moveApproved, referencedBy } from './administer-wallets.ts';
import {
  claimForApproval,
  findUse,
  findUseElsewhere,
  notExecuted,
  type ReferenceRefusal,
} from './money-references.ts';
import {
  findSettlementStopped,
  showStatement,
  statementOf,
  stoppedApproval,
  walletOf,
  type SettlementStopped,
} from './settlement-stops.ts';

export type MoneyRequest = {
  readonly actor: ActingPerson;
  readonly merchantId: string;
  readonly type: MoneyMovementType;
  readonly country: string;
  readonly currency: string;
  /** Empty where the merchant keeps one wallet for all providers. */
  readonly walletProvider: string;
  /** Below zero only for an adjustment that takes. */
  readonly amount: Amount;
  /** The bank's, as the person wrote it; null for an adjustment. */
  readonly reference: string | null;
  readonly reason: string | null;
  /** Chosen by the client: a version 4 UUID. The same request once more, after a lost answer, is the same one. */
  readonly requestId?: string | undefined;
  /** Of a settlement: the person states that the bank has paid it, whatever stops settlements. */
  readonly bankHasPaid?: boolean | undefined;
};

export type MoneyRequestAnswer =
  | { readonly type: 'REQUESTED'; readonly approvalId: string }
  | { readonly type: 'NO_SUCH_MERCHANT' }
  /** No payment of this merchant would use such a wallet. */
  | { readonly type: 'NO_SUCH_WALLET' }
  /** The amount has more decimals than the wallet. */
  | { readonly type: 'TOO_MANY_DECIMALS' }
  /** The identifier was used for another request. */
  | { readonly type: 'REQUEST_ID_TAKEN' }
  | { readonly type: 'REFERENCE_MISSING' | 'REFERENCE_UNREADABLE' | 'NO_REFERENCE_HERE' }
  /** A settlement that must not be paid now, and the person did not state that it was. */
  | SettlementStopped
  | ReferenceRefusal;

export async function requestMoney(engine: Engine, order: MoneyRequest): Promise<MoneyRequestAnswer> {
  const { actor, merchantId, type, country, currency, walletProvider, reason } = order;
  const merchant = await engine.directory.merchant(merchantId);
  if (merchant === null) return { type: 'NO_SUCH_MERCHANT' };
  if (!isWalletPlace(merchant, order)) return { type: 'NO_SUCH_WALLET' };
  const decimals = decimalsOf({ country, currency, provider: walletProvider });
  if (!fitsDecimals(order.amount, decimals)) return { type: 'TOO_MANY_DECIMALS' };
  const named = referenceOf(engine, order);
  if (named.type !== 'READ') return named;
  const { reference } = named;
  const amount = renderAmount(order.amount);
  const place = { country, currency, walletProvider };
  const requestId = order.requestId?.toLowerCase();
  const bankHasPaid = type === 'SETTLEMENT' && order.bankHasPaid === true;
  const wanted: ApprovalRequests['MONEY'] = {
    type,
    ...place,
    amount,
    ...(reference !== null && { reference }),
    ...(bankHasPaid && { bankHasPaid }),
  };
  const repeated =
    requestId === undefined ? null : await findRepeated(engine, { merchantId, requestId, wanted });
  if (repeated !== null) return repeated;
  const subject = [country, currency, walletProvider].join(' ').trim();
  const referenced = referencedBy(type, { ...order, reference });
  const elsewhere = referenced === null ? null : await findUseElsewhere(engine, referenced);
  if (elsewhere !== null) return elsewhere;
  await loadDataKeys(engine.store, [merchantId]);
  return inMerchant(engine.store.database, merchantId, async (tx) => {
    const known = requestId === undefined ? null : await lockMoneyRequest(tx, { merchantId, requestId });
    if (known !== null) return answerRepeated(known, wanted);
    const use = referenced === null ? null : await findUse(tx, referenced);
    // The same request once more, after a lost answer for instance, is the request that is pending.
    if (use?.type === 'REFERENCE_REQUESTED') return { type: 'REQUESTED', approvalId: use.used.id };
    if (use !== null) return use;
    const leaving = leavingBy(type, { ...order, bankHasPaid: false });
    const now = await engine.clock.timeOf(tx);
    const stopped = leaving === null ? null : await findSettlementStopped(tx, leaving, now);
    if (stopped !== null && !bankHasPaid) return stopped;
    const alike = describeAlike(
      await listAlikeRequests(tx, {
        merchantId,
        type,
        country,
        currency,
        provider: walletProvider,
        amount: order.amount,
        reference,
        since: addMs(now, -ALIKE_FOR_MS),
        countMax: ALIKE_MAX,
      }),
    );
    const request = {
      ...wanted,
      ...(requestId !== undefined && { requestId }),
      ...(alike !== '' && { alike }),
      ...statementOf({ bankHasPaid, stopped }),
    };
    const requested = { actor, merchantId, kind: 'MONEY', subject, request, reason } as const;
    const approvalId = await requestApproval(engine, tx, requested);
    if (approvalId === null) throw new Error('a request to move money was pending already');
    return { type: 'REQUESTED', approvalId };
  });
}

/** For so long a request that was approved is shown to who approves the next one like it. */
const ALIKE_FOR_MS = 7 * 24 * 3_600_000;
const ALIKE_MAX = 5;

/** "TOP_UP 500 RWF FT26062-0102, PENDING, Ana 2026-11-19T20:15:00.000Z; ...": codes and names, for the approver. */
function describeAlike(requests: readonly StoredMoneyRequest[]): string {
  return requests
    .map(({ request: { type, amount, currency, reference }, status, requestedBy, requestedAt }) => {
      const what = [type, amount, currency, reference ?? ''].join(' ').trim();
      return `${what}, ${status}, ${requestedBy} ${requestedAt.toISOString()}`;
    })
    .join('; ');
}

type Repeated = {
  readonly merchantId: string;
  readonly requestId: string;
  readonly wanted: ApprovalRequests['MONEY'];
};

/** Before other cells are asked about its reference, which it has itself. */
async function findRepeated(
  { store: { database } }: Pick<Engine, 'store'>,
  { wanted, ...of }: Repeated,
): Promise<MoneyRequestAnswer | null> {
  const known = await inMerchant(database, of.merchantId, (tx) => lockMoneyRequest(tx, of));
  return known === null ? null : answerRepeated(known, wanted);
}

function answerRepeated(
  {
    approvalId,
    request: { requestId: _requestId, alike: _alike, despite: _despite, ...known },
  }: StoredMoneyRequest,
  wanted: ApprovalRequests['MONEY'],
): MoneyRequestAnswer {
  const isSame = isDeepStrictEqual(known, wanted);
  return isSame ? { type: 'REQUESTED', approvalId } : { type: 'REQUEST_ID_TAKEN' };
}

/** The transfers carry the request's identifier. */
export const moneyExecutor: Executor<'MONEY'> = {
  claims: true,
  show: ({ requestId: _requestId, bankHasPaid, despite, ...request }) => ({
    ...request,
    ...showStatement({ bankHasPaid, despite }),
  }),
  preview: async (_engine, tx, approval) => {
    const { type, country, currency, walletProvider, amount } = approval.request;
    if (type !== 'SETTLEMENT') return null;
    const place = { merchantId: merchantOf(approval), country, currency, provider: walletProvider };
    const { available, owed } = await readFunds(tx, walletOf(place));
    const paid = parseSigned(amount);
    const legs = moneyMovementLegs(type, { ...place, walletProvider, amount: paid });
    return { currency, legs, available: available - paid, owed };
  },
  before: async ({ engine, approval }) => {
    const { approvalId, request } = approval;
    const amount = parseSigned(request.amount);
    const referenced = referencedBy(request.type, { ...request, merchantId: merchantOf(approval), amount });
    if (referenced !== null) await claimForApproval(engine, referenced, approvalId);
  },
  execute: async ({ engine, tx, approval, decider: { by } }) => {
    const { approvalId: orderId, request, requestedBy } = approval;
    const of = { by, merchantId: merchantOf(approval), orderId, requestedBy: requestedBy.by };
    const moved = await moveApproved(engine, tx, { ...request, ...of, amount: parseSigned(request.amount) });
    if (moved.type === 'DONE') return;
    if (moved.type === 'SETTLEMENT_STOPPED') throw stoppedApproval(moved);
    if (moved.type !== 'SHORT') throw notExecuted(moved);
    const available = renderAmount(moved.available);
    throw new NotExecuted(
      { code: 'WALLET_BALANCE_LOW', parameters: { available, currency: request.currency } },
      `The wallet has only ${available} available: nothing was moved.`,
    );
  },
};

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
