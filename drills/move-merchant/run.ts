// One run: load of every kind through the first cell's address, while a merchant moves to and fro.
import { setTimeout as sleep } from 'node:timers/promises';
import { Load } from '../kit/load/load.ts';
import { MARKETS } from '../kit/load/markets.ts';
import { countOpen, letTimePass } from '../kit/settle.ts';
import { streamOf } from '../kit/random.ts';
import { openCellStage, type CellStage } from './setup.ts';
import { moveThroughKills, type MoveCounts } from './mover.ts';
import { PauseMeter } from './pause-meter.ts';
import { judgeCells, type MovingVerdict } from './verdict.ts';

export type MovingOptions = {
  readonly seed: number;
  readonly moves: number;
  readonly killsPerMove: number;
  /** How long load runs before the first move, so that there is a history to move. */
  readonly historyMs: number;
  readonly keep: boolean;
  readonly onProgress: (text: string) => void;
};

export type MovingOutcome = {
  readonly verdict: MovingVerdict;
  readonly counts: MoveCounts;
  /** The longest pause in the same time without a move: what this machine does by itself. */
  readonly usualPauseMs: number;
  /** While merchants moved, the longest first. */
  readonly pauses: ReturnType<PauseMeter['pausesMs']>;
  readonly rejected: object;
};

const PAYMENTS_PER_SECOND = 15;
/** A stuck payment comes to its end twelve seconds after it was sent. */
const PATIENCE_MS = 60_000;

export async function runMoves(options: MovingOptions): Promise<MovingOutcome> {
  const { seed, onProgress } = options;
  let load: Load | undefined;
  const stage = await openCellStage({
    keep: options.keep,
    onFinal: (merchantId, kind, id, status) => {
      if (kind === 'DEPOSIT' && status === 'COMPLETED') load?.noteCompletedDeposit(merchantId, id);
    },
  });
  try {
    const { apiUrl, merchants } = stage;
    load = new Load({ apiUrl, merchants, markets: MARKETS, random: streamOf(seed, 'load') });
    const meter = new PauseMeter({ apiUrl, merchant: merchants[0], random: streamOf(seed, 'meter') });
    const running = [load.run(PAYMENTS_PER_SECOND), meter.run()];
    onProgress('load on both merchants, through the first cell');
    // The first requests are slow in processes that have just started.
    await sleep(1_500);
    const began = performance.now();
    await sleep(options.historyMs);
    const moving = performance.now();
    const counts = await moveToAndFro(stage, options);
    await sleep(1_000);
    const ended = performance.now();
    await Promise.all([load.stop(), meter.stop()]);
    await Promise.all(running);
    onProgress(`calm: ${load.counts.acknowledged + meter.acknowledged.length} payments acknowledged`);
    if (!(await settle(stage))) onProgress('not everything came to rest');
    const acknowledged = [...load.acknowledged.values(), ...meter.acknowledged];
    return {
      verdict: await judgeCells(stage, acknowledged, [options.moves % 2, 0]),
      counts,
      usualPauseMs: meter.pausesMs(began, moving)[0]?.ms ?? 0,
      pauses: meter.pausesMs(moving, ended),
      rejected: load.counts.reasons,
    };
  } finally {
    await stage.close();
  }
}

async function moveToAndFro(stage: CellStage, options: MovingOptions): Promise<MoveCounts> {
  const counts: MoveCounts = { moves: 0, kills: 0, killedAt: {} };
  const random = streamOf(options.seed, 'kills');
  for (let move = 0; move < options.moves; move += 1) {
    const route = { from: move % 2, to: (move + 1) % 2, kills: options.killsPerMove };
    const said = await moveThroughKills(stage, route, { random, counts });
    options.onProgress(`${counts.kills} kills so far; ${said}`);
  }
  return counts;
}

/** Answers whether everything came to its end in both cells. */
async function settle({ consoles, simulatorUrl }: CellStage): Promise<boolean> {
  await fetch(`${simulatorUrl}/control/release`, { method: 'POST' });
  const until = Date.now() + PATIENCE_MS;
  while (Date.now() < until) {
    let open = 0;
    for (const { engine } of consoles) {
      const { payments, callbacks } = await countOpen(engine.store.database);
      open += payments + callbacks;
      await letTimePass(engine.store.database);
    }
    if (open === 0) return true;
    await sleep(500);
  }
  return false;
}
