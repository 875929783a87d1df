// Healthy, failing and silent endpoints beside each other: how long the healthy one waits.
import { setTimeout as sleep } from 'node:timers/promises';
import { insertCallbacks } from '../../src/store/callbacks/callbacks.ts';
import { loadDataKeys } from '../../src/store/encryption/data-keys.ts';
import { openAccount } from '../edge/accounts.ts';
import { openTestGateway, select, waitUntil, type TestGateway } from '../gateway.ts';
import { startServerProcess } from '../server-process.ts';
import { addPayment, samplePayment } from '../store/open-store.ts';
import { startEndpoint, type Endpoint } from './endpoints.ts';

export type FairnessOptions = {
  /** Callbacks for each endpoint. */
  readonly callbackCount: number;
  /** How many of them come to be due in a second, for each endpoint; all at once without it. */
  readonly perSecond?: number;
  readonly silentCount: number;
  readonly failingCount: number;
  /** How long the healthy endpoint thinks. */
  readonly healthyAfterMs?: number;
};

export type Fairness = {
  readonly delivered: number;
  /** From due to acknowledged, in milliseconds, the shortest first. */
  readonly delaysMs: readonly number[];
  readonly silentAtOnceMax: number;
  readonly failingAtOnceMax: number;
  /** Attempts at all silent and failing endpoints until the healthy one had everything. */
  readonly wastedAttempts: number;
};

/** As in production: a silent endpoint holds a socket for ten seconds. */
const REAL_TIMES = { MALIPO_CALLBACK_TIMEOUT_MS: '10000', MALIPO_CALLBACK_LEASE_MS: '30000' };

const TURNS_PER_SECOND = 10;

/** On a busy machine everything takes longer; what is measured is not what is waited for. */
const PATIENCE = { timeout: 120_000 };

export async function measureFairness(options: FairnessOptions): Promise<Fairness> {
  const gateway = await openTestGateway({ role: 'api', announces: false });
  const healthy = await startEndpoint({ status: 200, afterMs: options.healthyAfterMs ?? 0 });
  const silent = await startMany(options.silentCount, null);
  const failing = await startMany(options.failingCount, 500);
  const worker = await startServerProcess(gateway, 'worker', REAL_TIMES, PATIENCE);
  try {
    const troubled = await Promise.all(
      [...silent, ...failing].map(({ url }) => addMerchant(gateway, url, options.callbackCount)),
    );
    const merchant = await addMerchant(gateway, healthy.url, options.callbackCount);
    const countPerTurn = Math.ceil((options.perSecond ?? Infinity) / TURNS_PER_SECOND);
    while (merchant.left() > 0) {
      const turnEnds = sleep(1_000 / TURNS_PER_SECOND);
      // The troubled ones first: their backlog is there when the healthy one's callbacks come.
      for (const { announce } of [...troubled, merchant]) await announce(countPerTurn);
      await turnEnds;
    }
    const delaysMs = await waitForDelays(gateway, merchant.merchantId, options.callbackCount);
    return {
      delivered: healthy.arrivals.length,
      delaysMs,
      silentAtOnceMax: Math.max(0, ...silent.map((endpoint) => endpoint.atOnceMax())),
      failingAtOnceMax: Math.max(0, ...failing.map((endpoint) => endpoint.atOnceMax())),
      wastedAttempts: [...silent, ...failing].reduce((sum, { arrivals }) => sum + arrivals.length, 0),
    };
  } finally {
    await worker.kill();
    for (const endpoint of [healthy, ...silent, ...failing]) await endpoint.stop();
    await gateway.stop();
  }
}

export function percentile(sorted: readonly number[], share: number): number {
  return sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? NaN;
}

function startMany(count: number, status: number | null): Promise<readonly Endpoint[]> {
  return Promise.all(Array.from({ length: count }, () => startEndpoint({ status })));
}

/** A merchant with as many payments that have ended; `announce` makes the next callbacks due, now. */
async function addMerchant(gateway: TestGateway, callbackUrl: string, count: number) {
  const { database, keyring } = gateway.engine.store;
  const { merchantId } = await openAccount(gateway, { callbackUrl });
  await loadDataKeys(gateway.engine.store, [merchantId]);
  const payments = Array.from({ length: count }, () =>
    samplePayment(merchantId, { state: 'COMPLETED', nextAction: null, nextActionAt: null }),
  );
  for (const payment of payments) await addPayment({ database, keyring }, payment);
  return {
    merchantId,
    left: () => payments.length,
    announce: async (countMax: number) => {
      const createdAt = new Date();
      await insertCallbacks(
        database,
        payments.splice(0, countMax).map((payment) => ({
          ...payment,
          subjectId: payment.paymentNo,
          announcedState: 'COMPLETED',
          createdAt,
        })),
      );
      gateway.engine.wake();
    },
  };
}

async function waitForDelays(
  gateway: TestGateway,
  merchantId: string,
  count: number,
): Promise<readonly number[]> {
  let delaysMs: readonly number[] = [];
  await waitUntil(async () => {
    const rows = await select<{ ms: string }>(
      gateway,
      `select extract(epoch from a.started_at - c.created_at) * 1000 + a.duration_ms as ms
       from callbacks c join callback_attempts a using (merchant_id, callback_id)
       where c.merchant_id = $1 and c.status = 'DELIVERED' and a.http_status = 200 order by 1`,
      [merchantId],
    );
    delaysMs = rows.map(({ ms }) => Number(ms));
    return delaysMs.length >= count;
  }, PATIENCE).catch(() => undefined);
  return delaysMs;
}
