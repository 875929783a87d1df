// Deposits from request to acknowledged callback, while the worker is killed again and again.
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { call, depositRequest, openTestGateway, select, type TestGateway } from '../gateway.ts';
import { SHORT_TIMING, startServerProcess, type ServerProcess } from '../server-process.ts';
import { openAccount, type Account } from '../edge/accounts.ts';
import { startEndpoint, type Arrival } from './endpoints.ts';

export type KillsOptions = {
  readonly depositCount: number;
  readonly killCount: number;
  /** How long each worker lives, in milliseconds. */
  readonly lifeMs: number;
};

export type AfterKills = {
  readonly finalPayments: number;
  /** Final payments whose callback was not acknowledged. */
  readonly unacknowledged: number;
  readonly kills: number;
  /** Requests the endpoint had got and the gateway had not yet recorded, summed over the kills. */
  readonly inFlightAtKills: number;
  /** Attempts that were recorded as failed, a time-out on a busy machine say: what follows them is no repeat. */
  readonly failedAttempts: number;
  /** Requests beyond the first one of each event and those that a failed attempt called for. */
  readonly repeats: number;
  /** Events that came with more than one body. */
  readonly changedBodies: number;
  /** Payments that were announced under more than one event identifier. */
  readonly changedEvents: number;
};

export async function deliverThroughKills(options: KillsOptions): Promise<AfterKills> {
  const gateway = await openTestGateway({
    role: 'api',
    announces: false,
    timing: TIMING,
    worker: { stepLeaseMs: 2_000 },
  });
  // It thinks for a moment, so that there is something in flight at every kill.
  const endpoint = await startEndpoint({ status: 200, afterMs: 20 });
  let worker = await startWorker(gateway);
  try {
    const account = await openAccount(gateway, { callbackUrl: endpoint.url });
    const sending = sendDeposits(account, options.depositCount);
    let [kills, inFlightAtKills] = [0, 0];
    while (kills < options.killCount) {
      await sleep(options.lifeMs);
      // A kill counts only when callbacks are being delivered.
      const before = endpoint.arrivals.length;
      while (endpoint.arrivals.length === before) await sleep(5);
      await worker.kill();
      kills += 1;
      // What it had sent arrives, and what it had begun to write is written.
      await sleep(SETTLING_MS);
      inFlightAtKills += await countUnwritten(gateway, endpoint.arrivals);
      worker = await startWorker(gateway);
    }
    await sending;
    await waitForAll(gateway, account.merchantId, options.depositCount);
    return { kills, inFlightAtKills, ...(await judge(gateway, account.merchantId, endpoint.arrivals)) };
  } finally {
    await worker.kill();
    await endpoint.stop();
    await gateway.stop();
  }
}

const SETTLING_MS = 500;

/** No payment ends IN_RECONCILIATION because its worker was killed too often: all are to be announced. */
const TIMING = { ...SHORT_TIMING, horizonMs: 3_600_000 };

/** Twenty starts of the same program: it need not be compiled each time. */
const COMPILE_CACHE = join(tmpdir(), 'malipo-delivery');

/** On a busy machine a process takes longer to start than the tests have patience for. */
function startWorker(gateway: TestGateway): Promise<ServerProcess> {
  const environment = {
    NODE_COMPILE_CACHE: COMPILE_CACHE,
    MALIPO_CALLBACK_TIMEOUT_MS: '3000',
    MALIPO_CALLBACK_LEASE_MS: '5000',
    MALIPO_SIMULATOR_TIMING: JSON.stringify(TIMING),
  };
  return startServerProcess(gateway, 'worker', environment, { timeout: 120_000 });
}

/** Few: callbacks are to be delivered all the while, and not only at the end. */
const SENDERS = 3;

async function sendDeposits(account: Account, count: number): Promise<void> {
  let left = count;
  const send = async () => {
    while (left > 0) {
      left -= 1;
      await sendUntilTaken(account, depositRequest());
    }
  };
  await Promise.all(Array.from({ length: SENDERS }, send));
}

/** As a merchant should: an answer that says nothing is followed by the same request. */
async function sendUntilTaken(account: Account, request: Record<string, unknown>): Promise<void> {
  const { body } = await call(account, 'POST', '/v2/deposits', request);
  const isTaken = body['status'] === 'ACCEPTED' || body['status'] === 'DUPLICATE_IGNORED';
  if (!isTaken) await sendUntilTaken(account, request);
}

/** Attempts that arrived and have no row. */
async function countUnwritten(gateway: TestGateway, arrivals: readonly Arrival[]): Promise<number> {
  const [row] = await select<{ written: string }>(
    gateway,
    'select count(*) as written from callback_attempts',
  );
  // Attempts that a kill swallowed stay without a row permanently: count only those of this kill.
  const unwritten = arrivals.length - Number(row?.written) - (swallowed.get(gateway) ?? 0);
  swallowed.set(gateway, (swallowed.get(gateway) ?? 0) + unwritten);
  return unwritten;
}

const swallowed = new WeakMap<TestGateway, number>();

async function waitForAll(gateway: TestGateway, merchantId: string, count: number): Promise<void> {
  for (let seconds = 0; seconds < 600; seconds += 1) {
    const [row] = await select<{ done: string }>(
      gateway,
      `select count(*) as done from callbacks where merchant_id = $1 and status = 'DELIVERED'`,
      [merchantId],
    );
    if (Number(row?.done) >= count) return;
    await sleep(1_000);
  }
}

const isVaried = (values: readonly string[]) => new Set(values).size > 1;

async function judge(gateway: TestGateway, merchantId: string, arrivals: readonly Arrival[]) {
  const payments = await select<{ state: string; acknowledged: boolean }>(
    gateway,
    `select state, exists (
       select 1 from callbacks c where c.merchant_id = p.merchant_id and c.kind = p.kind
         and c.payment_id = p.payment_id and c.status = 'DELIVERED') as acknowledged
     from payments p where merchant_id = $1 and state in ('COMPLETED', 'FAILED')`,
    [merchantId],
  );
  const failed = await select(gateway, 'select 1 from callback_attempts where http_status is null');
  const failedAttempts = failed.length;
  const byEvent = Map.groupBy(arrivals, ({ eventId }) => eventId);
  const byPayment = Map.groupBy(arrivals, ({ text }) => String(JSON.parse(text).depositId));
  return {
    finalPayments: payments.length,
    unacknowledged: payments.filter(({ acknowledged }) => !acknowledged).length,
    failedAttempts,
    repeats: arrivals.length - byEvent.size - failedAttempts,
    changedBodies: [...byEvent.values()].filter((same) => isVaried(same.map(({ text }) => text))).length,
    changedEvents: [...byPayment.values()].filter((same) => isVaried(same.map(({ eventId }) => eventId)))
      .length,
  };
}
