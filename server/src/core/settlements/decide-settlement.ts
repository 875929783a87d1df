// What the platform's people do with a request for settlement. One says that the bank has paid it, or that it is
// rejected; another approves, and the approval moves the money in its own transaction.
import type { SettlementDecision, SettlementStatus } from '../../domain/ledger/bank-account.ts';
import { parseReference } from '../../domain/ledger/money-reference.ts';
import { maskAccountNumber } from '../../domain/masking.ts';
import { renderAmount } from '../../domain/money.ts';
import type { ActingPerson } from '../../store/approvals/approvals.ts';
import { loadDataKeys } from '../../store/encryption/data-keys.ts';
import { book } from '../../store/ledger/ledger.ts';
import { lockFunds } from '../../store/ledger/wallet-funds.ts';
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
import type { Engine } from '../engine.ts';
import { referencedBy } from '../ledger/administer-wallets.ts';
import {
  claimForApproval,
  findUse,
  findUseElsewhere,
  notExecuted,
  usePosted,
  type ReferenceRefusal,
} from '../ledger/money-references.ts';
import { noteOf, subjectOf } from './request-settlement.ts';

export type SettlementDecisionOrder = { readonly actor: ActingPerson; readonly settlementId: string } & (
  | { readonly decision: 'PAID'; readonly reference: string }
  | { readonly decision: 'REJECTED'; readonly reason: string }
);

export type SettlementDecisionAnswer =
  | { readonly type: 'REQUESTED'; readonly approvalId: string }
  | { readonly type: 'NOT_FOUND' }
  | { readonly type: 'DECIDED_BEFORE'; readonly status: SettlementStatus }
  /** The same or the opposite is pending already. */
  | { readonly type: 'REQUESTED_BEFORE' }
  | { readonly type: 'REFERENCE_UNREADABLE' }
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
  show: (request) => request,
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
    const { country, currency, provider } = settled;
    // Wallets come before references, as everywhere.
    await lockFunds(tx, [{ type: 'WALLET', merchantId, country, currency, provider }]);
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

function referencedOf(settled: Settlement, reference: string) {
  const referenced = referencedBy('SETTLEMENT', { ...settled, walletProvider: settled.provider, reference });
  if (referenced === null) throw new Error('a payment of the bank has a reference');
  return referenced;
}
