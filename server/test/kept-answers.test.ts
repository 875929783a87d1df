// An operator's answer that cannot be stored at once: it is kept in memory, and stored as soon as that is possible.
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { openGateway, type Gateway } from '../src/commands/serve/compose.ts';
import { operatorAccountsOf } from '../src/commands/serve/operator-accounts.ts';
import type { Advance } from '../src/core/payments/process/advance.ts';
import { initiate } from '../src/core/payments/accept/initiate.ts';
import { claimSubmits } from '../src/core/payments/process/submit.ts';
import type { PaymentKey } from '../src/domain/payments/payment.ts';
import { createAdvancer } from '../src/jobs/advancer.ts';
import { listLatestAttempts } from '../src/store/payments/attempts.ts';
import { noteOperatorAccounts } from '../src/store/operators/operator-accounts.ts';
import { listPayments } from '../src/store/payments/payments.ts';
import { openOperatorGateway, requestFor, type OperatorGateway } from './connectors/operator-gateway.ts';
import { startDatabaseProxy, type DatabaseProxy } from './edge/database-proxy.ts';
import { eventually, waitUntil } from './gateway.ts';
import { start, waitForPayment } from './payments.ts';
import { moveBetween, openTwoCells, type TestCell, type TwoCells } from './two-cells.ts';

const answerTo = (key: PaymentKey, providerReference: string): Advance => ({
  key,
  event: { type: 'OPERATOR_ANSWERED', outcome: { type: 'PENDING' } },
  providerReference,
});

async function referenceOf({ engine }: Pick<TestCell, 'engine'>, key: PaymentKey) {
  const [attempt] = await listLatestAttempts(engine.store.database, [key]);
  return attempt?.providerReference;
}

describe('A6: an answer of an operator that comes while the database is down', () => {
  let gateway: OperatorGateway;
  let proxy: DatabaseProxy;
  /** Only the worker's way to the database is cut; what the test reads, it reads directly. */
  let worker: Gateway;
  let isWorking = true;

  beforeEach(async () => {
    gateway = await openOperatorGateway(
      { name: 'mpesa-daraja', provider: 'MPESA_KEN', title: '' },
      { role: 'api' },
    );
    proxy = await startDatabaseProxy(gateway.config.cell.databaseUrl);
    const cell = { ...gateway.config.cell, databaseUrl: proxy.url };
    const config = { ...gateway.config, cell, cells: [cell], operatorsUrl: gateway.url };
    worker = await openGateway(config, { role: 'worker', logTo: 2 });
    await worker.start();
    isWorking = true;
  });
  afterEach(async () => {
    proxy.become('OPEN');
    if (isWorking) await worker.stop();
    await proxy.stop();
    await gateway.stop();
  });
  const stopWorker = async () => {
    isWorking = false;
    await worker.stop();
  };

  /** A deposit that the operator has charged, and whose answer comes in half a second. */
  async function startCharged(): Promise<PaymentKey> {
    gateway.fake.addFault({ type: 'DELAY', delayMs: 500, when: 'AFTER', step: 'submit' });
    gateway.fake.addFault({ type: 'NO_NOTIFICATION' });
    const paymentId = await start(gateway, 'deposit', requestFor(gateway, 'deposit'));
    await waitUntil(() => gateway.fake.books().charges.length === 1);
    return { merchantId: gateway.merchantId, kind: 'DEPOSIT', paymentId };
  }

  test('A6: an answer of an operator that comes while the database is down is stored when the database is back after 3 s: the reference is known, and the payment completes', async () => {
    const key = await startCharged();
    proxy.become('CUT');
    await sleep(3_000);
    proxy.become('OPEN');
    await eventually(() => referenceOf(gateway, key)).toEqual(expect.any(String));
    await gateway.gateway.movableClock!.move(11 * 60_000);
    await waitForPayment(gateway, 'deposit', key.paymentId, 'COMPLETED');
  });

  test('A6: an answer of an operator that comes while the database is down is stored by a process that is asked to stop, when the database is back by then', async () => {
    const key = await startCharged();
    proxy.become('CUT');
    await sleep(2_500);
    proxy.become('OPEN');
    await stopWorker();
    expect(await referenceOf(gateway, key)).toEqual(expect.any(String));
  });

  test('A6: an answer of an operator that comes while the database is down does not keep a process from stopping while it stays down', async () => {
    await startCharged();
    proxy.become('CUT');
    await sleep(1_500);
    const since = performance.now();
    await stopWorker();
    expect(performance.now() - since).toBeLessThan(30_000);
  });

  test('A6: an answer of an operator that comes while the database is down is kept up to a bound: what comes beyond it fails at once, and is asked about later', async () => {
    const key = await startCharged();
    const stopping = new AbortController();
    const advancer = createAdvancer(worker.engine, { stopping: stopping.signal, keptMax: 1 });
    proxy.become('CUT');
    const kept = advancer([answerTo(key, 'kept')]);
    // Tried after the first one has failed.
    await expect(advancer([answerTo(key, 'beyond')])).rejects.toThrow();
    proxy.become('OPEN');
    expect(await kept).toMatchObject([{ type: 'MOVE' }]);
  });

  test('A6: an answer of an operator that comes while the database is down is not kept where it asks for permission to send: that may be somebody else’s by then', async () => {
    const key = await startCharged();
    const advancer = createAdvancer(worker.engine, { stopping: new AbortController().signal });
    proxy.become('CUT');
    await expect(advancer([{ key, event: { type: 'RESUBMIT_CLAIMED', sendCount: 1 } }])).rejects.toThrow();
  });
});

describe('A6: an answer of an operator that comes while its merchant is being moved', () => {
  let cells: TwoCells;
  beforeEach(async () => {
    cells = await openTwoCells({ role: 'api' });
    for (const { engine, config } of [cells.one, cells.two]) {
      await noteOperatorAccounts(engine.store.database, operatorAccountsOf(config, new Date()));
    }
  });
  afterEach(() => cells.stop());

  async function claimPayout(): Promise<PaymentKey> {
    const { engine } = cells.one;
    const { merchantId } = cells.merchant;
    const paymentId = randomUUID();
    const [answer] = await initiate(engine, [
      {
        paymentNo: randomUUID(),
        merchant: (await engine.directory.merchant(merchantId))!,
        apiVersion: 'v2',
        writtenId: paymentId,
        kind: 'PAYOUT',
        amount: 1_000_000n,
        amountText: '100',
        currency: 'RWF',
        provider: 'MTN_MOMO_RWA',
        details: { phoneNumber: '250783456789' },
      },
    ]);
    expect(answer!.type).toBe('ACCEPTED');
    expect((await claimSubmits(engine, { countMax: 1 })).claimed).toHaveLength(1);
    return { merchantId, kind: 'PAYOUT', paymentId };
  }

  test('A6: an answer of an operator that comes while its merchant is being moved is stored in the cell that the merchant has moved to', async () => {
    const key = await claimPayout();
    const advancer = createAdvancer(cells.one.engine, { stopping: new AbortController().signal });
    const outcome = { type: 'COMPLETED', providerTransactionId: randomUUID() } as const;
    const answer: Advance = {
      key,
      event: { type: 'OPERATOR_ANSWERED', outcome },
      providerReference: 'theirs',
    };
    let stored: ReturnType<typeof advancer> | undefined;
    const moved = await moveBetween(cells, cells.one, cells.two, (step) => {
      if (step === 'is leaving') stored = advancer([answer]);
    });
    expect(moved).toEqual({ type: 'MOVED' });
    expect(await stored).toMatchObject([{ type: 'MOVE' }]);
    const { database, keyring } = cells.two.engine.store;
    expect(await listPayments(database, keyring, [key])).toMatchObject([{ state: 'COMPLETED' }]);
    expect(await referenceOf(cells.two, key)).toBe('theirs');
  });
});
