// The beginning of a move: whether it may be, and the migration locks of both cells.
import { randomUUID } from 'node:crypto';
import { findMigrationLock, type MigrationLock } from '../../../store/cells/migration-locks.ts';
import {
  beginArriving,
  beginCopying,
  clearMigrationLock,
  listKeysAfter,
  type MoveStep,
} from '../../../store/cells/moving/steps.ts';
import { inTransaction } from '../../../store/database.ts';
import { isAnyUnderOlderKey } from '../../../store/cells/moving/older-keys.ts';
import { isAnyReportedHold } from '../../../store/ledger/wallet-holds.ts';
import { readDataKeys } from '../../../store/encryption/data-keys.ts';
import { listConnectorsInUse, listOperatorAccounts } from '../../../store/operators/operator-accounts.ts';
import { listAccountsOfMerchant, type AccountKey } from '../../../store/operators/replaced-credentials.ts';
import { findRecovery, isAnyOpenBefore } from '../../../store/recovery/recoveries.ts';
import { isAnyUnreleased } from '../../../store/recovery/unmatched-payments.ts';
import type { Actor } from '../../audit.ts';
import type { Engine } from '../../engine.ts';
import { copyStops, type LiftedThere } from '../../limits/copy-stops.ts';
import { copyLostPayments } from '../../recovery/copy-lost-payments.ts';
import { listKnownAccounts, readerOf } from '../../operators/operator-accounts.ts';
import { findDifferentTimes, type TimesDiffer } from '../../operators/compare-times.ts';
import { alone } from '../lock-merchant-alone.ts';
import type { MoveCells } from './copy-payments.ts';

type Pair = Pick<MoveCells, 'from' | 'to'>;

export type RecoveryInTheWay =
  /** A cell was restored, and its recovery is open: what may have been sent is known there only. */
  | { readonly type: 'RECOVERY_OPEN'; readonly cell: string }
  /** Open payments from before a recovery of a cell: there they are treated otherwise than in the other cell. */
  | { readonly type: 'OPEN_FROM_BEFORE_RECOVERY'; readonly cell: string }
  /** What operators made, no merchant has sent again and nobody has decided: its merchant may send it again here. */
  | { readonly type: 'UNMATCHED_PAYMENTS'; readonly cell: string };

export type NotBegun =
  /** It lives in another cell, or is on its way to one. */
  | { readonly type: 'OTHER_CELL'; readonly cell: string }
  /** Its open payments are at an operator where the new cell is under another account, or no one knows. */
  | { readonly type: 'OTHER_ACCOUNT'; readonly connector: string }
  | RecoveryInTheWay
  | LiftedThere
  /** Money of the merchant is held until a report of this cell is decided on, which the other cell does not have. */
  | { readonly type: 'REPORT_UNDECIDED' }
  /** Encryption keys are being replaced: the other cell may have been told already that the older one can go. */
  | { readonly type: 'OLDER_KEY' }
  /** A later time would come along, and be everybody's in the new cell. */
  | TimesDiffer
  /** What it left in the new cell, when it moved away from there, is not yet cleared. */
  | { readonly type: 'NOT_CLEARED' };

type MerchantPart = { readonly merchantId: string };

export type Begun = { readonly type: 'BEGUN'; readonly step: MoveStep; readonly hasLeft: boolean };

/** Begins, or goes on with what the migration locks say was begun. */
export async function begin(cells: Pair, order: Actor & MerchantPart): Promise<Begun | NotBegun> {
  const { from, to } = cells;
  const { merchantId } = order;
  const found = await findMigrationLock(from.store.database, merchantId);
  const isOther = found !== null && (found.otherCell !== to.home || found.state === 'ARRIVING');
  if (isOther) return { type: 'OTHER_CELL', cell: found.otherCell };
  const step = { merchantId, moveId: found?.moveId ?? randomUUID(), otherCell: to.home };
  if (found?.state === 'AWAY') return { type: 'BEGUN', step, hasLeft: true };
  const there = await findMigrationLock(to.store.database, merchantId);
  const left = await listKeysAfter(to.store.database, { merchantId, after: null, countMax: 1 });
  if (there?.state === 'AWAY' && left.length > 0) return { type: 'NOT_CLEARED' };
  const inTheWay = (await findRecoveryInTheWay(cells)) ?? (await findOpenFromBefore(cells, merchantId));
  if (inTheWay !== null) return inTheWay;
  const times = await findDifferentTimes(from.store.database, to.store.database);
  if (times !== null) return times;
  if (await isAnyReportedHold(from.store.database, merchantId)) return { type: 'REPORT_UNDECIDED' };
  const stranger = await findStrangeOperator(cells, merchantId);
  if (stranger !== null) return { type: 'OTHER_ACCOUNT', connector: stranger };
  if (!(await isUnderFirstKey(from, merchantId))) return { type: 'OLDER_KEY' };
  const lifted = await copyStops(cells, order);
  if (lifted !== null) return lifted;
  await copyLostPayments({ from: from.store.database, to: to.store.database });
  const locked = await lockBothCells(cells, step, found);
  if (locked === 'REPORT_UNDECIDED') return { type: locked };
  // Another mover may have begun, ended or aborted the move since it was found: then that is gone on with.
  return locked === 'LOCKED' ? { type: 'BEGUN', step, hasLeft: false } : begin(cells, order);
}

/**
 * The old cell's migration lock comes first, and only a new move sets it: one that was aborted must not come back. The
 * new cell's is set only while the old cell still has its own: a mover that stood still must not lock the merchant
 * where it lives by now, nor copy over what it does there.
 */
async function lockBothCells(
  { from, to }: Pair,
  step: MoveStep,
  found: MigrationLock | null,
): Promise<'LOCKED' | 'MOVE_ENDED' | 'REPORT_UNDECIDED'> {
  try {
    const isHere = found !== null || (await alone(() => lockOldCell(from, step)));
    if (!isHere) return 'MOVE_ENDED';
  } catch (error) {
    if (error instanceof HeldMeanwhile) return 'REPORT_UNDECIDED';
    throw error;
  }
  // The process that set it is gone. Those who wait are let in before it comes up again.
  if (found?.state === 'LEAVING')
    await inTransaction(from.store.database, (tx) => clearMigrationLock(tx, step));
  try {
    await inTransaction(to.store.database, async (tx) => {
      await beginArriving(tx, { ...step, otherCell: from.home });
      const now = await findMigrationLock(from.store.database, step.merchantId);
      if (now?.moveId !== step.moveId || now.state === 'AWAY') throw new MoveEnded();
    });
  } catch (error) {
    if (error instanceof MoveEnded) return 'MOVE_ENDED';
    throw error;
  }
  return 'LOCKED';
}

/** A report may have been imported since it was asked. Behind this lock nothing is held for one any more. */
async function lockOldCell({ store }: Engine, step: MoveStep): Promise<boolean> {
  return inTransaction(store.database, async (tx) => {
    if (!(await beginCopying(tx, step))) return false;
    if (await isAnyReportedHold(tx, step.merchantId)) throw new HeldMeanwhile();
    return true;
  });
}

/** Rolls the old cell's migration lock back. */
class HeldMeanwhile extends Error {}

/** Rolls the new cell's migration lock back. */
class MoveEnded extends Error {}

/** What a restored cell holds back is held back there only, and so is what it asks about first. */
export async function findRecoveryInTheWay({ from, to }: Pair): Promise<RecoveryInTheWay | null> {
  for (const { home: cell, store } of [from, to]) {
    const recovery = await findRecovery(store.database);
    if (recovery?.isOpen === true) return { type: 'RECOVERY_OPEN', cell };
  }
  // Whose they are no one knows.
  return (await isAnyUnreleased(from.store.database))
    ? { type: 'UNMATCHED_PAYMENTS', cell: from.home }
    : null;
}

/** The cell with a recovery that the merchant has open payments from before. */
async function findOpenFromBefore({ from, to }: Pair, merchantId: string): Promise<RecoveryInTheWay | null> {
  for (const { home: cell, store } of [from, to]) {
    const recovery = await findRecovery(store.database);
    if (recovery === null) continue;
    const open = { merchantId, before: recovery.begunAt };
    if (await isAnyOpenBefore(from.store.database, open)) return { type: 'OPEN_FROM_BEFORE_RECOVERY', cell };
  }
  return null;
}

/** The data keys come first when keys are re-encrypted; what was cut off then has left the rest. */
async function isUnderFirstKey({ store }: Engine, merchantId: string): Promise<boolean> {
  const pair = await readDataKeys(store, merchantId);
  if ([pair?.encryption, pair?.other].some((key) => key && !store.keyring.isUnderFirstKey(key))) return false;
  const { firstKeyId } = store.keyring;
  return !(await isAnyUnderOlderKey(store.database, { merchantId, firstKeyId }));
}

/** Under another account "not found" would be no proof, and a payment in progress could be called FAILED. */
async function findStrangeOperator({ from, to }: Pair, merchantId: string): Promise<string | null> {
  const here = await listOperatorAccounts(from.store.database);
  const there = await listOperatorAccounts(to.store.database);
  const used = await listConnectorsInUse(from.store.database, merchantId);
  const isStrange = (connector: string) =>
    !here.has(connector) || here.get(connector) !== there.get(connector);
  const missing = await listMissingAccounts({ from, to }, merchantId);
  return [...used, ...here.keys()].find(isStrange) ?? missing[0]?.connector ?? null;
}

/** Replaced accounts that the merchant's payments were sent with, and that only the cell it leaves can ask with. */
async function listMissingAccounts({ from, to }: Pair, merchantId: string): Promise<readonly AccountKey[]> {
  const used = await listAccountsOfMerchant(from.store.database, merchantId);
  if (used.length === 0) return [];
  const connectors = [...new Set(used.map(({ connector }) => connector))];
  const here = await listAccountNames(from, connectors);
  const there = await listAccountNames(to, connectors);
  return used.filter((one) => here.has(accountName(one)) && !there.has(accountName(one)));
}

async function listAccountNames(engine: Engine, connectors: readonly string[]): Promise<ReadonlySet<string>> {
  const known = await listKnownAccounts(engine.store.database, readerOf(engine), connectors);
  return new Set(known.map(accountName));
}

function accountName({ connector, accountId }: AccountKey): string {
  return `${connector} ${accountId}`;
}
