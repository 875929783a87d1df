// The figures of a bench and how each is measured. Every figure is a stretch of one kind of work, alone on the machine.
import { OPERATIONS } from '../../src/domain/payment.ts';
import { replayCallbacks } from '../../src/store/callback-repeats.ts';
import { inTransaction } from '../../src/store/database.ts';
import { insertScript, lifeScript, selectScript } from './bare-sql.ts';
import { requestText } from './connection.ts';
import { intakeTurn, lifeTurn, readTurn, runLoad, type Turn } from './load.ts';
import { difference, type Reading } from './meters.ts';
import { depositOrder, earlierDepositOrder, payoutOrder, type Order } from './orders.ts';
import { runPgbench } from './pgbench.ts';
import type { Stage } from './stage.ts';
import type { Step } from './statistics.ts';

export type Tempo = {
  readonly warmMs: number;
  readonly windowMs: number;
  /** Payments under way at once: enough that every step has a full batch while others wait for their callbacks. */
  readonly lifeClients: number;
};

export type Sample = {
  readonly perSecond: number;
  readonly steps: Readonly<Record<string, Step>>;
  /** For each operation. */
  readonly cost: Reading;
};

/** In the order in which a round measures them: what is compared is measured next to each other. */
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

/** Enough that a commit carries several; with more, two cores only switch more often. */
const PGBENCH_CLIENTS = 16;
const INTAKE_CLIENTS = 64;
const READABLE_MAX = 10_000;

type Measure = (stage: Stage, tempo: Tempo) => Promise<Sample>;

export function createMeasures(): Readonly<Record<FigureName, Measure>> {
  const accepted: string[] = [];
  const noteAccepted = ({ id, apiToken }: Order) => {
    if (accepted.length < READABLE_MAX) accepted.push(requestText('GET', `/v2/deposits/${id}`, apiToken));
  };
  const drawCheck = () => accepted[Math.floor(Math.random() * accepted.length)] ?? '';
  const lastLives = { from: new Date(), to: new Date() };
  return {
    bare: (stage, tempo) => bare(stage, tempo, stage.merchants.shops.map(lifeScript)),
    insert: (stage, tempo) => bare(stage, tempo, stage.merchants.shops.map(insertScript)),
    select: (stage, tempo) => bare(stage, tempo, stage.merchants.shops.slice(0, 1).map(selectScript)),
    gateway: async (stage, tempo) => {
      lastLives.from = new Date();
      const sample = await lives(stage, tempo, drawShop(stage, depositOrder));
      lastLives.to = new Date();
      return sample;
    },
    delivery: (stage) => delivery(stage, lastLives),
    hot: (stage, tempo) => lives(stage, tempo, drawPayout(stage, { walletsMax: 1 })),
    spread: (stage, tempo) => lives(stage, tempo, drawPayout(stage, { walletsMax: Infinity })),
    intake: (stage, tempo) => intake(stage, tempo, intakeTurn(drawShop(stage, depositOrder), noteAccepted)),
    earlier_intake: (stage, tempo) => intake(stage, tempo, intakeTurn(drawShop(stage, earlierDepositOrder))),
    status: (stage, tempo) => intake(stage, tempo, readTurn(drawCheck)),
  };
}

async function bare(stage: Stage, { windowMs }: Tempo, scripts: readonly string[]): Promise<Sample> {
  const { pgbench: program, bareUrl: databaseUrl, folder } = stage;
  const before = await stage.meters.read();
  const options = { program, databaseUrl, clients: PGBENCH_CLIENTS, windowMs, scripts, folder };
  const { count, perSecond, step } = await runPgbench(options);
  return {
    perSecond,
    steps: { whole: step },
    cost: each(difference(before, await stage.meters.read()), count),
  };
}

function lives(stage: Stage, tempo: Tempo, draw: () => Order): Promise<Sample> {
  const options = { ...tempo, port: stage.gatewayPort, clients: tempo.lifeClients };
  return metered(stage, (onWindow) => runLoad({ ...options, onWindow }, lifeTurn(stage.receiver, draw)));
}

function intake(stage: Stage, tempo: Tempo, turn: Turn): Promise<Sample> {
  const options = { ...tempo, port: stage.intakePort, clients: INTAKE_CLIENTS };
  return metered(stage, (onWindow) => runLoad({ ...options, onWindow }, turn));
}

/** Announces the last deposits once more, all at once, and sees how fast they come. */
async function delivery(stage: Stage, span: { readonly from: Date; readonly to: Date }): Promise<Sample> {
  const { engine } = stage.console;
  const before = await stage.meters.read();
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
  const cost = each(difference(before, await stage.meters.read()), count);
  return { perSecond: (count - 1) / seconds, steps: {}, cost };
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
    if (place === undefined) throw new Error('nobody pays out');
    return payoutOrder(employer.apiToken, place);
  };
}

/** Reads the meters where the window begins and ends. */
async function metered(
  { meters }: Stage,
  run: (onWindow: (edge: 'BEGINS' | 'ENDS') => Promise<void>) => ReturnType<typeof runLoad>,
): Promise<Sample> {
  const readings: Reading[] = [];
  const { count, seconds, steps } = await run(async () => void readings.push(await meters.read()));
  const [before, after] = readings;
  if (before === undefined || after === undefined || count === 0) throw new Error('nothing was measured');
  return { perSecond: count / seconds, steps, cost: each(difference(before, after), count) };
}

function each(cost: Reading, count: number): Reading {
  const cpu = Object.entries(cost.cpuSeconds).map(([name, seconds]) => [name, seconds / count]);
  return {
    cpuSeconds: Object.fromEntries(cpu) as Record<string, number>,
    statements: cost.statements / count,
    walBytes: cost.walBytes / count,
  };
}
