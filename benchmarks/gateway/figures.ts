// The figures of a benchmark and how each is measured. Each figure is a period of one kind of work, alone on the
// machine.
import { OPERATIONS } from '../../server/src/domain/payments/payment.ts';
import { replayCallbacks } from '../../server/src/store/callbacks/callback-repeats.ts';
import { inTransaction } from '../../server/src/store/database.ts';
import { insertScript, lifeScript, selectScript } from './bare-sql.ts';
import { requestText } from './connection.ts';
import { intakeTurn, lifeTurn, readTurn, runLoad, type Turn } from './load.ts';
import { difference, mapCost, type Reading } from './meters.ts';
import { depositRequest, v1DepositRequest, payoutRequest, type PreparedRequest } from './requests.ts';
import { runPgbench } from './pgbench.ts';
import type { BenchMerchants } from './merchants.ts';
import type { Setup } from './setup.ts';
import { meanOf, type Step } from './statistics.ts';

export type Tempo = {
  readonly warmMs: number;
  readonly windowMs: number;
  /** Fewer payments at once than usual, if a window is too short for them to end. */
  readonly livesMax?: number;
};

export type Sample = {
  readonly perSecond: number;
  readonly steps: Readonly<Record<string, Step>>;
  /** For each operation. */
  readonly cost: Reading;
};

/** As the table shows them. */
export const FIGURES = [
  'bare',
  'gateway',
  'delivery',
  'hot',
  'spread',
  'insert',
  'intake',
  'earlier_intake',
  'status',
  'select',
] as const;
export type FigureName = (typeof FIGURES)[number];

/**
 * What a round measures, block by block. In a block every figure is measured as often before its reference as after it,
 * so that a drift of the machine favours neither.
 */
export const BLOCKS: readonly (readonly FigureName[])[] = [
  ['bare', 'gateway', 'gateway', 'bare', 'delivery'],
  ['spread', 'hot', 'hot', 'spread'],
  ['insert', 'intake', 'earlier_intake', 'earlier_intake', 'intake', 'insert'],
  ['select', 'status', 'status', 'select'],
];

/**
 * How many are in flight at once: the best number for each side, found by `--tune`. A payment's life is long, so the
 * gateway needs more of them than PostgreSQL has clients, who wait only for the disk.
 */
export const CLIENTS: Readonly<Record<Exclude<FigureName, 'delivery'>, number>> = {
  bare: 8,
  gateway: 512,
  hot: 512,
  spread: 512,
  insert: 32,
  intake: 128,
  earlier_intake: 128,
  status: 64,
  select: 4,
};

const READABLE_MAX = 10_000;

export type Measure = (setup: Setup, tempo: Tempo, clients?: number) => Promise<Sample>;

export function createMeasures(): Readonly<Record<FigureName, Measure>> {
  const accepted: string[] = [];
  const noteAccepted = ({ id, apiToken }: PreparedRequest) => {
    if (accepted.length < READABLE_MAX) accepted.push(requestText('GET', `/v2/deposits/${id}`, apiToken));
  };
  const randomCheck = () => accepted[Math.floor(Math.random() * accepted.length)] ?? '';
  const lastLives = { from: new Date(), to: new Date() };
  const deposits = lives('gateway', depositGenerator);
  return {
    bare: bare('bare', ({ shops }) => shops.map(lifeScript)),
    insert: bare('insert', ({ shops }) => shops.map(insertScript)),
    select: bare('select', ({ shops }) => shops.slice(0, 1).map(selectScript)),
    gateway: async (...given) => {
      lastLives.from = new Date();
      const sample = await deposits(...given);
      lastLives.to = new Date();
      return sample;
    },
    delivery: (setup) => delivery(setup, lastLives),
    hot: lives('hot', (setup) => randomPayout(setup, { walletsMax: 1 })),
    spread: lives('spread', (setup) => randomPayout(setup, { walletsMax: Infinity })),
    intake: intake('intake', (setup) => intakeTurn(depositGenerator(setup), noteAccepted)),
    earlier_intake: intake('earlier_intake', (setup) => intakeTurn(shopRequests(setup, v1DepositRequest))),
    status: intake('status', () => readTurn(randomCheck)),
  };
}

function bare(name: keyof typeof CLIENTS, write: (merchants: BenchMerchants) => readonly string[]): Measure {
  return (setup, tempo, clients = CLIENTS[name]) => {
    const { pgbench: program, bareUrl: databaseUrl, folder } = setup;
    const options = { ...tempo, program, databaseUrl, clients, folder, scripts: write(setup.merchants) };
    return metered(setup, async (onWindow) => {
      const { step, ...result } = await runPgbench({ ...options, onWindow });
      return { ...result, steps: { whole: step } };
    });
  };
}

function lives(name: keyof typeof CLIENTS, prepare: (setup: Setup) => () => PreparedRequest): Measure {
  return (setup, tempo, clients = CLIENTS[name]) => {
    const { livesMax = clients } = tempo;
    const options = { ...tempo, clients: Math.min(clients, livesMax), ports: setup.gatewayPorts };
    const turn = lifeTurn(setup.receiver, prepare(setup));
    return metered(setup, (onWindow) => runLoad({ ...options, onWindow }, turn));
  };
}

function intake(name: keyof typeof CLIENTS, prepare: (setup: Setup) => Turn): Measure {
  return (setup, tempo, clients = CLIENTS[name]) => {
    const options = { ...tempo, clients, ports: setup.intakePorts };
    return metered(setup, (onWindow) => runLoad({ ...options, onWindow }, prepare(setup)));
  };
}

/** Sends the callbacks of the last deposits again, all at once, and measures the rate. */
async function delivery(setup: Setup, span: { readonly from: Date; readonly to: Date }): Promise<Sample> {
  const { engine } = setup.admin;
  const before = await setup.meters.read('BEGINS');
  const filter = { ...span, now: engine.clock.now(), kinds: OPERATIONS, statuses: ['DELIVERED'] as const };
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
export function depositGenerator(setup: Setup): () => PreparedRequest {
  return shopRequests(setup, depositRequest);
}

function shopRequests(setup: Setup, generate: (apiToken: string) => PreparedRequest): () => PreparedRequest {
  const { shops } = setup.merchants;
  let turn = 0;
  return () => generate(shops[(turn += 1) % shops.length]?.apiToken ?? '');
}

function randomPayout(setup: Setup, { walletsMax }: { readonly walletsMax: number }): () => PreparedRequest {
  const { employer, places } = setup.merchants;
  const used = places.slice(0, walletsMax);
  let turn = 0;
  return () => {
    const place = used[(turn += 1) % used.length];
    if (place === undefined) throw new Error('there is no place to pay out');
    return payoutRequest(employer.apiToken, place);
  };
}

/** Reads the meters where the window begins and ends. */
export async function metered(
  { meters }: Pick<Setup, 'meters'>,
  run: (onWindow: (edge: 'BEGINS' | 'ENDS') => Promise<void>) => ReturnType<typeof runLoad>,
): Promise<Sample> {
  const readings: Reading[] = [];
  const { count, seconds, steps } = await run(async (edge) => void readings.push(await meters.read(edge)));
  const [before, after] = readings;
  if (before === undefined || after === undefined || count === 0) throw new Error('nothing was measured');
  return { perSecond: count / seconds, steps, cost: each(difference(before, after), count) };
}

/** Combines several windows of one figure. */
export function mergeSamples(samples: readonly Sample[]): Sample {
  const mean = (read: (sample: Sample) => number) => meanOf(samples.map(read));
  const stepNames = Object.keys(samples[0]?.steps ?? {});
  return {
    perSecond: mean(({ perSecond }) => perSecond),
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
