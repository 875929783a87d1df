// What keeps a cell from ending, and until when one that has ended must stay in the settings.
import { addDays, dayIn } from '../../../domain/time-zone.ts';
import { dueAtOf } from '../../../domain/reconciliation/due-day.ts';
import { listEndings, type CellEnding } from '../../../store/cells/cell-endings.ts';
import {
  countMerchantsMade,
  countWaiting,
  listPlatformBalances,
  type Waiting,
} from '../../../store/cells/cell-remains.ts';
import { listMerchantsToMove } from '../../../store/cells/moving/merchants-to-move.ts';
import { listCloseAccounts, type FollowedAccount } from '../../../store/daily-close/closes.ts';
import { findRecovery } from '../../../store/recovery/recoveries.ts';
import type { Engine } from '../../engine.ts';
import { askCell, askOtherCells, type CellSilent } from '../ask-other-cells.ts';
import { findWrongCell } from '../cell-names.ts';
import { accountSharing } from '../../operators/shared-account.ts';
import { parseBalance } from './balances.ts';
import { countReferencesLeft } from './carry-references.ts';

export type Obstacle =
  | { readonly type: 'DIRECTORY_CELL' }
  | { readonly type: 'MERCHANTS'; readonly count: number }
  | { readonly type: 'RECOVERY_OPEN' }
  | { readonly type: keyof Waiting; readonly count: number }
  /** The other cell is at this operator under another account: what lies in ours is not in theirs. */
  | { readonly type: 'OTHER_ACCOUNT'; readonly provider: string }
  /** The settings name another database by this cell's name than the one that had it first. */
  | { readonly type: 'OTHER_DATABASE'; readonly cell: string }
  /** What was approved to go to this cell, before this one was restored, goes nowhere else, and it is not there. */
  | { readonly type: 'TARGET_GONE'; readonly cell: string }
  | Coming
  | CellSilent;

/** Balances of another cell that ended into this one, and that have not arrived: nobody else would take them. */
type Coming = { readonly type: 'COMING'; readonly from: string };

/** Everything that is left and needs somebody, whatever the balances are. */
export async function listObstacles(engine: Engine, to: string): Promise<readonly Obstacle[]> {
  const { database } = engine.store;
  if (engine.home === engine.directoryCell) return [{ type: 'DIRECTORY_CELL' }];
  const merchants = (await listMerchantsToMove(database)).length;
  const recovery = await findRecovery(database);
  const waiting = Object.entries(await countWaiting(database)) as [keyof Waiting, number][];
  const coming = await listComing(engine);
  const silent = new Set(coming.flatMap((one) => (one.type === 'CELL_SILENT' ? [one.cell] : [])));
  const others = await listOtherAccounts(engine, to);
  const wrong = await findWrongCell(engine);
  return [
    ...(merchants > 0 ? [{ type: 'MERCHANTS', count: merchants } as const] : []),
    ...(recovery?.isOpen === true ? [{ type: 'RECOVERY_OPEN' } as const] : []),
    ...waiting.flatMap(([type, count]) => (count > 0 ? [{ type, count }] : [])),
    ...(wrong === null ? [] : [{ type: 'OTHER_DATABASE', cell: wrong } as const]),
    ...coming,
    ...others.filter((one) => one.type !== 'CELL_SILENT' || !silent.has(one.cell)),
  ];
}

/** Only the cells that they left know of them. */
async function listComing(engine: Engine): Promise<readonly (Coming | CellSilent)[]> {
  const others = await askOtherCells(engine, listEndings);
  if (others.type === 'CELL_SILENT') return [others];
  const arrived = new Set((await listEndings(engine.store.database)).map(({ endingId }) => endingId));
  return others.answers.flatMap(({ cell, answer }) => {
    const isComing = answer.some(
      ({ fromCell, toCell, endingId }) =>
        fromCell === cell && toCell === engine.home && !arrived.has(endingId),
    );
    return isComing ? [{ type: 'COMING', from: cell } as const] : [];
  });
}

async function listOtherAccounts(engine: Engine, to: string): Promise<readonly Obstacle[]> {
  const balances = await listPlatformBalances(engine.store.database);
  const providers = new Set(
    balances.flatMap(({ account }) => (account.type === 'FLOAT' ? [account.provider] : [])),
  );
  const answered = await askCell(to, async () => {
    const others: Obstacle[] = [];
    for (const provider of providers) {
      const isShared = await accountSharing(engine, provider);
      if (!(await isShared(engine.databaseOf(to)))) others.push({ type: 'OTHER_ACCOUNT', provider });
    }
    return others;
  });
  return answered.type === 'ANSWERED' ? answered.answer : [answered];
}

/** Why a cell must stay in the settings. Without `until` it ends when somebody has done it. */
export type Stay = { readonly until: Date | null } & (
  | { readonly type: 'BALANCES' }
  | { readonly type: 'ON_THE_WAY'; readonly to: string }
  | Coming
  /** What was posted here under references that another cell does not know. */
  | { readonly type: 'REFERENCES'; readonly count: number }
  /** A day in which balances were posted is not signed. */
  | {
      readonly type: 'DAY_OPEN';
      readonly cell: string;
      readonly provider: string;
      readonly currency: string;
      readonly day: string;
    }
  /** Only this cell closes the account's days. */
  | {
      readonly type: 'CLOSED_HERE';
      readonly provider: string;
      readonly currency: string;
      readonly nextDay: string;
    }
  | { readonly type: 'FORWARDING'; readonly merchantCount: number }
  | { readonly type: 'SILENT'; readonly cell: string }
);

export async function listStays(engine: Engine): Promise<readonly Stay[]> {
  const { database } = engine.store;
  const endings = (await listEndings(database)).filter(({ fromCell }) => fromCell === engine.home);
  const left = await listPlatformBalances(database);
  const made = await countMerchantsMade(database, engine.home);
  const references = await countReferencesLeft(engine);
  return [
    ...(left.length > 0 ? [{ type: 'BALANCES', until: null } as const] : []),
    ...endings.flatMap(({ arrivedAt, toCell }) =>
      arrivedAt === null ? [{ type: 'ON_THE_WAY', to: toCell, until: null } as const] : [],
    ),
    // A cell that is silent is named with the days.
    ...(await listComing(engine)).flatMap((one) => (one.type === 'COMING' ? [{ ...one, until: null }] : [])),
    ...(typeof references === 'number' && references > 0
      ? [{ type: 'REFERENCES', count: references, until: null } as const]
      : []),
    ...(await listDays(engine, endings)),
    // With one cell left, whoever asks asks the right one.
    ...(made > 0 && engine.cells.length > 2
      ? [{ type: 'FORWARDING', merchantCount: made, until: null } as const]
      : []),
  ];
}

async function listDays(engine: Engine, endings: readonly CellEnding[]): Promise<readonly Stay[]> {
  const here = await listCloseAccounts(engine.store.database);
  const others = await askOtherCells(engine, async (database) => ({
    accounts: await listCloseAccounts(database),
    arrived: await listEndings(database),
  }));
  if (others.type === 'CELL_SILENT') return [{ type: 'SILENT', cell: others.cell, until: null }];
  const arrived = others.answers.flatMap(({ answer }) => answer.arrived);
  const everywhere = [
    { cell: engine.home, accounts: here },
    ...others.answers.map(({ cell, answer }) => ({ cell, accounts: answer.accounts })),
  ];
  const open = everywhere.flatMap(({ cell, accounts }) =>
    accounts.flatMap((account) => {
      const days = endings
        .filter(({ balances }) => balances.some((text) => isFloatOf(account, text)))
        .flatMap((left) => [left, ...arrived.filter(({ endingId }) => endingId === left.endingId)])
        .map(({ postedAt }) => dayIn(account.timeZone, postedAt))
        .filter((day) => day >= account.firstDay && day > (account.lastDay ?? ''));
      const day = days.toSorted().at(-1);
      const { provider, currency } = account;
      return day === undefined
        ? []
        : [{ type: 'DAY_OPEN', cell, provider, currency, day, until: dueAtOf(account, day) } as const];
    }),
  );
  const followed = others.answers.flatMap(({ answer }) => answer.accounts);
  const alone = here.filter(
    (account) =>
      !followed.some((one) => one.provider === account.provider && one.currency === account.currency),
  );
  return [
    ...open,
    ...alone.map(({ provider, currency, lastDay, firstDay }) => ({
      type: 'CLOSED_HERE' as const,
      provider,
      currency,
      nextDay: lastDay === null ? firstDay : addDays(lastDay, 1),
      until: null,
    })),
  ];
}

function isFloatOf({ provider, currency }: FollowedAccount, text: string): boolean {
  const { account } = parseBalance(text);
  return account.type === 'FLOAT' && account.provider === provider && account.currency === currency;
}
