// The bank account that a merchant's money of a currency is settled to. One of its people requests it, another
// approves; then a cooling-off begins, in which nothing is settled and somebody can still notice a stolen session.
import { randomUUID } from 'node:crypto';
import type { BankAccount } from '../../domain/ledger/bank-account.ts';
import { maskAccountNumber } from '../../domain/masking.ts';
import { addMs } from '../../domain/time.ts';
import { listApprovalsOf, type ActingPerson } from '../../store/approvals/approvals.ts';
import { loadDataKeys } from '../../store/encryption/data-keys.ts';
import {
  insertBankAccount,
  listBankAccounts,
  makeAccountCurrent,
  rejectRequestedAccount,
  type RegisteredAccount,
} from '../../store/settlements/bank-accounts.ts';
import { merchantOf, NotExecuted, type Executor } from '../approvals/executor.ts';
import { openApproval, type ReadApproval } from '../approvals/read.ts';
import { requestApproval } from '../approvals/request.ts';
import { record } from '../audit.ts';
import { inMerchant } from '../cells/lock-merchant.ts';
import type { Engine } from '../engine.ts';

export type BankAccountOrder = {
  readonly actor: ActingPerson;
  readonly merchantId: string;
  readonly currency: string;
  readonly account: BankAccount;
};

/** Answers null where another one of the currency is pending approval. */
export async function requestBankAccount(engine: Engine, order: BankAccountOrder): Promise<string | null> {
  const { actor, merchantId, currency, account } = order;
  const { database, keyring } = engine.store;
  await loadDataKeys(engine.store, [merchantId]);
  return inMerchant(database, merchantId, async (tx) => {
    const bankAccountId = randomUUID();
    const { bank, number } = account;
    const request = { bankAccountId, currency, bank, number: maskAccountNumber(number) };
    const wanted = { actor, merchantId, kind: 'BANK_ACCOUNT', subject: currency, request } as const;
    const approvalId = await requestApproval(engine, tx, wanted);
    if (approvalId === null) return null;
    const requestedAt = await engine.clock.timeOf(tx);
    // One whose request ended elsewhere makes way.
    await rejectRequestedAccount(tx, { merchantId, currency });
    await insertBankAccount(tx, keyring, { bankAccountId, merchantId, currency, account, requestedAt });
    return approvalId;
  });
}

/** The cooling-off begins with the approval, and its end does not change with the setting. */
export const bankAccountExecutor: Executor<'BANK_ACCOUNT'> = {
  show: ({ currency, bank, number }) => ({ currency, bank, number }),
  execute: async ({ engine, tx, approval, decider: { by } }) => {
    const { bankAccountId, currency, bank, number } = approval.request;
    const merchantId = merchantOf(approval);
    const usableFrom = addMs(await engine.clock.timeOf(tx), engine.bankCoolingOffMs);
    if (!(await makeAccountCurrent(tx, { merchantId, currency, bankAccountId, usableFrom })))
      throw new NotExecuted();
    const detail = { bank, number, usableFrom: usableFrom.toISOString() };
    await record(engine, tx, [{ by, act: 'BANK_ACCOUNT_SET', merchantId, subject: currency, detail }]);
  },
  end: async ({ tx, approval }) =>
    rejectRequestedAccount(tx, { merchantId: merchantOf(approval), currency: approval.subject }),
};

export type BankAccountView = RegisteredAccount & {
  /** While it is requested. */
  readonly approval: ReadApproval<'BANK_ACCOUNT'> | null;
};

/** Of each currency the account that is registered, and the one that is requested. */
export async function readBankAccounts(
  engine: Engine,
  merchantId: string,
): Promise<readonly BankAccountView[]> {
  const { database, keyring } = engine.store;
  await loadDataKeys(engine.store, [merchantId]);
  const accounts = await listBankAccounts(database, keyring, merchantId);
  const subjects = accounts.map(({ currency }) => currency);
  const of = { kind: 'BANK_ACCOUNT', merchantIds: [merchantId], subjects } as const;
  const approvals = await listApprovalsOf(database, of);
  return accounts.map((account) => {
    const approval = approvals.get(account.currency);
    const isOfIt = approval?.status === 'PENDING' && approval.request.bankAccountId === account.bankAccountId;
    return { ...account, approval: isOfIt ? openApproval(engine, approval) : null };
  });
}
