// The figures of a benchmark and how each is measured. Each figure is a period of one kind of work, alone on the
// machine.
import { OPERATIONS } from '../../server/src/domain/payments/payment.ts';
import { replayCallbacks } from '../../server/src/store/callbacks/callback-repeats.ts';
import { inTransaction } from '../../server/src/store/database.ts';
import { nowOf } from '../../server/test/clocks.ts';
import { BATCH_SIZE, batchScripts, lifeScripts } from './bare/life.ts';
import {
  depositTemplates,
  insertRouteLoad,
  intakeLoad,
  payoutTemplates,
  selectRouteLoad,
  statusLoad,
  v1IntakeLoad,
  type ClosedLoad,
} from './closed-loads.ts';
import { runLives, type LoadResult } from './lives.ts';
import { difference, mapCost, type Reading } from './meters.ts';
import { runPgbench } from './pgbench.ts';
import { depositRequest, type PreparedRequest } from './requests.ts';
import type { Setup } from './setup.ts';
import { meanOf, type Step } from './statistics.ts';
import { runWrk } from './wrk.ts';

export type Tempo = {
  readonly warmMs: number;
  readonly windowMs: number;
  /** Fewer payments at once than usual, if a window is too short for them to end. */
  readonly livesMax?: number;
};

export type Sample = {
  readonly perSecond: number;
  readonly steps: Readonly<Record<string, Step>>;
  /** Requests that were shed, of all. */
  readonly rejectedShare?: number;
  /** For each operation. */
  readonly cost: Reading;
};

/** As the table shows them. */
export const FIGURES = [
  'bare',
  'bare_batched',
  'gateway',
  'delivery',
  'hot',
  'spread',
  'insert_route',
  'intake',
  'v1_intake',
  'select_route',
  'status',
] as const;
export type FigureName = (typeof FIGURES)[number];

/**
 * What a round measures, block by block. In a block every figure is measured as often before its reference as after it,
 * so that a drift of the machine favours neither.
 */
export const BLOCKS: readonly (readonly FigureName[])[] = [
  ['bare', 'bare_batched', 'gateway', 'gateway', 'bare_batched', 'bare', 'delivery'],
  ['spread', 'hot', 'hot', 'spread'],
  ['insert_route', 'intake', 'v1_intake', 'v1_intake', 'intake', 'insert_route'],
  ['select_route', 'status', 'status', 'select_route'],
];

/**
 * How many are in flight at once: the best number for each side, found by `--tune`. A payment's life is long, so the
 * gateway needs more of them than PostgreSQL has clients, who wait only for the disk.
 */
export const CLIENTS: Readonly<Record<Exclude<FigureName, 'delivery'>, number>> = {
  bare: 8,
  bare_batched: 4,
  gateway: 512,
  hot: 512,
  spread: 512,
  insert_route: 128,
  intake: 128,
  v1_intake: 128,
  select_route: 64,
  status: 64,
};

export type Measure = (setup: Setup, tempo: Tempo, clients?: number) => Promise<Sample>;

export function createMeasures(): Readonly<Record<FigureName, Measure>> {
  const lastLives = { from: new Date(), to: new Date() };
  const deposits = lives('gateway', ({ merchants }) => depositTemplates(merchants.shops));
  return {
    bare: bare('bare', lifeScripts(), 1),
    bare_batched: bare('bare_batched', batchScripts(), BATCH_SIZE),
    gateway: async (...given) => {
      lastLives.from = new Date();
      const sample = await deposits(...given);
      lastLives.to = new Date();
      return sample;
    },
    delivery: (setup) => delivery(setup, lastLives),
    hot: lives('hot', ({ merchants }) => payoutTemplates(merchants, { walletsMax: 1 })),
    spread: lives('spread', ({ merchants }) => payoutTemplates(merchants, { walletsMax: Infinity })),
    insert_route: closed('insert_route', insertRouteLoad),
    intake: closed('intake', intakeLoad),
    v1_intake: closed('v1_intake', v1IntakeLoad),
    select_route: closed('select_route', selectRouteLoad),
    status: closed('status', statusLoad),
  };
}

/** `size`: how many payments one script carries. */
function bare(name: keyof typeof CLIENTS, scripts: readonly string[], size: number): Measure {
  return (setup, tempo, clients = CLIENTS[name]) => {
    const { pgbench: program, bareUrl: databaseUrl, folder } = setup;
    const options = { ...tempo, program, databaseUrl, clients, folder, scripts };
    return metered(setup, async (onWindow) => {
      const { step, count, seconds } = await runPgbench({ ...options, onWindow });
      return { count: count * size, seconds, steps: { whole: step } };
    });
  };
}

function lives(name: keyof typeof CLIENTS, prepare: (setup: Setup) => readonly string[]): Measure {
  return (setup, tempo, clients = CLIENTS[name]) => {
    const inFlight = Math.min(clients, tempo.livesMax ?? clients);
    const options = { ...tempo, inFlight, requests: prepare(setup) };
    return metered(setup, (onWindow) => runLives(setup, { ...options, onWindow }));
  };
}

/** An API that was idle for some seconds needs as long for its first answers on a busy machine. */
const FIRST_ANSWERS_MS = 500;

function closed(name: keyof typeof CLIENTS, prepare: (setup: Setup) => Promise<ClosedLoad>): Measure {
  return async (setup, { warmMs, windowMs }, connections = CLIENTS[name]) => {
    const { countRecorded, ...load } = await prepare(setup);
    const options = { ...load, program: setup.wrk, folder: setup.folder, connections };
    if (warmMs > 0) await runWrk(options, Math.max(warmMs, FIRST_ANSWERS_MS));
    const before = await countRecorded?.();
    let answered = 0;
    const sample = await metered(setup, async (onWindow) => {
      await onWindow('BEGINS');
      const { count, rejected, seconds, step } = await runWrk(options, windowMs);
      await onWindow('ENDS');
      answered = count;
      return { count, seconds, steps: { answer: step }, rejectedShare: rejected / (count + rejected) };
    });
    const recorded = ((await countRecorded?.()) ?? Infinity) - (before ?? 0);
    if (recorded < answered) throw new Error(`${answered - recorded} of ${answered} were not recorded`);
    return sample;
  };
}

/** Sends the callbacks of the last deposits again, all at once, and measures the rate. */
async function delivery(setup: Setup, span: { readonly from: Date; readonly to: Date }): Promise<Sample> {
  const { engine } = setup.admin;
  const before = await setup.meters.read('BEGINS');
  const filter = { ...span, now: nowOf(engine), kinds: OPERATIONS, statuses: ['DELIVERED'] as const };
  const { count, arrived } = await inTransaction(engine.store.database, async (tx) => {
    let inserted = 0;
    for (const { merchantId } of setup.merchants.shops) {
      inserted += await replayCallbacks(tx, { ...filter, merchantId });
    }
    if (inserted < 2) throw new Error('there is nothing to deliver');
    return { count: inserted, arrived: setup.receiver.arrivals(inserted) };
  });
  engine.wake();
  const seconds = await arrived;
  const cost = each(difference(before, await setup.meters.read('ENDS')), count);
  return { perSecond: (count - 1) / seconds, steps: {}, cost };
}

/** Deposits of all shops in turn. */
export function depositGenerator({ merchants: { shops } }: Setup): () => PreparedRequest {
  let turn = 0;
  return () => depositRequest(shops[(turn += 1) % shops.length]?.apiToken ?? '');
}

/** Reads the meters where the window begins and ends. */
export async function metered(
  { meters }: Pick<Setup, 'meters'>,
  run: (onWindow: (edge: 'BEGINS' | 'ENDS') => Promise<void>) => Promise<LoadResult>,
): Promise<Sample> {
  const readings: Reading[] = [];
  const { count, seconds, ...result } = await run(
    async (edge) => void readings.push(await meters.read(edge)),
  );
  // Of the last window: one in which nothing ended is repeated.
  const [before, after] = readings.slice(-2);
  if (before === undefined || after === undefined || count === 0) throw new Error('nothing was measured');
  return { perSecond: count / seconds, ...result, cost: each(difference(before, after), count) };
}

/** Combines several windows of one figure. */
export function mergeSamples(samples: readonly Sample[]): Sample {
  const mean = (read: (sample: Sample) => number) => meanOf(samples.map(read));
  const stepNames = Object.keys(samples[0]?.steps ?? {});
  return {
    perSecond: mean(({ perSecond }) => perSecond),
    rejectedShare: mean(({ rejectedShare = 0 }) => rejectedShare),
    steps: Object.fromEntries(
      stepNames.map((name) => {
        const p50Ms = mean((sample) => sample.steps[name]?.p50Ms ?? 0);
        return [name, { p50Ms, p99Ms: mean((sample) => sample.steps[name]?.p99Ms ?? 0) }];
      }),
    ),
    cost: mapCost(
      samples.map(({ cost }) => cost),
      meanOf,
    ),
  };
}

function each(cost: Reading, count: number): Reading {
  return mapCost([cost], ([value = 0]) => value / count);
}
