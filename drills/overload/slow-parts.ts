// Other slow parts: an operator, a merchant, the database. Each is made slow under an easy load, and the effect on
// everything else is measured.
import { setTimeout as sleep } from 'node:timers/promises';
import { setCallbackUrl } from '../../server/src/core/merchants/administer-merchants.ts';
import { inTransaction } from '../../server/src/store/database.ts';
import { runOpenLoad } from '../../benchmarks/gateway/arrivals.ts';
import { stepNamed } from '../../benchmarks/gateway/latency.ts';
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

/** From request to callback, for payments that do not use the slow part. */
export type Neighbours = {
  readonly calm: Step;
  readonly slowOperator: Step;
  readonly slowMerchant: Step;
};

/** Slower than others may be delayed, and within the gateway's time-out for an operator. */
const OPERATOR_DELAY_MS = 8_000;

export async function measureNeighbours(setup: Setup, options: SlowOptions): Promise<Neighbours> {
  const calm = await liveOn(setup, options);
  const slowOperator = await withSlowOperator(setup, options);
  const slowMerchant = await withSlowMerchant(setup, options);
  return { calm, slowOperator, slowMerchant };
}

/** Deposits of every shop except the last, to their callbacks. */
async function liveOn(setup: Setup, { perSecond, ms }: SlowOptions): Promise<Step> {
  const shops = setup.merchants.shops.slice(0, -1);
  let turn = 0;
  const generate = () => depositRequest(shops[(turn += 1) % shops.length]?.apiToken ?? '');
  const options = { perSecond, windowMs: ms, warmMs: 500, ports: setup.gatewayPorts };
  const { steps } = await runOpenLoad(options, lifeTurn(setup.receiver, generate));
  return stepNamed(steps, 'callback');
}

/** Payouts are answered late; deposits go to other operators. */
async function withSlowOperator(setup: Setup, options: SlowOptions): Promise<Step> {
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
async function withSlowMerchant(setup: Setup, options: SlowOptions): Promise<Step> {
  const shop = setup.merchants.shops.at(-1);
  if (shop === undefined) throw new Error('there are no merchants');
  const { engine } = setup.admin;
  const callTo = (url: string) => setCallbackUrl(engine, { by: BY, merchantId: shop.merchantId, url });
  return withHooks(async (hooks) => {
    hooks.add(async () => {
      await callTo(setup.callbackUrl);
      const rest = { patienceMs: 30_000, say: () => undefined };
      await comeToRest([engine.store.database], rest);
    });
    const endpoint = await Endpoint.start(hooks);
    await endpoint.change('HANG');
    await callTo(endpoint.url);
    return beside(setup, options, () => depositRequest(shop.apiToken));
  });
}

/** The neighbours, while payments that meet the slow part are started. */
async function beside(setup: Setup, options: SlowOptions, generate: () => ReturnType<typeof depositRequest>) {
  // As many as the others.
  const slowed = { perSecond: options.perSecond, windowMs: options.ms + 500, warmMs: 0 };
  const [step] = await Promise.all([
    liveOn(setup, options),
    runOpenLoad({ ...slowed, ports: setup.gatewayPorts }, async (connection) => {
      // Some may be shed, which does not matter here.
      await connection.send(generate().text);
      return {};
    }),
  ]);
  return step;
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
