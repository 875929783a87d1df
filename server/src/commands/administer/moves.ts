// Moving a merchant into another cell.
import { readConfig, type Config } from '../../config.ts';
import { moveMerchant, type MoveAnswer } from '../../core/cells/moving/move-merchant.ts';
import { readShapes } from '../../store/cells/moving/copy-rows.ts';
import { ShutdownHooks } from '../serve/shutdown-hooks.ts';
import { print, refuse, type Command } from '../command.ts';
import { readOptions, UsageError } from '../options.ts';
import { openGateway, type Gateway } from '../serve/compose.ts';

const USAGE = '--merchant ID --to CELL --by NAME';

const moveMerchantCommand: Command = {
  usage: USAGE,
  summary: 'move a merchant from this cell to another one; run it again if it was interrupted',
  run: async (args) => {
    const options = readOptions(USAGE, args);
    const order = { merchantId: options.uuid('merchant'), by: options.person() };
    const config = { ...readConfig(), logLevel: 'warn' };
    const cell = config.cells.find(({ id }) => id === options.text('to'));
    if (cell === undefined || cell.id === config.cell.id)
      throw new UsageError('--to must name another cell of MALIPO_CELLS.');
    const shutdownHooks = new ShutdownHooks();
    try {
      const open = (changes: Partial<Config>) => openCell({ ...config, ...changes }, shutdownHooks);
      report(await move({ from: await open({}), to: await open({ cell }) }, order));
    } finally {
      await shutdownHooks.run();
    }
  },
};

async function openCell(config: Config, shutdownHooks: ShutdownHooks): Promise<Gateway> {
  const gateway = await openGateway(config, { role: 'admin', logTo: 2 });
  shutdownHooks.add(gateway.stop);
  return gateway;
}

async function move(
  { from, to }: { readonly from: Gateway; readonly to: Gateway },
  order: { readonly merchantId: string; readonly by: string },
): Promise<MoveAnswer> {
  const merchant = await from.engine.directory.merchant(order.merchantId);
  if (merchant === null) throw new UsageError(`There is no merchant ${order.merchantId} in this cell.`);
  const shapes = await readShapes(from.engine.store.database);
  const shapesThere = await readShapes(to.engine.store.database);
  if (JSON.stringify([...shapes]) !== JSON.stringify([...shapesThere]))
    throw new UsageError(
      'The two databases differ in their tables. Run: malipo-server migrate, for each cell.',
    );
  const { home } = merchant;
  return moveMerchant({ from: from.engine, to: to.engine, shapes }, { ...order, home, onProgress: print });
}

function report(answer: MoveAnswer): void {
  switch (answer.type) {
    case 'MOVED':
      return print('moved');
    case 'ELSEWHERE':
      return refuse(`It lives in the cell ${answer.cell}, or is on its way there or from there.`);
    case 'OTHER_ACCOUNT':
      return refuse(
        `The workers of the two cells are not at ${answer.connector} under the same account, or have not said so: ` +
          'payments in progress could not be enquired about. Nothing was done.',
      );
    case 'RECOVERY_OPEN':
      return refuse(
        `The cell ${answer.cell} has an open recovery. End it first: malipo-server recovery end.`,
      );
    case 'OPEN_FROM_BEFORE_RECOVERY':
      return refuse(
        `The merchant has open payments from before the recovery of the cell ${answer.cell}. ` +
          'Wait until they are final, then move it.',
      );
    case 'NOT_CLEARED':
      return refuse('The other cell still holds what the merchant left there. Finish that move first.');
    case 'TOO_SLOW':
      return refuse(
        'The rest could not be copied within the time a merchant may wait. It is served as before.',
      );
  }
}

export const moveCommands = { 'merchant move': moveMerchantCommand };
