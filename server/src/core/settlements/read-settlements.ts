// Requests for settlement as people look at them: with the bank account, and what was decided.
import type { BankAccount } from '../../domain/ledger/bank-account.ts';
import { listApprovalsOf } from '../../store/approvals/approvals.ts';
import { loadDataKeys } from '../../store/encryption/data-keys.ts';
import { findBankAccounts } from '../../store/settlements/bank-accounts.ts';
import {
  findSettlement,
  listSettlements,
  listSettlementsOf,
  type Settlement,
  type SettlementCursor,
} from '../../store/settlements/settlements.ts';
import { openApproval, type ReadApproval } from '../approvals/read.ts';
import { record, type Actor } from '../audit.ts';
import type { Engine } from '../engine.ts';
import { listSettlementStops, type SettlementStops } from '../ledger/settlement-stops.ts';

export type SettlementView = Settlement & {
  readonly account: BankAccount;
  /** The decision, pending or approved; null where none is requested. */
  readonly approval: ReadApproval<'SETTLEMENT'> | null;
  /** What keeps it from being paid at the bank now; null where it was decided. */
  readonly standing: SettlementStops | null;
};

export type SettlementPage = {
  readonly after: SettlementCursor | null;
  readonly countMax: number;
  /** Of one merchant, the newest first; or of all, those that wait or those that were decided. */
  readonly of: { readonly merchantId: string } | 'OPEN' | 'DECIDED';
};

export async function readSettlements(
  engine: Engine,
  { of, ...page }: SettlementPage,
): Promise<readonly SettlementView[]> {
  const { database } = engine.store;
  const found =
    typeof of === 'object'
      ? await listSettlementsOf(database, { ...page, ...of })
      : await listSettlements(database, { ...page, isOpen: of === 'OPEN' });
  return viewsOf(engine, found);
}

/** The bank account in full, for the person who pays. Recorded before it is shown. */
export async function revealSettlementAccount(
  engine: Engine,
  { by, settlementId }: Actor & { readonly settlementId: string },
): Promise<BankAccount | null> {
  const { database } = engine.store;
  const found = await findSettlement(database, settlementId);
  const [view] = found === null ? [] : await viewsOf(engine, [found]);
  if (view === undefined) return null;
  const { merchantId } = view;
  const detail = { of: 'BANK_ACCOUNT' };
  await record(engine, database, [
    { by, act: 'PERSONAL_DATA_SHOWN', merchantId, subject: settlementId, detail },
  ]);
  return view.account;
}

async function viewsOf(engine: Engine, found: readonly Settlement[]): Promise<readonly SettlementView[]> {
  const { database, keyring } = engine.store;
  const merchantIds = [...new Set(found.map(({ merchantId }) => merchantId))];
  const subjects = found.map(({ settlementId }) => settlementId);
  const approvals = await listApprovalsOf(database, { kind: 'SETTLEMENT', merchantIds, subjects });
  await loadDataKeys(engine.store, merchantIds);
  const standing = await standingOf(engine, found);
  const accounts = await findBankAccounts(
    database,
    keyring,
    found.map(({ bankAccountId }) => bankAccountId),
  );
  return found.flatMap((one) => {
    const [account, approval] = [accounts.get(one.bankAccountId), approvals.get(one.settlementId)];
    if (account === undefined) return [];
    return [
      {
        ...one,
        account,
        approval: approval === undefined ? null : openApproval(engine, approval),
        standing: standing.get(one.settlementId) ?? null,
      },
    ];
  });
}

/** By the settlement. What they need is reserved, and has left what is available. */
async function standingOf(
  { clock, store: { database } }: Engine,
  found: readonly Settlement[],
): Promise<ReadonlyMap<string, SettlementStops>> {
  const open = found
    .filter(({ status }) => status === 'REQUESTED')
    .map((settled) => ({ ...settled, unreserved: 0n }));
  if (open.length === 0) return new Map();
  const stops = await listSettlementStops(database, open, await clock.timeOf(database));
  return new Map([...stops].map(([{ settlementId }, standing]) => [settlementId, standing]));
}
