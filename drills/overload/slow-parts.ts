// What else can be slow: an operator, a merchant, the database. Each is made slow under a load that the gateway carries
// easily, and what it does to everybody else is measured.
import { setTimeout as sleep } from 'node:timers/promises';
import { setCallbackUrl } from '../../server/src/core/merchants/administer-merchants.ts';
import { inTransaction } from '../../server/src/store/database.ts';
import { runOpenLoad } from '../../benchmarks/gateway/arrivals.ts';
import { stepNamed } from '../../benchmarks/gateway/latency.ts';
import { lifeTurn } from '../../benchmarks/gateway/load.ts';
import { depositOrder, payoutOrder } from '../../benchmarks/gateway/orders.ts';
import type { Stage } from '../../benchmarks/gateway/setup.ts';
import type { Step } from '../../benchmarks/gateway/statistics.ts';
import { Endpoint } from '../kit/load/endpoint.ts';
import { letTimePass } from '../kit/settle.ts';
import type { Span } from './tally.ts';
import type { Traffic } from './traffic.ts';

export type TroubleOptions = { readonly perSecond: number; readonly ms: number };

/** From request to callback, of those who have nothing to do with the trouble. */
export type Neighbours = {
  readonly calm: Step;
  readonly slowOperator: Step;
  readonly slowMerchant: Step;
};

/** Slower than anybody may be delayed by it, and within what the gateway waits for an operator. */
const OPERATOR_DELAY_MS = 8_000;

export async function measureNeighbours(stage: Stage, options: TroubleOptions): Promise<Neighbours> {
  const calm = await liveOn(stage, options);
  const slowOperator = await withSlowOperator(stage, options);
  const slowMerchant = await withSlowMerchant(stage, options);
  return { calm, slowOperator, slowMerchant };
}

/** Deposits of every shop but the last, to their callbacks. */
async function liveOn(stage: Stage, { perSecond, ms }: TroubleOptions): Promise<Step> {
  const shops = stage.merchants.shops.slice(0, -1);
  let turn = 0;
  const draw = () => depositOrder(shops[(turn += 1) % shops.length]?.apiToken ?? '');
  const options = { perSecond, windowMs: ms, warmMs: 500, ports: stage.gatewayPorts };
  const { steps } = await runOpenLoad(options, lifeTurn(stage.receiver, draw));
  return stepNamed(steps, 'callback');
}

/** Every payout of these moments is answered late; deposits go to operators that are not. */
async function withSlowOperator(stage: Stage, options: TroubleOptions): Promise<Step> {
  const { employer, places } = stage.merchants;
  const [place] = places;
  if (place === undefined) throw new Error('no one pays out');
  const fault = { type: 'DELAY', delayMs: OPERATOR_DELAY_MS, operation: 'PAYOUT', times: 100_000 };
  await control(stage, 'POST', fault);
  try {
    return await beside(stage, options, () => payoutOrder(employer.apiToken, place));
  } finally {
    await control(stage, 'DELETE');
  }
}

/** The last shop takes every callback and answers none. */
async function withSlowMerchant(stage: Stage, options: TroubleOptions): Promise<Step> {
  const shop = stage.merchants.shops.at(-1);
  if (shop === undefined) throw new Error('there are no merchants');
  const endpoint = new Endpoint(() => undefined);
  await endpoint.open();
  await endpoint.change('HANG');
  const { engine } = stage.console;
  await setCallbackUrl(engine, { by: 'proof', merchantId: shop.merchantId, url: endpoint.url });
  try {
    return await beside(stage, options, () => depositOrder(shop.apiToken));
  } finally {
    // Anyone who still waits for an answer is cut off, and need not be waited for.
    await endpoint.change('REFUSE');
    await setCallbackUrl(engine, { by: 'proof', merchantId: shop.merchantId, url: stage.callbackUrl });
    await untilDelivered(stage);
  }
}

async function untilDelivered(stage: Stage): Promise<void> {
  const { database } = stage.console.engine.store;
  for (let tries = 0; tries < 60; tries += 1) {
    await letTimePass(database);
    const { rows } = await database.query(`select 1 from callbacks where status = 'PENDING' limit 1`);
    if (rows.length === 0) return;
    await sleep(500);
  }
}

/** The neighbours, while others are started that meet the trouble. */
async function beside(stage: Stage, options: TroubleOptions, draw: () => ReturnType<typeof depositOrder>) {
  // As many as the others.
  const troubled = { perSecond: options.perSecond, windowMs: options.ms + 500, warmMs: 0 };
  const [step] = await Promise.all([
    liveOn(stage, options),
    runOpenLoad({ ...troubled, ports: stage.gatewayPorts }, async (connection) => {
      // Some may be rejected, which is their trouble.
      await connection.send(draw().text);
      return {};
    }),
  ]);
  return step;
}

async function control({ operatorUrl }: Stage, method: 'POST' | 'DELETE', fault?: object): Promise<void> {
  const answer = await fetch(`${operatorUrl}/control/faults`, {
    method,
    headers: fault === undefined ? {} : { 'content-type': 'application/json' },
    body: fault === undefined ? null : JSON.stringify(fault),
  });
  if (!answer.ok) throw new Error(`the operator was told of a fault and answered ${answer.status}`);
}

/** What is locked, for how long, and under which load. */
export type Lock = TroubleOptions & {
  readonly table: 'payment_keys' | 'payments';
  readonly heldMs: number;
};

export type Locked = Span & {
  /** How many connections of the gateway waited at once. */
  readonly waitingMost: number;
};

/**
 * A database in which everything takes as long as the lock is held: with the table of identifiers only orders wait,
 * with that of payments anyone who needs a connection for one.
 */
export async function lockDatabase(stage: Stage, traffic: Traffic, lock: Lock): Promise<Locked> {
  const { database } = stage.console.engine.store;
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
