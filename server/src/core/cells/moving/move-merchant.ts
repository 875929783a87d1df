// Moves a merchant into another cell. Its history is copied while it is served; then it is locked for a moment, the
// rest is copied, and one statement in the old cell decides. Each step leaves a trace, so that a mover that died is
// simply run again. docs/decisions/0015-moving-a-merchant.md says why nothing can be lost or sent twice.
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { paymentKeyText } from '../../../domain/payments/payment.ts';
import { inTransaction } from '../../../store/database.ts';
import { findMigrationLock } from '../../../store/cells/migration-locks.ts';
import { listConnectorsInUse, listOperatorAccounts } from '../../../store/operators/operator-accounts.ts';
import { findRecovery, isAnyOpenBefore } from '../../../store/recovery/recoveries.ts';
import { MERCHANT_ROW } from '../../../store/cells/moving/copied-tables.ts';
import { copyRows } from '../../../store/cells/moving/copy-rows.ts';
import {
  beginArriving,
  beginCopying,
  deleteNotes,
  leave,
  listKeysAfter,
  listNotes,
  clearMigrationLock,
  markCopiedThrough,
  noteOpenPayments,
  setMigrationLock,
  readCopiedThrough,
  requireArriving,
  type MigrationLockMode,
  type MoveStep,
} from '../../../store/cells/moving/steps.ts';
import { listAccountsOfMerchant, type AccountKey } from '../../../store/operators/replaced-credentials.ts';
import { alone } from '../lock-merchant-alone.ts';
import { record, type Actor } from '../../audit.ts';
import type { Engine } from '../../engine.ts';
import { listKnownAccounts, readerOf } from '../../operators/operator-accounts.ts';
import { REMEMBER_PLACES_MS } from '../cell-assignments.ts';
import { addMs } from '../../../domain/time.ts';
import { clearOut } from './clear-out.ts';
import { copyPayments, type MoveCells } from './copy-payments.ts';
import { copyRest } from './copy-rest.ts';
import { openToMerchant } from './open-to-merchant.ts';

export type MoveOrder = Actor & {
  readonly merchantId: string;
  readonly home: string;
  readonly onProgress: (text: string) => void;
};

export type MoveAnswer =
  | { readonly type: 'MOVED' }
  /** It lives in another cell, or is on its way to one. */
  | { readonly type: 'ELSEWHERE'; readonly cell: string }
  /** Its open payments are at an operator where the new cell is under another account, or no one knows. */
  | { readonly type: 'OTHER_ACCOUNT'; readonly connector: string }
  /** A cell was restored, and its recovery is open: what may have been sent is known there only. */
  | { readonly type: 'RECOVERY_OPEN'; readonly cell: string }
  /** Open payments from before a recovery of a cell: there they are treated otherwise than in the other cell. */
  | { readonly type: 'OPEN_FROM_BEFORE_RECOVERY'; readonly cell: string }
  /** What it left in the new cell, when it moved away from there, is not yet cleared. */
  | { readonly type: 'NOT_CLEARED' }
  /** The rest could not be copied in the time that a merchant may be kept waiting. It is served as before. */
  | { readonly type: 'TOO_SLOW' };

type RecoveryInTheWay = Extract<MoveAnswer, { type: 'RECOVERY_OPEN' | 'OPEN_FROM_BEFORE_RECOVERY' }>;
type Left = { readonly type: 'LEFT' };
type Crossed = Left | RecoveryInTheWay | { readonly type: 'TOO_SLOW' };
/** The migration lock lapsed, or another mover raised one: nothing was decided. */
const LAPSED = { type: 'LAPSED' } as const;

/** As many payments with one transaction. */
const PAGE = 500;
/** So few changes that the rest is copied in a moment. */
const NOTES_FEW = 50;
/** How long a merchant is kept waiting at most, should the mover die. */
const MIGRATION_LOCK_MS = 1_500;
/** No one in the old cell remembers longer that the merchant is there; the rest is for timers that are late. */
const OPEN_AFTER_MS = REMEMBER_PLACES_MS + 50;
const TRIES_MAX = 10;
/** Long enough for those who waited behind us. */
const TRY_AGAIN_AFTER_MS = 250;

export async function moveMerchant(cells: MoveCells, order: MoveOrder): Promise<MoveAnswer> {
  const { from, to } = cells;
  const { merchantId, onProgress } = order;
  const begun = await begin(cells, merchantId);
  if (begun.type !== 'BEGUN') return begun;
  const { step } = begun;
  if (!begun.hasLeft) {
    onProgress(`is being copied to ${to.home}`);
    await copyHistory(cells, step, onProgress);
    const crossed = await crossOver(cells, step, order);
    if (crossed.type !== 'LEFT') return crossed;
  }
  const { home, by } = order;
  await openToMerchant(to, { merchantId, moveId: step.moveId, from: from.home, home, by });
  onProgress(`lives in ${to.home} now`);
  await clearOut(cells, merchantId, onProgress);
  return { type: 'MOVED' };
}

type Begun =
  | { readonly type: 'BEGUN'; readonly step: MoveStep; readonly hasLeft: boolean }
  | Exclude<MoveAnswer, { type: 'MOVED' }>;

/** Begins, or goes on with what the migration locks say was begun. The new cell's migration lock comes first. */
async function begin({ from, to }: Pick<MoveCells, 'from' | 'to'>, merchantId: string): Promise<Begun> {
  const found = await findMigrationLock(from.store.database, merchantId);
  const isOther = found !== null && (found.otherCell !== to.home || found.state === 'ARRIVING');
  if (isOther) return { type: 'ELSEWHERE', cell: found.otherCell };
  const step = { merchantId, moveId: found?.moveId ?? randomUUID(), otherCell: to.home };
  if (found?.state === 'AWAY') return { type: 'BEGUN', step, hasLeft: true };
  const there = await findMigrationLock(to.store.database, merchantId);
  const left = await listKeysAfter(to.store.database, { merchantId, after: null, countMax: 1 });
  if (there?.state === 'AWAY' && left.length > 0) return { type: 'NOT_CLEARED' };
  const inTheWay =
    (await findOpenRecovery({ from, to })) ?? (await findOpenFromBefore({ from, to }, merchantId));
  if (inTheWay !== null) return inTheWay;
  const stranger = await findStrangeOperator({ from, to }, merchantId);
  if (stranger !== null) return { type: 'OTHER_ACCOUNT', connector: stranger };
  // The process that set it is gone. Those who wait are let in before it comes up again.
  if (found?.state === 'LEAVING')
    await inTransaction(from.store.database, (tx) => clearMigrationLock(tx, step));
  await inTransaction(to.store.database, (tx) => beginArriving(tx, { ...step, otherCell: from.home }));
  await alone(() => inTransaction(from.store.database, (tx) => beginCopying(tx, step)));
  return { type: 'BEGUN', step, hasLeft: false };
}

/** What a restored cell holds back is held back there only, and so is what it asks about first. */
async function findOpenRecovery({
  from,
  to,
}: Pick<MoveCells, 'from' | 'to'>): Promise<RecoveryInTheWay | null> {
  for (const { home: cell, store } of [from, to]) {
    const recovery = await findRecovery(store.database);
    if (recovery?.isOpen === true) return { type: 'RECOVERY_OPEN', cell };
  }
  return null;
}

/** The cell with a recovery that the merchant has open payments from before. */
async function findOpenFromBefore(
  { from, to }: Pick<MoveCells, 'from' | 'to'>,
  merchantId: string,
): Promise<RecoveryInTheWay | null> {
  for (const { home: cell, store } of [from, to]) {
    const recovery = await findRecovery(store.database);
    if (recovery === null) continue;
    const open = { merchantId, before: recovery.begunAt };
    if (await isAnyOpenBefore(from.store.database, open)) return { type: 'OPEN_FROM_BEFORE_RECOVERY', cell };
  }
  return null;
}

/** Under another account "not found" would be no proof, and a payment in progress could be called FAILED. */
async function findStrangeOperator(
  { from, to }: Pick<MoveCells, 'from' | 'to'>,
  merchantId: string,
): Promise<string | null> {
  const here = await listOperatorAccounts(from.store.database);
  const there = await listOperatorAccounts(to.store.database);
  const used = await listConnectorsInUse(from.store.database, merchantId);
  const isStrange = (connector: string) =>
    !here.has(connector) || here.get(connector) !== there.get(connector);
  const missing = await listMissingAccounts({ from, to }, merchantId);
  return [...used, ...here.keys()].find(isStrange) ?? missing[0]?.connector ?? null;
}

/** Replaced accounts that the merchant's payments were sent with, and that only the cell it leaves can ask with. */
async function listMissingAccounts(
  { from, to }: Pick<MoveCells, 'from' | 'to'>,
  merchantId: string,
): Promise<readonly AccountKey[]> {
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

/** Everything that is final, in the order of identifiers; the rest, and what changes meanwhile, is noted. */
async function copyHistory(
  cells: MoveCells,
  step: MoveStep,
  onProgress: (text: string) => void,
): Promise<void> {
  const { from, to, shapes } = cells;
  const { merchantId } = step;
  await inTransaction(to.store.database, async (tx) => {
    await requireArriving(tx, step);
    await copyRows({ from: from.store.database, to: tx, shapes }, [MERCHANT_ROW], { merchantId, keys: [] });
  });
  let copied = 0;
  let after = await readCopiedThrough(to.store.database, merchantId);
  for (;;) {
    const keys = await listKeysAfter(from.store.database, { merchantId, after, countMax: PAGE });
    const last = keys.at(-1);
    if (last === undefined) break;
    const open = new Set((await noteOpenPayments(from.store.database, keys)).map(paymentKeyText));
    const settled = keys.filter((key) => !open.has(paymentKeyText(key)));
    await copyPayments(cells, step, settled, (tx) => markCopiedThrough(tx, last));
    after = last;
    copied += keys.length;
  }
  onProgress(`copied ${copied} payments while it was served`);
}

/** Copies what was noted, a page at a time, until so little is left that a merchant may wait for it. */
async function copyNoted(cells: MoveCells, step: MoveStep): Promise<void> {
  const { database } = cells.from.store;
  const { merchantId } = step;
  // At least once: behind the migration lock nothing is done for the first time.
  let copied = PAGE;
  while (copied >= NOTES_FEW) {
    const notes = await listNotes(database, { merchantId, countMax: PAGE });
    await copyPayments(
      cells,
      step,
      notes.map(({ key }) => key),
    );
    await deleteNotes(database, notes);
    copied = notes.length;
  }
}

/** TOO_SLOW when it could not be done within the time a merchant may be kept waiting. */
async function crossOver(cells: MoveCells, step: MoveStep, order: MoveOrder): Promise<Crossed> {
  const { from } = cells;
  for (let tries = 1; tries <= TRIES_MAX; tries += 1) {
    await copyNoted(cells, step);
    let raised = performance.now();
    const lock = { ...step, lockId: randomUUID() };
    const isUp = await alone(() => {
      raised = performance.now();
      const lapsesAt = addMs(from.wallClock.now(), MIGRATION_LOCK_MS);
      return inTransaction(from.store.database, (tx) => setMigrationLock(tx, lock, lapsesAt));
    });
    if (isUp) order.onProgress('is leaving');
    const left = isUp ? await leaveUnderMigrationLock(cells, lock, order) : LAPSED;
    if (left.type === 'LEFT') {
      const elapsedMs = performance.now() - raised;
      order.onProgress(`locked for ${Math.round(elapsedMs)} ms`);
      await sleep(Math.max(0, OPEN_AFTER_MS - elapsedMs));
    }
    if (left.type !== 'LAPSED') return left;
    await sleep(TRY_AGAIN_AFTER_MS);
  }
  return { type: 'TOO_SLOW' };
}

/** A recovery that began while the merchant was copied keeps it here as well. */
async function leaveUnderMigrationLock(
  cells: MoveCells,
  lock: MigrationLockMode,
  { by }: MoveOrder,
): Promise<Left | typeof LAPSED | RecoveryInTheWay> {
  const { from, to } = cells;
  const { merchantId, moveId } = lock;
  const lower = () => inTransaction(from.store.database, (tx) => clearMigrationLock(tx, lock));
  try {
    await copyRest(cells, lock);
    const inTheWay = await findOpenRecovery(cells);
    if (inTheWay !== null) {
      await lower();
      return inTheWay;
    }
    return await inTransaction(from.store.database, async (tx) => {
      if (!(await leave(tx, lock))) return LAPSED;
      const detail = { from: from.home, to: to.home, moveId };
      await record(from, tx, [{ by, act: 'MERCHANT_MOVED', merchantId, subject: merchantId, detail }]);
      return { type: 'LEFT' } as const;
    });
  } catch (error) {
    // No one waits for a migration lock to lapse that no one needs.
    await lower().catch(() => undefined);
    throw error;
  }
}
