// What operators tell us: what moves money, what is only a hint, and what opens a case.
import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Fault } from '../src/sandbox/fakes/faults/fault.ts';
import { renderStatus } from '../src/sandbox/fakes/books/charge.ts';
import { SIGNATURE_HEADER, signatureOf } from '../src/sandbox/simulator/signature.ts';
import {
  applyUnmatchedNotifications,
  storeNotifications,
} from '../src/core/payments/notifications/notify.ts';
import {
  call,
  eventually,
  initiate,
  openTestGateway,
  readDeposit,
  select,
  SIMULATOR_CLIENT,
  waitForStatus,
  type TestGateway,
} from './gateway.ts';
import { waitForOperators } from './payments.ts';

let gateway: TestGateway;
beforeEach(async () => {
  // The ladder is out of the way: what happens here happens because of notifications.
  gateway = await openTestGateway({
    simulator: { outcomeDelayMs: 200 },
    timing: { enquiryDelaysMs: [3_600_000] },
  });
});
afterEach(() => gateway.stop());

/** Starts a deposit that meets a fault at the operator. */
async function initiateWith(fault: Fault, changes: Record<string, unknown> = {}): Promise<string> {
  gateway.simulator.addFault(fault);
  return initiate(gateway, changes);
}

async function referenceOf(depositId: string): Promise<string> {
  const read = () =>
    select(gateway, 'select reference from payment_attempts where payment_id = $1', [depositId]);
  await eventually(async () => (await read()).length).toBe(1);
  return (await read())[0]!['reference'];
}

async function transfersOf(depositId: string): Promise<string[]> {
  const rows = await select(
    gateway,
    `select template, d.type as debit, c.type as credit, amount::text from transfers
     join accounts d on d.account_id = debit_account_id join accounts c on c.account_id = credit_account_id
     where subject_id in (select payment_no from payment_keys where payment_id = $1) order by leg_no`,
    [depositId],
  );
  return rows.map(
    ({ template, debit, credit, amount }) =>
      `${template}: debit ${debit}, credit ${credit}, ${Number(amount)}`,
  );
}

async function casesOf(depositId: string): Promise<string[]> {
  const rows = await select(gateway, 'select evidence from cases where payment_id = $1', [depositId]);
  return rows.map(({ evidence }) => evidence);
}

async function notificationsOf(reference: string): Promise<string[]> {
  const rows = await select(
    gateway,
    'select reading from operator_notifications where reference = $1 order by received_at',
    [reference],
  );
  return rows.map(({ reading }) => reading);
}

/** A message with the operator's own signature. */
function tell(body: string): Promise<Response> {
  const { notificationSecret: secret } = SIMULATOR_CLIENT;
  return fetch(`${gateway.url}/operators/simulator/notifications`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      [SIGNATURE_HEADER]: signatureOf(Buffer.from(body), { secret, at: new Date() }),
    },
    body,
  });
}

const TWO_DAYS_MS = 48 * 3_600_000;

describe('a genuine notification', () => {
  test('a genuine notification completes the deposit without an enquiry', async () => {
    const depositId = await initiate(gateway);
    await waitForStatus(gateway, depositId, 'COMPLETED');
    expect(await transfersOf(depositId)).toEqual(['SETTLE: debit FLOAT, credit WALLET, 100']);
  });

  test('a genuine notification that comes twice moves money once and announces once', async () => {
    const depositId = await initiateWith({ type: 'DOUBLE_NOTIFICATION' });
    await waitForStatus(gateway, depositId, 'COMPLETED');
    const reference = await referenceOf(depositId);
    await eventually(() => notificationsOf(reference)).toEqual(['AUTHENTIC', 'AUTHENTIC']);
    expect(await transfersOf(depositId)).toHaveLength(1);
    const callbacks = await select(gateway, 'select 1 from callbacks where payment_id = $1', [depositId]);
    expect(callbacks).toHaveLength(1);
  });

  test('with another amount does not complete the deposit: IN_RECONCILIATION with a case, and no money moves', async () => {
    const depositId = await initiateWith({ type: 'WRONG_AMOUNT', amount: '10' });
    await waitForStatus(gateway, depositId, 'IN_RECONCILIATION');
    expect(await transfersOf(depositId)).toEqual([]);
    expect(await casesOf(depositId)).toEqual(['DISCREPANCY']);
    expect(gateway.receiver.received).toEqual([]);
  });

  test('a genuine notification that is missing is made up for by an enquiry', async () => {
    const depositId = await initiateWith({ type: 'NO_NOTIFICATION' });
    await referenceOf(depositId);
    await eventually(() => gateway.simulator.books().charges[0]?.status).toBe('SUCCESSFUL');
    expect((await readDeposit(gateway, depositId))['status']).toBe('PROCESSING');
    await gateway.gateway.movableClock!.move(3_600_000);
    await waitForStatus(gateway, depositId, 'COMPLETED');
  });

  test('stored but not applied because of a crash is taken up by the sweep', async () => {
    const depositId = await initiateWith({ type: 'NO_NOTIFICATION' });
    const reference = await referenceOf(depositId);
    await eventually(() => gateway.simulator.books().charges[0]?.status).toBe('SUCCESSFUL');
    // A hint that was stored, and then the process died.
    const connector = gateway.engine.connectors.get('simulator')!;
    await storeNotifications(gateway.engine, [
      { connector, body: Buffer.from(JSON.stringify({ reference })), headers: {} },
    ]);
    expect((await readDeposit(gateway, depositId))['status']).toBe('PROCESSING');
    await applyUnmatchedNotifications(gateway.engine, {
      before: gateway.engine.clock.now(),
      countMax: 10,
      onError: (error) => expect.unreachable(String(error)),
    });
    await waitForStatus(gateway, depositId, 'COMPLETED');
  });
});

describe('a forged notification', () => {
  test('a forged notification moves no money: it only makes us ask, and the operator says the truth', async () => {
    const depositId = await initiateWith(
      { type: 'FORGED_NOTIFICATION', only: true },
      { payer: { type: 'MMO', accountDetails: { phoneNumber: '250783456039', provider: 'MTN_MOMO_RWA' } } },
    );
    const record = await waitForStatus(gateway, depositId, 'FAILED');
    expect(record['failureReason'].failureCode).toBe('PAYMENT_NOT_APPROVED');
    expect(await notificationsOf(await referenceOf(depositId))).toEqual(['HINT']);
    expect(await transfersOf(depositId)).toEqual([]);
  });

  test('for a deposit that is still pending at the operator leaves it PROCESSING', async () => {
    const stuck = {
      payer: { type: 'MMO', accountDetails: { phoneNumber: '250783456129', provider: 'MTN_MOMO_RWA' } },
    };
    const depositId = await initiate(gateway, stuck);
    const reference = await referenceOf(depositId);
    const forged = { reference, status: 'SUCCESSFUL', amount: '100', currency: 'RWF', transactionId: 'X' };
    for (const path of ['', `/${reference}/${'0'.repeat(32)}`]) {
      const answer = await call(gateway, 'POST', `/operators/simulator/notifications${path}`, forged);
      expect(answer.status).toBe(200);
    }
    await eventually(() => notificationsOf(reference)).toEqual(['HINT', 'HINT']);
    await eventually(
      async () =>
        (
          await select(
            gateway,
            `select 1 from payment_events
              where payment_no in (select payment_no from payment_keys where payment_id = $1) and event = 'HINTED'`,
            [depositId],
          )
        ).length,
    ).toBeGreaterThanOrEqual(1);
    expect((await readDeposit(gateway, depositId))['status']).toBe('PROCESSING');
    expect(await transfersOf(depositId)).toEqual([]);
  });

  test('about nothing we know is stored and answered, and that is all', async () => {
    for (const body of [JSON.stringify({ reference: randomUUID() }), 'not json', '']) {
      expect((await call(gateway, 'POST', '/operators/simulator/notifications', body)).status).toBe(200);
    }
    expect(
      await select(gateway, 'select 1 from operator_notifications where applied_at is not null'),
    ).toHaveLength(3);
  });

  test('to an operator that does not exist is 404', async () => {
    expect((await call(gateway, 'POST', '/operators/unknown/notifications', {})).status).toBe(404);
  });
});

describe('evidence after the end', () => {
  test('a success after FAILED changes no state: float and suspense follow the operator, a case is opened', async () => {
    const refused = {
      payer: { type: 'MMO', accountDetails: { phoneNumber: '250783456039', provider: 'MTN_MOMO_RWA' } },
    };
    const depositId = await initiateWith({ type: 'CONTRADICTING_NOTIFICATION' }, refused);
    await waitForStatus(gateway, depositId, 'FAILED');
    await eventually(() => casesOf(depositId)).toEqual(['LATE_SUCCESS']);
    expect(await transfersOf(depositId)).toEqual(['LATE_SUCCESS: debit FLOAT, credit SUSPENSE, 100']);
    expect((await readDeposit(gateway, depositId))['status']).toBe('FAILED');
  });

  test('a genuine message that was overtaken by another one is asked about, and opens nothing', async () => {
    const refused = {
      payer: { type: 'MMO', accountDetails: { phoneNumber: '250783456039', provider: 'MTN_MOMO_RWA' } },
    };
    const depositId = await initiate(gateway, refused);
    await waitForStatus(gateway, depositId, 'FAILED');
    const { failureCode: _, ...charge } = gateway.simulator.books().charges[0]!;
    const body = JSON.stringify(renderStatus({ ...charge, status: 'SUCCESSFUL' }));
    const say = () => tell(body);
    gateway.simulator.addFault({ type: 'ERROR', httpStatus: 503, step: 'query' });
    expect((await say()).status).toBe(200);
    const unapplied = () =>
      select(gateway, 'select 1 from operator_notifications where applied_at is null').then(
        (rows) => rows.length,
      );
    // The operator could not be asked: the message waits for the sweep.
    expect(await unapplied()).toBe(1);
    await applyUnmatchedNotifications(gateway.engine, {
      before: new Date(Date.now() + 1_000),
      countMax: 10,
      onError: (error) => expect.unreachable(String(error)),
    });
    expect(await unapplied()).toBe(0);
    expect([await casesOf(depositId), await transfersOf(depositId)]).toEqual([[], []]);
  });

  test('a failure after COMPLETED changes no state: the merchant owes it, a case is opened', async () => {
    const depositId = await initiateWith({ type: 'CONTRADICTING_NOTIFICATION' });
    await waitForStatus(gateway, depositId, 'COMPLETED');
    await eventually(() => casesOf(depositId)).toEqual(['LATE_FAILURE']);
    expect(await transfersOf(depositId)).toEqual([
      'SETTLE: debit FLOAT, credit WALLET, 100',
      'LATE_FAILURE: debit RECEIVABLE, credit FLOAT, 100',
    ]);
    expect((await readDeposit(gateway, depositId))['status']).toBe('COMPLETED');
  });
});

describe('a redirected deposit', () => {
  test('a redirected deposit whose first answer is lost still learns the address, and announces it once', async () => {
    const redirected = {
      currency: 'XOF',
      payer: { type: 'MMO', accountDetails: { phoneNumber: '221773456789', provider: 'WAVE_SEN' } },
      successfulUrl: 'https://shop.example/paid',
      failedUrl: 'https://shop.example/failed',
    };
    gateway.simulator.changeSettings({ redirects: 'MANUAL' });
    const depositId = await initiateWith({ type: 'LOSE_ANSWER' }, redirected);
    const hint = async () =>
      call(gateway, 'POST', '/operators/simulator/notifications', {
        reference: await referenceOf(depositId),
      });
    // Before the operator has it an enquiry finds nothing, and hints ask at most every ten seconds.
    await eventually(() => gateway.simulator.books().charges.length).toBe(1);
    await hint();
    await eventually(async () => (await readDeposit(gateway, depositId))['nextStep']).toBe(
      'REDIRECT_TO_AUTH_URL',
    );
    await eventually(() => gateway.receiver.received.length).toBe(1);
    await gateway.gateway.movableClock!.move(11_000);
    await hint();
    const enquiries = () =>
      select(
        gateway,
        `select 1 from payment_events
          where payment_no in (select payment_no from payment_keys where payment_id = $1) and detail = 'PENDING'`,
        [depositId],
      );
    // A hint that comes while somebody asks makes another ask too.
    await eventually(async () => (await enquiries()).length).toBeGreaterThanOrEqual(2);
    const { authorizationUrl } = await readDeposit(gateway, depositId);
    expect(gateway.receiver.received.map(({ body }) => [body['status'], body['authorizationUrl']])).toEqual([
      ['PROCESSING', authorizationUrl],
    ]);
  });
});

describe('a deposit without an end', () => {
  test('a deposit without an end stays PROCESSING, goes to IN_RECONCILIATION at the horizon, and is never announced', async () => {
    const stuck = {
      payer: { type: 'MMO', accountDetails: { phoneNumber: '250783456129', provider: 'MTN_MOMO_RWA' } },
    };
    const depositId = await initiate(gateway, stuck);
    await waitForOperators(gateway, [depositId]);
    await gateway.gateway.movableClock!.move(10 * 60_000);
    expect((await readDeposit(gateway, depositId))['status']).toBe('PROCESSING');
    await gateway.gateway.movableClock!.move(10 * 60_000);
    await waitForStatus(gateway, depositId, 'IN_RECONCILIATION');
    await gateway.gateway.movableClock!.move(TWO_DAYS_MS);
    expect((await readDeposit(gateway, depositId))['status']).toBe('IN_RECONCILIATION');
    expect(gateway.receiver.received).toEqual([]);
  });
});
