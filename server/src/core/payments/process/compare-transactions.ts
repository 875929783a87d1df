// Finds operators' transactions that completed payments in two cells of one operator account. An operator's answer
// posts at once, whatever other cells have; what is new here is looked for there afterwards, and the payment that
// claimed a transaction later gets a case. Later is by the clocks of two databases: where they differ, the other cell
// may have compared the later one before the earlier one was there. So whichever cell finds a conflict sees to it.
import { addMs } from '../../../domain/time.ts';
import { paymentKeyText } from '../../../domain/payments/payment.ts';
import { COMMITS_WITHIN_MS, inTransaction, type Tx } from '../../../store/database.ts';
import {
  listTransactionsClaimed,
  transactionName,
  type TransactionClaim,
} from '../../../store/payments/attempts.ts';
import {
  beginComparison,
  endComparisonLease,
  insertConflicts,
  leaseComparison,
  listComparisons,
  markCompared,
  readCreationTime,
  type ComparisonLease,
} from '../../../store/payments/transaction-conflicts.ts';
import { findSummedUntil } from '../../../store/ledger/ledger-rollups.ts';
import { isUseOf, listTransactionUses, nameOfUse } from '../../../store/payments/transaction-uses.ts';
import type { Engine } from '../../engine.ts';
import { accountSharing } from '../../operators/shared-account.ts';
import { conflictWithUse, type FoundConflict } from './transaction-conflict.ts';

type Progress = 'MORE' | 'IDLE';

export type ComparisonOptions = {
  /** So many transactions are held in memory. */
  readonly pageMax: number;
  readonly onError: (error: unknown) => void;
};

export const COMPARISON_PAGE_MAX = 10_000;

/** Longer than a page takes. */
const LEASE_MS = 60_000;
/** The span of time that is read first. One that is almost empty is doubled, one that is too full halved. */
const SPAN_MS = 60_000;
const SPAN_MAX_MS = 7 * 24 * 3_600_000;
/** With one question to the other cell. */
const ASKED_AT_ONCE = 1_000;

/**
 * Compares a page with each other cell, and does nothing where there is none. A cell that does not answer is caught up
 * with later, and keeps no other one waiting.
 */
export async function compareTransactions(engine: Engine, options: ComparisonOptions): Promise<Progress> {
  let progress: Progress = 'IDLE';
  for (const cell of engine.cells.filter((one) => one !== engine.home)) {
    try {
      if ((await compareWith(engine, cell, options)) === 'MORE') progress = 'MORE';
    } catch (error) {
      options.onError(error);
    }
  }
  return progress;
}

async function compareWith(engine: Engine, cell: string, options: ComparisonOptions): Promise<Progress> {
  const { database } = engine.store;
  const known = (await listComparisons(database)).find((one) => one.cell === cell);
  if (known === undefined) {
    // What was claimed here before the other database existed was claimed first: if both have it, the other cell finds
    // that by its own comparison, and sees to it.
    const comparedUntil = await readCreationTime(engine.databaseOf(cell));
    await beginComparison(database, { cell, comparedUntil });
  }
  const now = await engine.clock.timeOf(database);
  // Whatever was claimed before this is committed by now. Nor is anything claimed with a time from before the end of
  // the sums, also by a clock that is set back.
  const committed = addMs(now, -COMMITS_WITHIN_MS);
  const summed = (await findSummedUntil(database)) ?? committed;
  const until = summed < committed ? summed : committed;
  const lease = await leaseComparison(database, { cell, now, leasedUntil: addMs(now, LEASE_MS) });
  if (lease === null) return 'IDLE';
  try {
    return await comparePage(engine, lease, { ...options, until });
  } finally {
    await endComparisonLease(database, lease);
  }
}

async function comparePage(
  engine: Engine,
  lease: ComparisonLease,
  { until, pageMax }: ComparisonOptions & { readonly until: Date },
): Promise<Progress> {
  const { database } = engine.store;
  const from = lease.comparedUntil;
  if (from >= until) return 'IDLE';
  const { claims, to } = await readPage(database, { from, until, pageMax });
  const { own, theirs } = await findConflicts(engine, lease.cell, claims);
  const other = engine.databaseOf(lease.cell);
  const at = async (tx: Tx, found: readonly FoundConflict[]) => {
    const foundAt = await engine.clock.timeOf(tx);
    await insertConflicts(
      tx,
      found.map((one) => ({ ...one, foundAt })),
    );
  };
  // Before the page counts as compared. Handed over twice, it opens one case.
  if (theirs.length > 0) await inTransaction(other, (tx) => at(tx, theirs));
  await inTransaction(database, async (tx) => {
    await at(tx, own);
    if (!(await markCompared(tx, lease, to))) throw new Error('another worker compares this');
  });
  return to < until ? 'MORE' : 'IDLE';
}

/**
 * What was claimed from a time on, up to a time to which everything is in the page. Read by spans of time: the index
 * finds the pages of the table that a time is in, and knows no order.
 */
async function readPage(
  tx: Tx,
  { from, until, pageMax }: { readonly from: Date; readonly until: Date; readonly pageMax: number },
): Promise<{ readonly claims: readonly TransactionClaim[]; readonly to: Date }> {
  let spanMs = SPAN_MS;
  let wasTooMany = false;
  for (;;) {
    const to = addMs(from, spanMs) < until ? addMs(from, spanMs) : until;
    const isShortest = spanMs === 1;
    const countMax = isShortest ? Number.MAX_SAFE_INTEGER : pageMax + 1;
    const claims = await listTransactionsClaimed(tx, { from, to, countMax });
    const isTooMany = claims.length > pageMax && !isShortest;
    const isFew = claims.length < pageMax / 8 && to < until && spanMs < SPAN_MAX_MS && !wasTooMany;
    if (!isTooMany && !isFew) return { claims, to };
    spanMs = isTooMany ? Math.max(1, Math.floor(spanMs / 2)) : spanMs * 2;
    wasTooMany ||= isTooMany;
  }
}

type Conflicts = {
  /** Payments of this cell that claimed a transaction later than a payment of the other cell. */
  readonly own: readonly FoundConflict[];
  /** The other way about. */
  readonly theirs: readonly FoundConflict[];
};

async function findConflicts(
  engine: Engine,
  cell: string,
  claims: readonly TransactionClaim[],
): Promise<Conflicts> {
  const other = engine.databaseOf(cell);
  const shared = await listSharedProviders(engine, other, claims);
  const asked = claims.filter(({ provider }) => shared.has(provider));
  const conflicts = { own: new Array<FoundConflict>(), theirs: new Array<FoundConflict>() };
  for (let first = 0; first < asked.length; first += ASKED_AT_ONCE) {
    const page = asked.slice(first, first + ASKED_AT_ONCE);
    const uses = Map.groupBy(await listTransactionUses(other, page), nameOfUse);
    for (const own of page) {
      const theirs = uses.get(transactionName(own))?.find((use) => !isUseOf(use, own));
      if (theirs === undefined) continue;
      const conflict = conflictWithUse({ cell: engine.home, claim: own }, { cell, use: theirs });
      if (conflict === null) continue;
      conflicts[paymentKeyText(conflict) === paymentKeyText(own) ? 'own' : 'theirs'].push(conflict);
    }
  }
  return conflicts;
}

/** Providers of these claims whose operator account is the other cell's too. */
async function listSharedProviders(
  engine: Engine,
  other: Tx,
  claims: readonly TransactionClaim[],
): Promise<ReadonlySet<string>> {
  const shared = new Set<string>();
  for (const provider of new Set(claims.map((claim) => claim.provider))) {
    const isShared = await accountSharing(engine, provider);
    if (await isShared(other)) shared.add(provider);
  }
  return shared;
}
