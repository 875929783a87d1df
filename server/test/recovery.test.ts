// After a restore: what was open is asked about and never sent again, nothing else is sent before that, and what comes
// later is sent only when its operator has said that it knows nothing of it.
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { openGateway, type Gateway } from '../src/commands/serve/compose.ts';
import { advance } from '../src/core/payments/process/advance.ts';
import { enquire, readEnquiries, takeEnquiries } from '../src/core/payments/process/enquire.ts';
import { notificationUrlFor } from '../src/core/operators/operator-calls.ts';
import { beginRecovery, endRecovery, holdSubmits } from '../src/core/recovery/recover.ts';
import { referenceFor } from '../src/core/operators/reference.ts';
import { claimSubmits } from '../src/core/payments/process/submit.ts';
import { parseAmount } from '../src/domain/money.ts';
import { createSimulatorConnector } from '../src/sandbox/simulator/connector.ts';
import type { PaymentKind } from '../src/domain/payments/payment.ts';
import { listWallets } from '../src/store/ledger/ledger.ts';
import { runCommandHere } from './command-process.ts';
import {
  call,
  depositRequest,
  eventually,
  openTestGateway,
  select,
  SIMULATOR_CLIENT,
  type TestGateway,
} from './gateway.ts';
import { readPayment, send, setAvailability, start, waitForPayment, type Noun } from './payments.ts';
import { payoutRequest, type Body } from './requests.ts';
import { serverEnvironment } from './server-process.ts';

const BY = 'Ana Uwase';
const LOST_FROM = new Date('2026-01-01T00:00:00Z');

let gateway: TestGateway;
let worker: Gateway | null;
beforeEach(async () => {
  worker = null;
  // No worker at first: so the database can be as it was found when it was restored.
  gateway = await openTestGateway({
    role: 'api',
    timing: { sendDeadlineMs: 2_000, timeoutMs: 3_000, notSeenAfterMs: 5_000, enquiryDelaysMs: [50] },
  });
});
afterEach(async () => {
  await worker?.stop();
  await gateway.stop();
});

async function startWork(): Promise<void> {
  const { config, url } = gateway;
  worker = await openGateway({ ...config, operatorsUrl: url }, { role: 'worker', logTo: 2 });
  await worker.start();
}

const begin = () => beginRecovery(gateway.engine, { by: BY, lostFrom: LOST_FROM });
const run = (...args: readonly string[]) => runCommandHere(serverEnvironment(gateway), args);
const askNext = () => holdSubmits(gateway.engine, { countMax: 10, onError: refuseErrors });

function refuseErrors(error: unknown): never {
  throw error;
}

/** What the operator was asked to do in the time that was lost, and no one here knows of. */
async function sendUnknown(noun: Noun, request: Body): Promise<string> {
  const { engine, merchantId } = gateway;
  // Its own time-out is short.
  const timing = { timeoutMs: 60_000 };
  const connector = createSimulatorConnector({ ...SIMULATOR_CLIENT, baseUrl: gateway.simulator.url, timing });
  const { provider, phoneNumber } = (request['payer'] ?? request['recipient'])['accountDetails'];
  const reference = referenceOf(noun, request[`${noun}Id`]);
  const answer = await connector.submit(
    {
      reference,
      operation: noun.toUpperCase() as PaymentKind,
      provider,
      country: 'RWA',
      amount: parseAmount(request['amount'])!,
      currency: request['currency'],
      phoneNumber,
      customerMessage: merchantId,
      notificationUrl: notificationUrlFor(engine, connector, reference),
    },
    { isOpen: () => true },
  );
  await connector.close?.();
  expect(answer.outcome.type).toBe('COMPLETED');
  return reference;
}

function referenceOf(noun: Noun, paymentId: string): string {
  const { engine, merchantId } = gateway;
  const key = { merchantId, kind: noun.toUpperCase() as PaymentKind, paymentId };
  const { shape } = engine.connectors.get('simulator')!.reference;
  return referenceFor(engine.referenceKey, { key, attemptNo: 1, home: engine.home, shape });
}

/** How often the operator was asked to pay under a reference. */
function submissions(reference: string): number {
  const { charges } = gateway.simulator.books();
  return charges.find((charge) => charge.reference === reference)?.submissions ?? 0;
}

describe('a payment from before the restore', () => {
  test('a payment from before the restore that its operator carried out in the lost time ends as the operator says', async () => {
    const request = depositRequest();
    const id = await start(gateway, 'deposit', request);
    const reference = await sendUnknown('deposit', request);
    await begin();
    await startWork();
    await waitForPayment(gateway, 'deposit', id, 'COMPLETED');
    expect(submissions(reference)).toBe(1);
  });

  test('a payment from before the restore that its operator has never seen is not sent: it FAILED, and what it held is free', async () => {
    await setAvailability(gateway, 'payout', 'DELAYED');
    const request = payoutRequest();
    const { payoutId } = request;
    await send(gateway, 'payout', request);
    const depositId = await start(gateway, 'deposit', depositRequest());
    await begin();
    await startWork();
    await waitForPayment(gateway, 'deposit', depositId, 'FAILED');
    await waitForPayment(gateway, 'payout', payoutId, 'FAILED');
    expect(gateway.simulator.books().charges).toEqual([]);
    const wallets = await listWallets(gateway.engine.store.database, gateway.merchantId);
    expect(wallets.filter(({ held }) => held !== 0n)).toEqual([]);
  });

  test('a payment from before the restore that was claimed and never arrived is not sent again, though repeats are recognised', async () => {
    const id = await start(gateway, 'deposit', depositRequest());
    const key = { merchantId: gateway.merchantId, kind: 'DEPOSIT', paymentId: id } as const;
    await advance(gateway.engine, [{ key, event: { type: 'SUBMIT_CLAIMED' } }]);
    await begin();
    await startWork();
    await waitForPayment(gateway, 'deposit', id, 'FAILED');
    expect(gateway.simulator.books().charges).toEqual([]);
  });

  test('a payment from before the restore is not sent after the recovery was ended either', async () => {
    const id = await start(gateway, 'deposit', depositRequest());
    await begin();
    await endRecovery(gateway.engine, { by: BY, provider: null, unasked: true });
    expect((await claimSubmits(gateway.engine, { countMax: 10 })).claimed).toEqual([]);
    await startWork();
    await waitForPayment(gateway, 'deposit', id, 'FAILED');
  });
});

describe('a payment made after the restore', () => {
  test('a payment made after the restore that is one of the lost time, sent again, is paid once and ends as the operator says', async () => {
    const requests = { deposit: depositRequest(), payout: payoutRequest() } as const;
    await begin();
    await startWork();
    for (const [noun, request] of Object.entries(requests) as [Noun, Body][]) {
      const reference = await sendUnknown(noun, request);
      await waitForPayment(gateway, noun, await start(gateway, noun, request), 'COMPLETED');
      expect(submissions(reference)).toBe(1);
    }
  });

  test('a payment made after the restore is sent when the operator has said that it knows nothing of it', async () => {
    await begin();
    await startWork();
    const id = await start(gateway, 'deposit', depositRequest());
    await waitForPayment(gateway, 'deposit', id, 'COMPLETED');
    expect(submissions(referenceOf('deposit', id))).toBe(1);
    const events = await select(
      gateway,
      `select event, detail from payment_events
        where payment_no in (select payment_no from payment_keys where payment_id = $1) and event_no > 0
        order by event_no`,
      [id],
    );
    // A question may stay without an answer on a busy machine; it is asked again.
    const told = events
      .map(({ event, detail }) => detail ?? event)
      .filter((one) => one !== 'UNKNOWN NO_ANSWER');
    expect(told.slice(told.indexOf('SUBMIT_HELD'), told.indexOf('RESUBMIT_CLAIMED') + 1)).toEqual([
      'SUBMIT_HELD',
      ...told.filter((one) => one === 'NOT_SEEN'),
      'RESUBMIT_CLAIMED',
    ]);
  });

  test('a payment made after the restore whose operator says nothing is not sent', async () => {
    gateway.simulator.addFault({ type: 'ERROR', httpStatus: 503, step: 'query', times: 1_000 });
    await begin();
    await startWork();
    const id = await start(gateway, 'deposit', depositRequest());
    const answers = () =>
      select(gateway, `select 1 from payment_events where detail = 'UNKNOWN OPERATOR_ERROR'`);
    await eventually(async () => (await answers()).length > 2).toBe(true);
    expect((await readPayment(gateway, 'deposit', id))['status']).toBe('PROCESSING');
    expect(gateway.simulator.books().charges).toEqual([]);
  });

  test('a payment made after the restore cannot be cancelled by its merchant before the recovery was ended', async () => {
    await begin();
    await setAvailability(gateway, 'payout', 'DELAYED');
    const lost = payoutRequest();
    const reference = await sendUnknown('payout', lost);
    await start(gateway, 'payout', lost);
    const cancel = async (id: string) =>
      (await call(gateway, 'POST', `/v2/payouts/fail-enqueued/${id}`)).body;
    expect(await cancel(lost['payoutId'])).toMatchObject({
      status: 'REJECTED',
      failureReason: {
        failureCode: 'INVALID_STATE',
        failureMessage: expect.stringContaining('may have been sent already'),
      },
    });
    expect(await readPayment(gateway, 'payout', lost['payoutId'])).toMatchObject({ status: 'ENQUEUED' });
    await setAvailability(gateway, 'payout', 'OPERATIONAL');
    await startWork();
    await waitForPayment(gateway, 'payout', lost['payoutId'], 'COMPLETED');
    expect(submissions(reference)).toBe(1);
    await endRecovery(gateway.engine, { by: BY, provider: null, unasked: false });
    await setAvailability(gateway, 'payout', 'DELAYED');
    const later = await start(gateway, 'payout', payoutRequest());
    expect(await cancel(later)).toMatchObject({ status: 'ACCEPTED' });
  });

  test('a payment made after the restore is sent without a question once the recovery was ended', async () => {
    await begin();
    await startWork();
    await eventually(askNext).toBe('FREE');
    await endRecovery(gateway.engine, { by: BY, provider: null, unasked: false });
    const id = await start(gateway, 'deposit', depositRequest());
    await waitForPayment(gateway, 'deposit', id, 'COMPLETED');
    const held = await select(gateway, `select 1 from payment_events where event = 'SUBMIT_HELD'`);
    expect(held).toEqual([]);
  });
});

describe('while a payment from before has not been asked about', () => {
  test('nothing is sent; afterwards it is', async () => {
    const { engine, merchantId } = gateway;
    const old = await start(gateway, 'deposit', depositRequest());
    await begin();
    await start(gateway, 'deposit', depositRequest());
    expect(await askNext()).toBe('ASKING');
    expect(await askNext()).toBe('HOLDING');
    expect(await askNext()).toBe('HOLDING');
    const states = () => select(gateway, 'select state from payments order by created_at');
    expect(await states()).toEqual([{ state: 'PROCESSING' }, { state: 'ACCEPTED' }]);
    const taken = await takeEnquiries(engine, { countMax: 10, leaseMs: 60_000 });
    const enquiries = await readEnquiries(engine, taken);
    expect(enquiries.map(({ payment }) => payment)).toMatchObject([{ merchantId, paymentId: old }]);
    for (const one of enquiries) await advance(engine, (await enquire(engine, one)).advances);
    expect(await askNext()).toBe('HOLDING');
    expect(await askNext()).toBe('FREE');
  });
});

describe('by command', () => {
  test('a recovery is begun, looked at and ended, each with an entry in the audit log', async () => {
    await start(gateway, 'deposit', depositRequest());
    expect((await run('recovery', 'show')).output).toBe('no recovery was recorded for this database');
    const lostFrom = ['--lost-from', LOST_FROM.toISOString()];
    expect(await run('recovery', 'begin', ...lostFrom, '--by', BY)).toMatchObject({ code: 0 });
    const { output } = await run('recovery', 'show');
    expect(output).toContain('restored to 2026-01-01T00:00:00.000Z');
    expect(output).toContain('holding all submits\n1\tearlier payments, not sent as far as is known');
    expect(await run('recovery', 'end', '--by', BY)).toMatchObject({
      code: 1,
      errors: expect.stringContaining('Operators were not yet asked about this many earlier payments: 1.'),
    });
    expect(await run('recovery', 'end', '--unasked-too', '--by', BY)).toMatchObject({ output: 'ended' });
    expect(await run('recovery', 'end', '--by', BY)).toMatchObject({ code: 1 });
    const acts = await select(gateway, 'select act, actor from audit_log order by entry_no desc limit 2');
    expect(acts).toEqual([
      { act: 'RECOVERY_ENDED', actor: BY },
      { act: 'RECOVERY_BEGUN', actor: BY },
    ]);
  });

  test('a time that is still to come is refused', async () => {
    const refused = await run('recovery', 'begin', '--lost-from', '2999-01-01T00:00:00Z', '--by', BY);
    expect(refused).toMatchObject({ code: 1, errors: '--lost-from must not be in the future.' });
  });
});

test('no recovery can be deleted', async () => {
  await begin();
  await expect(select(gateway, 'delete from recoveries')).rejects.toThrow('a recovery is never deleted');
});
