// The end of a cell: when nobody lives there any more, two people let the platform's own balances be posted over into
// another cell. What was posted meanwhile must be requested again, and what is posted later can be ended again.
import { randomUUID } from 'node:crypto';
import type { ApprovalRequests } from '../../../domain/approval.ts';
import { insertEndingClaim, listEndingClaims, listEndings } from '../../../store/cells/cell-endings.ts';
import { findIdentity } from '../../../store/cells/cell-names.ts';
import { listPlatformBalances } from '../../../store/cells/cell-remains.ts';
import type { ActingPerson } from '../../../store/approvals/approvals.ts';
import { inTransaction, type Tx } from '../../../store/database.ts';
import { NotExecuted, type Executor } from '../../approvals/executor.ts';
import { requestApproval } from '../../approvals/request.ts';
import type { Engine } from '../../engine.ts';
import { copyLostPayments } from '../../recovery/copy-lost-payments.ts';
import { askCell, askOtherCells, describeSilence, type CellSilent } from '../ask-other-cells.ts';
import { postBalances, renderBalance, type Ending } from './balances.ts';
import { carryReferences, settleClaims } from './carry-references.ts';
import { completeEndings } from './complete-endings.ts';
import { listObstacles, type Obstacle } from './remains.ts';

export type EndCellAnswer =
  | { readonly type: 'REQUESTED'; readonly approvalId: string; readonly balances: readonly string[] }
  | { readonly type: 'REQUESTED_BEFORE' }
  /** Balances have left and have not arrived. They have one target for ever, whichever one is asked for now. */
  | { readonly type: 'ON_THE_WAY'; readonly to: string; readonly since: Date }
  /** All accounts of the platform are at zero. */
  | { readonly type: 'NOTHING_LEFT' }
  | { readonly type: 'NOT_POSSIBLE'; readonly obstacles: readonly Obstacle[] };

/** Another person must approve, also where no money is real. */
export async function requestCellEnd(
  engine: Engine,
  { actor, to }: { readonly actor: ActingPerson; readonly to: string },
): Promise<EndCellAnswer> {
  const onTheWay = (await listEndings(engine.store.database)).find(
    ({ fromCell, arrivedAt }) => fromCell === engine.home && arrivedAt === null,
  );
  if (onTheWay !== undefined) return { type: 'ON_THE_WAY', to: onTheWay.toCell, since: onTheWay.postedAt };
  const obstacles = await listObstacles(engine, to);
  if (obstacles.length > 0) return { type: 'NOT_POSSIBLE', obstacles };
  const lost = await findLostEnding(engine);
  if (lost?.type === 'CELL_SILENT') return { type: 'NOT_POSSIBLE', obstacles: [lost] };
  if (lost !== null && !engine.cells.includes(lost.ending.toCell))
    return { type: 'NOT_POSSIBLE', obstacles: [{ type: 'TARGET_GONE', cell: lost.ending.toCell }] };
  const toDatabase = await askCell(to, async () => (await findIdentity(engine.databaseOf(to)))?.databaseId);
  if (toDatabase.type === 'CELL_SILENT') return { type: 'NOT_POSSIBLE', obstacles: [toDatabase] };
  if (toDatabase.answer === undefined)
    return { type: 'NOT_POSSIBLE', obstacles: [{ type: 'OTHER_DATABASE', cell: to }] };
  const target = { toCell: to, toDatabase: toDatabase.answer };
  const answer = await requestEnd(engine, { actor, target, lost: lost?.ending ?? null });
  if (answer.type !== 'NOTHING_LEFT') return answer;
  // Nobody has anything to approve, and other cells must know its references all the same.
  const carried = await carryReferences(engine);
  return carried === null ? answer : { type: 'NOT_POSSIBLE', obstacles: [carried] };
}

async function requestEnd(
  engine: Engine,
  {
    actor,
    target,
    lost,
  }: {
    readonly actor: ActingPerson;
    readonly target: Pick<Ending, 'toCell' | 'toDatabase'>;
    readonly lost: Ending | null;
  },
): Promise<EndCellAnswer> {
  return inTransaction(engine.store.database, async (tx) => {
    const balances = lost?.balances ?? (await listPlatformBalances(tx)).map(renderBalance);
    if (balances.length === 0) return { type: 'NOTHING_LEFT' };
    const endingId = lost?.endingId ?? randomUUID();
    const { toCell, toDatabase } = lost ?? target;
    const places = { from: engine.home, to: toCell, toDatabase };
    const request = { endingId, ...places, balances, isRepeated: lost !== null };
    const wanted = { actor, merchantId: null, kind: 'CELL_END', subject: engine.home, request } as const;
    const approvalId = await requestApproval(engine, tx, wanted);
    return approvalId === null ? { type: 'REQUESTED_BEFORE' } : { type: 'REQUESTED', approvalId, balances };
  });
}

/**
 * Balances of this cell that another one has, or that were approved to go there, and that this one does not know to
 * have left it: its database was restored to a time before. They are posted here again under the same identifier, and
 * not there. The first cell knows of them also when the other cell has left the settings.
 */
async function findLostEnding(
  engine: Engine,
): Promise<{ readonly type: 'LOST'; readonly ending: Ending } | CellSilent | null> {
  const known = new Set((await listEndings(engine.store.database)).map(({ endingId }) => endingId));
  const others = await askOtherCells(engine, listEndings);
  if (others.type === 'CELL_SILENT') return others;
  const directory = engine.databaseOf(engine.directoryCell);
  const claimed = await askCell(engine.directoryCell, () => listEndingClaims(directory, engine.home));
  if (claimed.type === 'CELL_SILENT') return claimed;
  const ending = [...others.answers.flatMap(({ answer }) => answer), ...claimed.answer]
    .map(({ endingId, fromCell, toCell, toDatabase, balances }) => ({
      endingId,
      fromCell,
      toCell,
      toDatabase,
      balances,
    }))
    .find(({ fromCell, endingId }) => fromCell === engine.home && !known.has(endingId));
  return ending === undefined ? null : { type: 'LOST', ending };
}

export const cellEndExecutor: Executor<'CELL_END'> = {
  show: ({ from, to, balances }) => ({ from, to, sums: balances.join(', ') }),
  before: async ({ engine, approval: { request } }) => {
    const [obstacle] = await listObstacles(engine, request.to);
    const lost = await findLostEnding(engine);
    const silent = obstacle?.type === 'CELL_SILENT' ? obstacle : lost?.type === 'CELL_SILENT' ? lost : null;
    if (silent !== null) throw silence(silent);
    if (obstacle !== undefined) throw new NotExecuted();
    // Its merchants live elsewhere: whatever they send again, every cell must know what was decided here.
    const copied = await askOtherCells(engine, (database) =>
      copyLostPayments({ from: engine.store.database, to: database }),
    );
    if (copied.type === 'CELL_SILENT') throw silence(copied);
    const carried = (await carryReferences(engine)) ?? (await settleClaims(engine));
    if (carried !== null) throw silence(carried);
    const lostId = lost?.type === 'LOST' ? lost.ending.endingId : null;
    // It has claimed its target itself where an approval of it was cut off.
    if (lostId !== request.endingId && (lostId !== null || request.isRepeated)) throw new NotExecuted();
    if (!request.isRepeated && !(await isStillSo(engine.store.database, request))) throw new NotExecuted();
    const silentDirectory = await claimTarget(engine, endingOf(request));
    if (silentDirectory !== null) throw silence(silentDirectory);
  },
  execute: async ({ engine, tx, approval: { request }, decider: { by } }) => {
    const ending = endingOf(request);
    // What another cell has already is posted as it was then, whatever was posted here since.
    if (!request.isRepeated && !(await isStillSo(tx, request))) throw new NotExecuted();
    if (!(await postBalances(engine, tx, { ending, way: 'LEAVE', by }))) throw new NotExecuted();
  },
  // What was posted while the approval was given, too. Where that fails, the cell's status says so.
  after: async ({ engine }) => {
    await carryReferences(engine).catch(() => undefined);
    await completeEndings(engine, { onError: () => undefined });
  },
};

function silence(silent: CellSilent): NotExecuted {
  const because = { code: 'CELL_SILENT', parameters: { cell: silent.cell } } as const;
  return new NotExecuted(because, describeSilence(silent));
}

async function isStillSo(tx: Tx, { balances }: ApprovalRequests['CELL_END']): Promise<boolean> {
  return (await listPlatformBalances(tx)).map(renderBalance).join() === balances.join();
}

/**
 * Commits in the first cell where the balances go, before they leave. From then on they go nowhere else, also where
 * this cell is restored to a time before: what was claimed and never left is posted out under the same identifier.
 */
async function claimTarget(engine: Engine, ending: Ending): Promise<CellSilent | null> {
  const claimed = await askCell(engine.directoryCell, () =>
    inTransaction(engine.databaseOf(engine.directoryCell), async (tx) =>
      insertEndingClaim(tx, { ...ending, claimedAt: await engine.clock.timeOf(tx) }),
    ),
  );
  return claimed.type === 'CELL_SILENT' ? claimed : null;
}

function endingOf(request: ApprovalRequests['CELL_END']): Ending {
  const { endingId, from: fromCell, to: toCell, toDatabase, balances } = request;
  return { endingId, fromCell, toCell, toDatabase, balances };
}
