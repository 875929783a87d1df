// Other slow parts: an operator, a merchant, the database. Each is made slow under an easy load, and the effect on
// everything else is measured.
import { setTimeout as sleep } from 'node:timers/promises';
import { setCallbackUrl } from '../../server/src/core/merchants/administer-merchants.ts';
import { inTransaction } from '../../server/src/store/database.ts';
import { runOpenLoad } from '../../benchmarks/gateway/arrivals.ts';
import { medianStep, stepNamed } from '../../benchmarks/gateway/latency.ts';
import { lifeTurn } from '../../benchmarks/gateway/load.ts';
import { depositRequest, payoutRequest } from '../../benchmarks/gateway/requests.ts';
import type { Setup } from '../../benchmarks/gateway/setup.ts';
import type { Step } from '../../benchmarks/gateway/statistics.ts';
import { withHooks } from '../kit/database.ts';
import { Endpoint } from '../kit/load/endpoint.ts';
import { BY } from '../kit/settings.ts';
import { comeToRest } from '../kit/settle.ts';
import type { Span } from './tally.ts';
import type { Traffic } from './traffic.ts';

export type SlowOptions = { readonly perSecond: number; readonly ms: number };

/** How long initiations and whole payments took, from request to callback, that do not use the slow part. */
export type Life = { readonly initiation: Step; readonly callback: Step };

/** Medians of rounds. */
export type Neighbours = Readonly<Record<keyof typeof SITUATIONS, Life>> & { readonly rounds: number };

/** Slower than others may be delayed, and within the gateway's time-out for an operator. */
const OPERATOR_DELAY_MS = 8_000;
const PATIENCE_MS = 120_000;

const SITUATIONS = {
  calm: liveOn,
  slowOperator: withSlowOperator,
  /** Beside a merchant whose endpoint never answers, and beside the same payments while it answers. */
  deadEndpoint: withDeadEndpoint,
  answeringEndpoint: withAnsweringEndpoint,
};

/**
 * Each measurement begins when nothing is open any more: the payments that waited for a slow operator are sent when it
 * is fast again, before later ones, and would delay those of the next measurement.
 */
export async function measureNeighbours(
  setup: Setup,
  { rounds, ...options }: SlowOptions & { readonly rounds: number },
): Promise<Neighbours> {
  const rest = { patienceMs: PATIENCE_MS, say: () => undefined };
  const lives = { calm: [], slowOperator: [], deadEndpoint: [], answeringEndpoint: [] };
  const names = Object.keys(SITUATIONS) as (keyof typeof SITUATIONS)[];
  for (let round = 0; round < rounds; round += 1) {
    // Every second round the other way round, so that a drift of the machine favours none.
    for (const name of round % 2 === 0 ? names : names.toReversed()) {
      await comeToRest([setup.admin.engine.store.database], rest);
      (lives[name] as Life[]).push(await SITUATIONS[name](setup, options));
    }
  }
  return {
    rounds,
    calm: medianLife(lives.calm),
    slowOperator: medianLife(lives.slowOperator),
    deadEndpoint: medianLife(lives.deadEndpoint),
    answeringEndpoint: medianLife(lives.answeringEndpoint),
  };
}

function medianLife(lives: readonly Life[]): Life {
  return {
    initiation: medianStep(lives.map(({ initiation }) => initiation)),
    callback: medianStep(lives.map(({ callback }) => callback)),
  };
}

/** Deposits of every shop except the last, to their callbacks. */
async function liveOn(setup: Setup, { perSecond, ms }: SlowOptions): Promise<Life> {
  const shops = setup.merchants.shops.slice(0, -1);
  let turn = 0;
  const generate = () => depositRequest(shops[(turn += 1) % shops.length]?.apiToken ?? '');
  const options = { perSecond, windowMs: ms, warmMs: 500, ports: setup.gatewayPorts };
  const { steps } = await runOpenLoad(options, lifeTurn(setup.receiver, generate));
  return { initiation: stepNamed(steps, 'initiation'), callback: stepNamed(steps, 'callback') };
}

/** Payouts are answered late; deposits go to other operators. */
async function withSlowOperator(setup: Setup, options: SlowOptions): Promise<Life> {
  const { employer, places } = setup.merchants;
  const [place] = places;
  if (place === undefined) throw new Error('there is no place to pay out');
  const fault = { type: 'DELAY', delayMs: OPERATOR_DELAY_MS, operation: 'PAYOUT', times: 100_000 };
  await control(setup, 'POST', fault);
  try {
    return await beside(setup, options, () => payoutRequest(employer.apiToken, place));
  } finally {
    await control(setup, 'DELETE');
  }
}

/** The last shop accepts every callback connection and never answers. */
async function withDeadEndpoint(setup: Setup, options: SlowOptions): Promise<Life> {
  const { engine } = setup.admin;
  const { merchantId } = lastShop(setup);
  const callTo = (url: string) => setCallbackUrl(engine, { by: BY, merchantId, url });
  return withHooks(async (hooks) => {
    hooks.add(() => callTo(setup.callbackUrl));
    const endpoint = await Endpoint.start(hooks);
    await endpoint.change('HANG');
    await callTo(endpoint.url);
    return withAnsweringEndpoint(setup, options);
  });
}

/** The last shop's deposits beside those of the others. */
async function withAnsweringEndpoint(setup: Setup, options: SlowOptions): Promise<Life> {
  return beside(setup, options, () => depositRequest(lastShop(setup).apiToken));
}

function lastShop({ merchants }: Setup) {
  const shop = merchants.shops.at(-1);
  if (shop === undefined) throw new Error('there are no merchants');
  return shop;
}

/** The neighbours, while payments that meet the slow part are started. */
async function beside(setup: Setup, options: SlowOptions, generate: () => ReturnType<typeof depositRequest>) {
  // As many as the others.
  const slowed = { perSecond: options.perSecond, windowMs: options.ms + 500, warmMs: 0 };
  const [life] = await Promise.all([
    liveOn(setup, options),
    runOpenLoad({ ...slowed, ports: setup.gatewayPorts }, async (connection) => {
      // Some may be shed, which does not matter here.
      await connection.send(generate().text);
      return {};
    }),
  ]);
  return life;
}

async function control({ operatorUrl }: Setup, method: 'POST' | 'DELETE', fault?: object): Promise<void> {
  const answer = await fetch(`${operatorUrl}/control/faults`, {
    method,
    headers: fault === undefined ? {} : { 'content-type': 'application/json' },
    body: fault === undefined ? null : JSON.stringify(fault),
  });
  if (!answer.ok) throw new Error(`the operator answered the request to add a fault with ${answer.status}`);
}

/** What is locked, for how long, and under which load. */
export type Lock = SlowOptions & {
  readonly table: 'payment_keys' | 'payments';
  readonly heldMs: number;
};

export type Locked = Span & {
  /** How many connections of the gateway waited at once. */
  readonly waitingMost: number;
};

/**
 * A database in which everything takes as long as the lock is held: with the table of identifiers only new requests
 * wait, with that of payments everything that needs a connection for one.
 */
export async function lockDatabase(setup: Setup, traffic: Traffic, lock: Lock): Promise<Locked> {
  const { database } = setup.admin.engine.store;
  const offered = traffic.offer(lock);
  await sleep((lock.ms - lock.heldMs) / 3);
  const fromSecond = traffic.tally.nowSecond;
  let waitingMost = 0;
  await inTransaction(database, async (tx) => {
    await tx.query(`lock table ${lock.table} in access exclusive mode`);
    const until = performance.now() + lock.heldMs;
    while (performance.now() < until) {
      const { rows } = await tx.query<{ count: number }>(
        'select count(*)::int as count from pg_locks where not granted',
      );
      waitingMost = Math.max(waitingMost, rows[0]?.count ?? 0);
      await sleep(100);
    }
  });
  const toSecond = traffic.tally.nowSecond;
  await offered;
  return { waitingMost, fromSecond, toSecond };
}
