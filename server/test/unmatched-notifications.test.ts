// Authentic messages of an operator about references that are not ours.
import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { SIGNATURE_HEADER, signatureOf } from '../src/sandbox/simulator/signature.ts';
import { advance } from '../src/core/payments/process/advance.ts';
import { readAuditLog } from '../src/core/audit.ts';
import { storeNotifications } from '../src/core/payments/notifications/notify.ts';
import { DEFAULT_RETENTION, prune } from '../src/core/retention.ts';
import { sweep } from '../src/core/payments/notifications/sweep.ts';
import { nowOf } from './clocks.ts';
import { runCommandHere } from './command-process.ts';
import { initiate, openTestGateway, readDeposit, select, type TestGateway } from './gateway.ts';
import { serverEnvironment } from './server-process.ts';

let gateway: TestGateway;
beforeEach(async () => {
  // No worker: every step here is taken by the test.
  gateway = await openTestGateway({ role: 'api' });
});
afterEach(() => gateway.stop());

/** Stores what the operator signed, and does nothing more: as if the process had stopped there. */
async function store(references: readonly string[]): Promise<void> {
  const connector = gateway.engine.connectors.get('simulator')!;
  const at = nowOf(gateway.engine);
  await storeNotifications(
    gateway.engine,
    references.map((reference) => {
      const moved = { amount: '100', currency: 'RWF', phoneNumber: '250783456789' };
      const paid = { reference, status: 'SUCCESSFUL', transactionId: randomUUID(), ...moved };
      const body = Buffer.from(JSON.stringify(paid));
      const signature = signatureOf(body, { secret: 'test-notifications', at });
      return { connector, body, headers: { [SIGNATURE_HEADER]: signature } };
    }),
  );
}

const unknown = () => randomUUID().replaceAll('-', '');

async function sweepOnce(countMax: number): Promise<void> {
  await sweep(gateway.engine, {
    overdueAfterMs: 0,
    countMax,
    onError: (error) => expect.unreachable(String(error)),
  });
}

async function sentDeposit(): Promise<{ depositId: string; reference: string }> {
  const depositId = await initiate(gateway);
  const key = { merchantId: gateway.merchantId, kind: 'DEPOSIT', paymentId: depositId } as const;
  await advance(gateway.engine, [{ key, event: { type: 'SUBMIT_CLAIMED' } }]);
  const [row] = await select(gateway, 'select reference from payment_attempts where payment_id = $1', [
    depositId,
  ]);
  return { depositId, reference: row!['reference'] };
}

async function run(...args: readonly string[]): Promise<string> {
  const { code, output, errors } = await runCommandHere(serverEnvironment(gateway), args);
  expect({ code, errors }).toEqual({ code: 0, errors: '' });
  return output;
}

const listed = async () =>
  (await run('unmatched-notification', 'list')).split('\n').filter((line) => line !== '');

describe('A8: authentic messages about unknown references', () => {
  test('A8: authentic messages about unknown references do not keep the sweep from a message behind them', async () => {
    const { depositId, reference } = await sentDeposit();
    await store(Array.from({ length: 20 }, unknown));
    await gateway.gateway.movableClock!.move(1_000);
    await store([reference]);
    await sweepOnce(20);
    await sweepOnce(20);
    expect((await readDeposit(gateway, depositId))['status']).toBe('COMPLETED');
  });

  test('A8: authentic messages about unknown references are listed for people, who dismiss them once, with an audit entry', async () => {
    const reference = unknown();
    await store([reference]);
    await sweepOnce(10);
    const [line] = await listed();
    expect(line).toContain(`\tsimulator\t${reference}`);
    const notificationId = line!.split('\t')[0]!;
    const dismissal = ['unmatched-notification', 'dismiss', '--notification', notificationId, '--by', 'Ana'];
    expect(await run(...dismissal)).toBe('dismissed');
    expect(await listed()).toEqual([]);
    const again = await runCommandHere(serverEnvironment(gateway), dismissal);
    expect([again.code, again.errors]).toEqual([1, 'There is no such message, or it was dismissed before.']);
    const [entry] = await readAuditLog(gateway.engine, { merchantId: null, countMax: 1 });
    expect(entry).toMatchObject({
      actor: 'Ana',
      act: 'NOTIFICATION_DISMISSED',
      subject: notificationId,
      detail: { connector: 'simulator', reference },
    });
  });

  test('A8: authentic messages about unknown references are applied when their attempt appears after all', async () => {
    const { depositId, reference } = await sentDeposit();
    await store([reference]);
    // As after a restore: the message came before the attempt was made once more.
    await gateway.engine.store.database.query(
      'update operator_notifications set unmatched_at = received_at where reference = $1',
      [reference],
    );
    await sweepOnce(10);
    expect((await readDeposit(gateway, depositId))['status']).toBe('COMPLETED');
    expect(await listed()).toEqual([]);
  });

  test('A8: authentic messages about unknown references are deleted with all other messages of their age', async () => {
    await store([unknown()]);
    await sweepOnce(10);
    expect(await listed()).toHaveLength(1);
    await gateway.gateway.movableClock!.move((DEFAULT_RETENTION.notificationDays + 1) * 24 * 3_600_000);
    await prune(gateway.engine, DEFAULT_RETENTION, () => false);
    expect(await select(gateway, 'select 1 from operator_notifications')).toEqual([]);
  });
});
