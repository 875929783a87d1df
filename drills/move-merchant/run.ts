// One run: load of every kind through the first cell's address, while a merchant moves back and forth.
import { setTimeout as sleep } from 'node:timers/promises';
import { withHooks } from '../kit/database.ts';
import { Load } from '../kit/load/load.ts';
import { MARKETS } from '../kit/load/markets.ts';
import { calm, comeToRest } from '../kit/settle.ts';
import type { DatabaseCluster } from '../kit/database-cluster.ts';
import type { Say } from '../kit/program.ts';
import { streamOf, type Random } from '../kit/random.ts';
import { readOperatorBooks } from '../kit/verdict/operator-books.ts';
import { readPayments } from '../kit/verdict/payment-rows.ts';
import { findDisagreements } from '../kit/verdict/verdict.ts';
import { failOver, OperatorFaults } from './faults.ts';
import { startSetup, type Setup } from './setup.ts';
import { moveThroughKills, type MoveCounts } from './mover.ts';
import { PauseMeter } from './pause-meter.ts';
import { checkCells, type MovingVerdict } from './verdict.ts';

export type MovingOptions = {
  readonly seed: number;
  readonly moves: number;
  readonly killsPerMove: number;
  /** In how many of the moves the first cell's database fails over. */
  readonly failovers: number;
  /** How long load runs before the first move, so that there is a history to move. */
  readonly historyMs: number;
  readonly keep: boolean;
  readonly say: Say;
};

export type MovingOutcome = {
  readonly verdict: MovingVerdict;
  readonly counts: MoveCounts & { readonly operatorFaults: number };
  /** The longest pause in the same time without a move, as a baseline. */
  readonly usualPauseMs: number;
  /** While merchants moved, the longest first. */
  readonly pauses: ReturnType<PauseMeter['pausesMs']>;
  readonly rejected: object;
};

const PAYMENTS_PER_SECOND = 15;
/** A stuck payment ends twelve seconds after it was sent. */
const PATIENCE_MS = 90_000;

export function runMoves(options: MovingOptions): Promise<MovingOutcome> {
  return withHooks(async (hooks) => {
    const { seed, say } = options;
    const setup = await startSetup(hooks, {
      ...options,
      merchantCount: 2,
      hasStandby: options.failovers > 0,
    });
    const load = new Load({ ...setup, markets: MARKETS, random: streamOf(seed, 'load') });
    const meter = new PauseMeter({ ...setup, random: streamOf(seed, 'meter') });
    const faults = new OperatorFaults(streamOf(seed, 'operator'), setup.simulatorUrl);
    const running = [load.run(PAYMENTS_PER_SECOND), meter.run()];
    say('load on both merchants, through the first cell');
    // The first requests are slow in new processes.
    await sleep(1_500);
    const began = performance.now();
    await sleep(options.historyMs);
    const moving = performance.now();
    running.push(faults.run());
    const counts = await moveToAndFro(setup, options);
    await sleep(1_000);
    const ended = performance.now();
    faults.stop();
    await Promise.all([load.stop(), meter.stop(), ...running]);
    const acknowledged = [...load.acknowledged.values(), ...meter.acknowledged];
    say(`calm: ${acknowledged.length} payments acknowledged`);
    await settle(setup, say);
    return {
      verdict: await checkCells(setup, acknowledged, [options.moves % 2, 0]),
      counts: { ...counts, operatorFaults: faults.count },
      usualPauseMs: meter.pausesMs(began, moving)[0]?.ms ?? 0,
      pauses: meter.pausesMs(moving, ended),
      rejected: load.counts.reasons,
    };
  });
}

/** Until everything has ended, also what the operators' faults left open. */
export async function settle({ admins, simulatorUrl, scratch }: Setup, say: Say): Promise<void> {
  const operatorUrls = new Map([['simulator', simulatorUrl]]);
  await calm(operatorUrls);
  const databases = admins.map(({ engine }) => engine.store.database);
  const isAll = async () => {
    const reading = databases.map((one) => readPayments(one, 'IN_RECONCILIATION'));
    const reconciled = (await Promise.all(reading)).flat();
    return findDisagreements({ charges: readOperatorBooks(scratch) }, reconciled).length === 0;
  };
  await comeToRest(databases, { patienceMs: PATIENCE_MS, say, isAll });
}

async function moveToAndFro(setup: Setup, options: MovingOptions): Promise<MoveCounts> {
  const counts: MoveCounts = { moves: 0, kills: 0, failed: 0, failovers: 0, killedAt: {} };
  const random = streamOf(options.seed, 'kills');
  for (let move = 0; move < options.moves; move += 1) {
    const route = { from: move % 2, to: (move + 1) % 2, kills: options.killsPerMove };
    const isFailing = setup.cluster !== null && move < options.failovers;
    const failing = isFailing ? failDuringMove(setup.cluster, random) : Promise.resolve();
    const said = await moveThroughKills(setup, route, { random, counts });
    await failing;
    if (isFailing) counts.failovers += 1;
    options.say(`${counts.kills} kills, ${counts.failovers} failovers so far; ${said}`);
  }
  return counts;
}

async function failDuringMove(cluster: DatabaseCluster, random: Random): Promise<void> {
  await sleep(random.between(500, 2_500));
  await failOver(cluster);
}
