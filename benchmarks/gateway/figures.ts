// The figures of a bench and how each is measured. Every figure is a stretch of one kind of work, alone on the machine.
import { OPERATIONS } from '../../server/src/domain/payments/payment.ts';
import { replayCallbacks } from '../../server/src/store/callbacks/callback-repeats.ts';
import { inTransaction } from '../../server/src/store/database.ts';
import { insertScript, lifeScript, selectScript } from './bare-sql.ts';
import { requestText } from './connection.ts';
import { intakeTurn, lifeTurn, readTurn, runLoad, type Turn } from './load.ts';
import { difference, type Reading } from './meters.ts';
import { depositOrder, earlierDepositOrder, payoutOrder, type Order } from './orders.ts';
import { runPgbench } from './pgbench.ts';
import type { BenchMerchants } from './merchants.ts';
import type { Stage } from './setup.ts';
import { meanOf, type Step } from './statistics.ts';

export type Tempo = {
  readonly warmMs: number;
  readonly windowMs: number;
  /** Fewer lives at once than usual, where a window is so short that they would not end in it. */
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
 * What a round measures, block by block. In a block every figure stands as often before what it is held against as
 * after it, so that a machine that gets slower or faster meanwhile favours neither.
 */
export const BLOCKS: readonly (readonly FigureName[])[] = [
  ['bare', 'gateway', 'gateway', 'bare', 'delivery'],
  ['spread', 'hot', 'hot', 'spread'],
  ['insert', 'intake', 'earlier_intake', 'earlier_intake', 'intake', 'insert'],
  ['select', 'status', 'status', 'select'],
];

/**
 * How many are in progress at once: for each side as many as it does best with, found by `--tune`. A payment's life is
 * long, so the gateway needs more of them than PostgreSQL has clients, who wait for no one but the disk.
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

export type Measure = (stage: Stage, tempo: Tempo, clients?: number) => Promise<Sample>;

export function createMeasures(): Readonly<Record<FigureName, Measure>> {
  const accepted: string[] = [];
  const noteAccepted = ({ id, apiToken }: Order) => {
    if (accepted.length < READABLE_MAX) accepted.push(requestText('GET', `/v2/deposits/${id}`, apiToken));
  };
  const drawCheck = () => accepted[Math.floor(Math.random() * accepted.length)] ?? '';
  const lastLives = { from: new Date(), to: new Date() };
  const deposits = lives('gateway', drawDeposit);
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
    delivery: (stage) => delivery(stage, lastLives),
    hot: lives('hot', (stage) => drawPayout(stage, { walletsMax: 1 })),
    spread: lives('spread', (stage) => drawPayout(stage, { walletsMax: Infinity })),
    intake: intake('intake', (stage) => intakeTurn(drawDeposit(stage), noteAccepted)),
    earlier_intake: intake('earlier_intake', (stage) => intakeTurn(drawShop(stage, earlierDepositOrder))),
    status: intake('status', () => readTurn(drawCheck)),
  };
}

function bare(name: keyof typeof CLIENTS, write: (merchants: BenchMerchants) => readonly string[]): Measure {
  return (stage, tempo, clients = CLIENTS[name]) => {
    const { pgbench: program, bareUrl: databaseUrl, folder } = stage;
    const options = { ...tempo, program, databaseUrl, clients, folder, scripts: write(stage.merchants) };
    return metered(stage, async (onWindow) => {
      const { step, ...result } = await runPgbench({ ...options, onWindow });
      return { ...result, steps: { whole: step } };
    });
  };
}

function lives(name: keyof typeof CLIENTS, prepare: (stage: Stage) => () => Order): Measure {
  return (stage, tempo, clients = CLIENTS[name]) => {
    const { livesMax = clients } = tempo;
    const options = { ...tempo, clients: Math.min(clients, livesMax), ports: stage.gatewayPorts };
    const turn = lifeTurn(stage.receiver, prepare(stage));
    return metered(stage, (onWindow) => runLoad({ ...options, onWindow }, turn));
  };
}

function intake(name: keyof typeof CLIENTS, prepare: (stage: Stage) => Turn): Measure {
  return (stage, tempo, clients = CLIENTS[name]) => {
    const options = { ...tempo, clients, ports: stage.intakePorts };
    return metered(stage, (onWindow) => runLoad({ ...options, onWindow }, prepare(stage)));
  };
}

/** Announces the last deposits once more, all at once, and sees how fast they come. */
async function delivery(stage: Stage, span: { readonly from: Date; readonly to: Date }): Promise<Sample> {
  const { engine } = stage.console;
  const before = await stage.meters.read('BEGINS');
  const told = { ...span, now: engine.clock.now(), kinds: OPERATIONS, statuses: ['DELIVERED'] as const };
  const { count, arrived } = await inTransaction(engine.store.database, async (tx) => {
    let inserted = 0;
    for (const { merchantId } of stage.merchants.shops) {
      inserted += await replayCallbacks(tx, { ...told, merchantId });
    }
    if (inserted < 2) throw new Error('there is nothing to deliver');
    return { count: inserted, arrived: stage.receiver.arrivals(inserted) };
  });
  engine.wake();
  const seconds = await arrived;
  const cost = each(difference(before, await stage.meters.read('ENDS')), count);
  return { perSecond: (count - 1) / seconds, steps: {}, cost };
}

/** Deposits at all shops in turn. */
export function drawDeposit(stage: Stage): () => Order {
  return drawShop(stage, depositOrder);
}

function drawShop(stage: Stage, draw: (apiToken: string) => Order): () => Order {
  const { shops } = stage.merchants;
  let turn = 0;
  return () => draw(shops[(turn += 1) % shops.length]?.apiToken ?? '');
}

function drawPayout(stage: Stage, { walletsMax }: { readonly walletsMax: number }): () => Order {
  const { employer, places } = stage.merchants;
  const used = places.slice(0, walletsMax);
  let turn = 0;
  return () => {
    const place = used[(turn += 1) % used.length];
    if (place === undefined) throw new Error('no one pays out');
    return payoutOrder(employer.apiToken, place);
  };
}

/** Reads the meters where the window begins and ends. */
export async function metered(
  { meters }: Pick<Stage, 'meters'>,
  run: (onWindow: (edge: 'BEGINS' | 'ENDS') => Promise<void>) => ReturnType<typeof runLoad>,
): Promise<Sample> {
  const readings: Reading[] = [];
  const { count, seconds, steps } = await run(async (edge) => void readings.push(await meters.read(edge)));
  const [before, after] = readings;
  if (before === undefined || after === undefined || count === 0) throw new Error('nothing was measured');
  return { perSecond: count / seconds, steps, cost: each(difference(before, after), count) };
}

/** What several windows of one figure come to. */
export function mergeSamples(samples: readonly Sample[]): Sample {
  const mean = (read: (sample: Sample) => number) => meanOf(samples.map(read));
  const [{ steps, cost } = { steps: {}, cost: NOTHING }] = samples;
  const stepNames = Object.keys(steps);
  const processes = Object.keys(cost.cpuSeconds);
  return {
    perSecond: mean(({ perSecond }) => perSecond),
    steps: Object.fromEntries(
      stepNames.map((name) => {
        const p50Ms = mean((sample) => sample.steps[name]?.p50Ms ?? 0);
        return [name, { p50Ms, p99Ms: mean((sample) => sample.steps[name]?.p99Ms ?? 0) }];
      }),
    ),
    cost: {
      cpuSeconds: Object.fromEntries(
        processes.map((name) => [name, mean((sample) => sample.cost.cpuSeconds[name] ?? 0)]),
      ),
      statements: mean((sample) => sample.cost.statements),
      walBytes: mean((sample) => sample.cost.walBytes),
    },
  };
}

const NOTHING: Reading = { cpuSeconds: {}, statements: 0, walBytes: 0 };

function each(cost: Reading, count: number): Reading {
  const cpu = Object.entries(cost.cpuSeconds).map(([name, seconds]) => [name, seconds / count]);
  return {
    cpuSeconds: Object.fromEntries(cpu) as Record<string, number>,
    statements: cost.statements / count,
    walBytes: cost.walBytes / count,
  };
}
