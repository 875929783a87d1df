// What the platform's people do with a request for settlement. One says that the bank has paid it, or that it is
// rejected; another approves, and the approval moves the money in its own transaction.
import type { SettlementDecision, SettlementStatus } from '../../domain/ledger/bank-account.ts';
import { parseReference } from '../../domain/ledger/money-reference.ts';
import { settlement } from '../../domain/ledger/postings.ts';
import { maskAccountNumber } from '../../domain/masking.ts';
import { renderAmount } from '../../domain/money.ts';
import type { ActingPerson } from '../../store/approvals/approvals.ts';
import type { Tx } from '../../store/database.ts';
import { loadDataKeys } from '../../store/encryption/data-keys.ts';
import { book } from '../../store/ledger/ledger.ts';
import { lockFunds, readFunds } from '../../store/ledger/wallet-funds.ts';
import { findBankAccounts } from '../../store/settlements/bank-accounts.ts';
import {
  findSettlement,
  lockSettlement,
  markSettlementDecided,
  type Settlement,
} from '../../store/settlements/settlements.ts';
import { merchantOf, NotExecuted, type Executor } from '../approvals/executor.ts';
import { requestApproval } from '../approvals/request.ts';
import { record } from '../audit.ts';
import { inMerchant } from '../cells/lock-merchant.ts';
import type { Engine, TimedStore } from '../engine.ts';
import { referencedBy } from '../ledger/administer-wallets.ts';
import {
  claimForApproval,
  findUse,
  findUseElsewhere,
  notExecuted,
  usePosted,
  type ReferenceRefusal,
} from '../ledger/money-references.ts';
import {
  findSettlementStopped,
  showStatement,
  statementOf,
  stoppedApproval,
  walletOf,
  type SettlementStopped,
} from '../ledger/settlement-stops.ts';
import { noteOf, subjectOf } from './request-settlement.ts';

export type SettlementDecisionOrder = { readonly actor: ActingPerson; readonly settlementId: string } & (
  | {
      readonly decision: 'PAID';
      readonly reference: string;
      /** The person states that the bank has paid it: then it is a fact, and recorded whatever stops settlements. */
      readonly bankHasPaid?: boolean | undefined;
    }
  | { readonly decision: 'REJECTED'; readonly reason: string }
);

export type SettlementDecisionAnswer =
  | { readonly type: 'REQUESTED'; readonly approvalId: string }
  | { readonly type: 'NOT_FOUND' }
  | { readonly type: 'DECIDED_BEFORE'; readonly status: SettlementStatus }
  /** The same or the opposite is pending already. */
  | { readonly type: 'REQUESTED_BEFORE' }
  | { readonly type: 'REFERENCE_UNREADABLE' }
  /** It must not be paid now, and the person did not state that it was. */
  | SettlementStopped
  | ReferenceRefusal;

/** Another person must approve, also where no money is real. */
export async function requestSettlementDecision(
  engine: Engine,
  order: SettlementDecisionOrder,
): Promise<SettlementDecisionAnswer> {
  const { actor, settlementId, decision } = order;
  const { database, keyring } = engine.store;
  const reference = order.decision === 'PAID' ? parseReference(order.reference) : null;
  if (decision === 'PAID' && reference === null) return { type: 'REFERENCE_UNREADABLE' };
  const found = await findSettlement(database, settlementId);
  if (found === null) return { type: 'NOT_FOUND' };
  const { merchantId, country, currency, provider } = found;
  const elsewhere =
    reference === null ? null : await findUseElsewhere(engine, referencedOf(found, reference));
  if (elsewhere !== null) return elsewhere;
  await loadDataKeys(engine.store, [merchantId]);
  return inMerchant(database, merchantId, async (tx) => {
    const settled = await lockSettlement(tx, settlementId);
    if (settled === null) return { type: 'NOT_FOUND' };
    if (settled.status !== 'REQUESTED') return { type: 'DECIDED_BEFORE', status: settled.status };
    const use = reference === null ? null : await findUse(tx, referencedOf(settled, reference));
    if (use !== null) return use;
    const stopped = decision === 'PAID' ? await findStopped(engine, tx, settled) : null;
    const bankHasPaid = order.decision === 'PAID' && order.bankHasPaid === true;
    if (stopped !== null && !bankHasPaid) return stopped;
    const account = (await findBankAccounts(tx, keyring, [settled.bankAccountId])).get(settled.bankAccountId);
    if (account === undefined) throw new Error('a settlement goes to a bank account');
    const request = {
      decision,
      country,
      currency,
      walletProvider: provider,
      amount: renderAmount(settled.amount),
      bank: account.bank,
      number: maskAccountNumber(account.number),
      ...(reference !== null && { reference }),
      ...statementOf({ bankHasPaid, stopped }),
    };
    const reason = order.decision === 'REJECTED' ? order.reason : null;
    const wanted = { actor, merchantId, kind: 'SETTLEMENT', subject: settlementId, request, reason } as const;
    const approvalId = await requestApproval(engine, tx, wanted);
    return approvalId === null ? { type: 'REQUESTED_BEFORE' } : { type: 'REQUESTED', approvalId };
  });
}

const ACTS = { PAID: 'SETTLEMENT_PAID', REJECTED: 'SETTLEMENT_REJECTED' } as const;
const ENDS = { PAID: 'POSTED', REJECTED: 'VOIDED' } as const satisfies Record<SettlementDecision, string>;

export const settlementExecutor: Executor<'SETTLEMENT'> = {
  claims: true,
  show: ({ bankHasPaid, despite, ...request }) => ({
    ...request,
    ...showStatement({ bankHasPaid, despite }),
  }),
  preview: async (_engine, tx, { subject, request }) => {
    const settled = await findSettlement(tx, subject);
    if (settled?.status !== 'REQUESTED' || request.decision !== 'PAID') return null;
    const { available, owed } = await readFunds(tx, walletOf(settled));
    const legs = settlement({ ...settled, walletProvider: settled.provider });
    return { currency: settled.currency, legs, available, owed };
  },
  before: async ({ engine, approval }) => {
    const { reference } = approval.request;
    const settled = await findSettlement(engine.store.database, approval.subject);
    if (reference === undefined || settled === null) return;
    await claimForApproval(engine, referencedOf(settled, reference), approval.approvalId);
  },
  lock: async ({ tx, approval }) => {
    await lockSettlement(tx, approval.subject);
  },
  execute: async ({ engine, tx, approval, decider: { by } }) => {
    const { subject: settlementId, request, requestedBy } = approval;
    const { decision, reference } = request;
    const merchantId = merchantOf(approval);
    const decidedAt = await engine.clock.timeOf(tx);
    const settled = await findSettlement(tx, settlementId);
    if (settled === null) throw new NotExecuted();
    // Wallets come before references, as everywhere.
    await lockFunds(tx, [walletOf(settled)]);
    const stopped =
      decision === 'PAID' && request.bankHasPaid !== true ? await findStopped(engine, tx, settled) : null;
    if (stopped !== null) throw stoppedApproval(stopped);
    if (reference !== undefined) {
      const posting = { ...referencedOf(settled, reference), transferId: settlementId, postedAt: decidedAt };
      const use = await usePosted(tx, posting);
      if (use !== null) throw notExecuted(use);
    }
    if (!(await markSettlementDecided(tx, { settlementId, status: decision, decidedAt })))
      throw new NotExecuted();
    await book(tx, { ended: [{ subject: subjectOf(settled), state: ENDS[decision] }] }, decidedAt);
    const detail = {
      ...noteOf(settled),
      requestedBy: requestedBy.by,
      ...(reference !== undefined && { reference }),
    };
    await record(engine, tx, [{ by, act: ACTS[decision], merchantId, subject: settlementId, detail }]);
  },
};

/** What it needs is reserved, and has left what is available. */
async function findStopped(
  engine: TimedStore,
  tx: Tx,
  settled: Settlement,
): Promise<SettlementStopped | null> {
  return findSettlementStopped(tx, { ...settled, unreserved: 0n }, await engine.clock.timeOf(tx));
}

function referencedOf(settled: Settlement, reference: string) {
  const referenced = referencedBy('SETTLEMENT', { ...settled, walletProvider: settled.provider, reference });
  if (referenced === null) throw new Error('a payment of the bank has a reference');
  return referenced;
}
