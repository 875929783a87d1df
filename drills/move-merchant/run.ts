// One run: load of every kind through the first cell's address, while a merchant moves back and forth.
import { setTimeout as sleep } from 'node:timers/promises';
import { withHooks } from '../kit/database.ts';
import { Load } from '../kit/load/load.ts';
import { MARKETS } from '../kit/load/markets.ts';
import { comeToRest } from '../kit/settle.ts';
import type { Say } from '../kit/program.ts';
import { streamOf } from '../kit/random.ts';
import { startSetup, type Setup } from './setup.ts';
import { moveThroughKills, type MoveCounts } from './mover.ts';
import { PauseMeter } from './pause-meter.ts';
import { checkCells, type MovingVerdict } from './verdict.ts';

export type MovingOptions = {
  readonly seed: number;
  readonly moves: number;
  readonly killsPerMove: number;
  /** How long load runs before the first move, so that there is a history to move. */
  readonly historyMs: number;
  readonly keep: boolean;
  readonly say: Say;
};

export type MovingOutcome = {
  readonly verdict: MovingVerdict;
  readonly counts: MoveCounts;
  /** The longest pause in the same time without a move, as a baseline. */
  readonly usualPauseMs: number;
  /** While merchants moved, the longest first. */
  readonly pauses: ReturnType<PauseMeter['pausesMs']>;
  readonly rejected: object;
};

const PAYMENTS_PER_SECOND = 15;
/** A stuck payment ends twelve seconds after it was sent. */
const PATIENCE_MS = 60_000;

export function runMoves(options: MovingOptions): Promise<MovingOutcome> {
  return withHooks(async (hooks) => {
    const { seed, say } = options;
    const setup = await startSetup(hooks, options);
    const load = new Load({ ...setup, markets: MARKETS, random: streamOf(seed, 'load') });
    const meter = new PauseMeter({ ...setup, random: streamOf(seed, 'meter') });
    const running = [load.run(PAYMENTS_PER_SECOND), meter.run()];
    say('load on both merchants, through the first cell');
    // The first requests are slow in new processes.
    await sleep(1_500);
    const began = performance.now();
    await sleep(options.historyMs);
    const moving = performance.now();
    const counts = await moveToAndFro(setup, options);
    await sleep(1_000);
    const ended = performance.now();
    await Promise.all([load.stop(), meter.stop(), ...running]);
    const acknowledged = [...load.acknowledged.values(), ...meter.acknowledged];
    say(`calm: ${acknowledged.length} payments acknowledged`);
    await fetch(`${setup.simulatorUrl}/control/release`, { method: 'POST' });
    const databases = setup.admins.map(({ engine }) => engine.store.database);
    await comeToRest(databases, { patienceMs: PATIENCE_MS, say });
    return {
      verdict: await checkCells(setup, acknowledged, [options.moves % 2, 0]),
      counts,
      usualPauseMs: meter.pausesMs(began, moving)[0]?.ms ?? 0,
      pauses: meter.pausesMs(moving, ended),
      rejected: load.counts.reasons,
    };
  });
}

async function moveToAndFro(setup: Setup, options: MovingOptions): Promise<MoveCounts> {
  const counts: MoveCounts = { moves: 0, kills: 0, killedAt: {} };
  const random = streamOf(options.seed, 'kills');
  for (let move = 0; move < options.moves; move += 1) {
    const route = { from: move % 2, to: (move + 1) % 2, kills: options.killsPerMove };
    const said = await moveThroughKills(setup, route, { random, counts });
    options.say(`${counts.kills} kills so far; ${said}`);
  }
  return counts;
}
