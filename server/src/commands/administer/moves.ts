// Moving merchants into another cell.
import { readConfig, type Config } from '../../config.ts';
import { abortMove, type AbortAnswer } from '../../core/cells/moving/abort-move.ts';
import type { MoveCells } from '../../core/cells/moving/copy-payments.ts';
import { drainCell, type Drained } from '../../core/cells/moving/drain-cell.ts';
import { moveMerchant, type MoveAnswer } from '../../core/cells/moving/move-merchant.ts';
import { readShapes } from '../../store/cells/moving/copy-rows.ts';
import { ShutdownHooks } from '../serve/shutdown-hooks.ts';
import { type Command } from '../command.ts';
import { print, refuse } from '../output.ts';
import { readOptions, UsageError, type Options } from '../options.ts';
import { openGateway } from '../serve/compose.ts';

const MOVE_USAGE = '--merchant ID --to CELL --by NAME [--abort]';
const DRAIN_USAGE = '--to CELL --by NAME';

const moveMerchantCommand: Command = {
  usage: MOVE_USAGE,
  summary: 'move a merchant to another cell; repeat it if interrupted',
  run: async (args) => {
    const options = readOptions(MOVE_USAGE, args);
    const order = { ...readOrder(options), merchantId: options.uuid('merchant') };
    await inBothCells(options, async (cells) => {
      const merchant = await cells.from.directory.merchant(order.merchantId);
      if (merchant === null) throw new UsageError(`There is no merchant ${order.merchantId} in this cell.`);
      if (options.isGiven('abort')) return reportAborted(await abortMove(cells, order));
      const answer = await moveMerchant(cells, { ...order, home: merchant.home });
      return answer.type === 'MOVED' ? print('moved') : refuse(reasonOf(answer));
    });
  },
};

const drainCommand: Command = {
  usage: DRAIN_USAGE,
  summary: 'move every merchant to another cell; repeat it if interrupted',
  run: async (args) => {
    const options = readOptions(DRAIN_USAGE, args);
    const order = readOrder(options);
    await inBothCells(options, async (cells) => reportDrained(await drainCell(cells, order)));
  },
};

function readOrder(options: Options) {
  return { by: options.person(), onProgress: print, signal: stopSignal() };
}

/** The first signal stops between two steps, the second at once. Either way the command is run again. */
function stopSignal(): AbortSignal {
  const controller = new AbortController();
  for (const name of ['SIGTERM', 'SIGINT'] as const)
    process.once(name, () => {
      controller.abort(new Error('stopped'));
      process.once(name, () => process.exit(1));
    });
  return controller.signal;
}

async function inBothCells(options: Options, work: (cells: MoveCells) => Promise<void>): Promise<void> {
  const config = { ...readConfig(), logLevel: 'warn' };
  const cell = config.cells.find(({ id }) => id === options.text('to'));
  if (cell === undefined || cell.id === config.cell.id)
    throw new UsageError('--to must name another cell of MALIPO_CELLS.');
  const shutdownHooks = new ShutdownHooks();
  try {
    const open = async (changes: Partial<Config>) => {
      const gateway = await openGateway({ ...config, ...changes }, { role: 'admin', logTo: 2 });
      shutdownHooks.add(gateway.stop);
      return gateway.engine;
    };
    const [from, to] = [await open({}), await open({ cell })];
    const [shapes, shapesThere] = await Promise.all(
      [from, to].map(({ store }) => readShapes(store.database)),
    );
    if (shapes === undefined || JSON.stringify([...shapes]) !== JSON.stringify([...(shapesThere ?? [])]))
      throw new UsageError(
        'The two databases differ in their tables. Run: malipo-server migrate, for each cell.',
      );
    await work({ from, to, shapes });
  } finally {
    await shutdownHooks.run();
  }
}

function reasonOf(answer: Exclude<MoveAnswer, { readonly type: 'MOVED' }>): string {
  switch (answer.type) {
    case 'OTHER_CELL':
      return `The merchant is in cell ${answer.cell}, or is being moved to or from it.`;
    case 'OTHER_ACCOUNT':
      return (
        `The workers of the two cells do not report the same account at ${answer.connector}: ` +
        'the status of payments in progress could not be checked. Nothing was done.'
      );
    case 'RECOVERY_OPEN':
      return `Cell ${answer.cell} has an open recovery. End it first: malipo-server recovery end.`;
    case 'OPEN_FROM_BEFORE_RECOVERY':
      return (
        `The merchant has open payments from before the recovery of the cell ${answer.cell}. ` +
        'Wait until they are final, then move it.'
      );
    case 'UNMATCHED_PAYMENTS':
      return (
        `Cell ${answer.cell} has payments that operators made and no merchant has sent again. ` +
        'One that is sent again in another cell would be paid twice. See: malipo-server unmatched-payment list. ' +
        'Two people end each: malipo-server unmatched-payment decide.'
      );
    case 'REPORT_UNDECIDED':
      return (
        'An operator report of this cell says that deposits of the merchant were taken back, and their amounts are ' +
        'held until it is decided on. Approve or reject it first: malipo-server approval list.'
      );
    case 'OLDER_KEY':
      return (
        'Its data key, or something that moves with it, is under an older encryption key. ' +
        'Run malipo-server keys re-encrypt in each cell first.'
      );
    case 'TIMES_DIFFER':
      return (
        `The time differs: ${answer.here.toISOString()} in this cell, ${answer.there.toISOString()} in the other. ` +
        'Set the clocks of the database servers right, and run it again.'
      );
    case 'LIFTED_THERE':
      return (
        `A freeze of this cell (${answer.scope}) was lifted in the other one only. ` +
        'Lift it here too, or freeze again, then move the merchant.'
      );
    case 'NOT_CLEARED':
      return (
        'The other cell still has data of the merchant from an earlier or aborted move. ' +
        'Finish that move, or abort this one again.'
      );
    case 'TOO_SLOW':
      return 'The rest could not be copied in the time that a merchant may be locked. It is served as before.';
    case 'DIFFERENT':
      return (
        `${answer.table} differs in the two cells: ${answer.row}. Nothing was decided, and the merchant is served as ` +
        'before. Report it; --abort deletes the copy.'
      );
    case 'STOPPED':
      return 'Stopped. Run it again to continue, or with --abort to cancel the move.';
  }
}

function reportAborted(answer: AbortAnswer): void {
  switch (answer.type) {
    case 'ABORTED':
      return print('aborted; the merchant is served as before');
    case 'DECIDED':
      return refuse(`The merchant is in cell ${answer.cell} already. Finish the move, then move it back.`);
    case 'OTHER_CELL':
      return refuse(`The merchant is being moved to or from cell ${answer.cell}. Abort that move.`);
    case 'NOTHING':
      return refuse('There is no move to abort.');
  }
}

function reportDrained({ movedCount, notMoved, isStopped }: Drained): void {
  print(`${movedCount} merchants moved, ${notMoved.length} not moved`);
  for (const { merchantId, why } of notMoved) refuse(`${merchantId} was not moved: ${describe(why)}`);
  if (isStopped) refuse('Stopped. Run it again to continue.');
}

function describe(why: MoveAnswer | Error): string {
  if (why instanceof Error) return why.message;
  return why.type === 'MOVED' ? 'moved' : reasonOf(why);
}

export const moveCommands = { 'merchant move': moveMerchantCommand, 'cell drain': drainCommand };
