// A submit that never reached the socket: it is sent later, and is never taken for a failure.
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Connector } from '../src/connectors/port.ts';
import { advance, type Advanced } from '../src/core/payments/process/advance.ts';
import { changeCredentials } from '../src/core/operators/administer-operators.ts';
import { beginRecovery } from '../src/core/recovery/recover.ts';
import { enquire, readEnquiries, takeEnquiries } from '../src/core/payments/process/enquire.ts';
import { endUnsentDeposits } from '../src/core/payments/process/end-unsent-deposits.ts';
import { claimSubmits, sendClaimed, type Claimed } from '../src/core/payments/process/submit.ts';
import type { PaymentEvent } from '../src/domain/payments/lifecycle.ts';
import { listLatestAttempts } from '../src/store/payments/attempts.ts';
import { listPayments } from '../src/store/payments/payments.ts';
import { nowOf } from './clocks.ts';
import { openTestGateway, waitUntil, type TestGateway } from './gateway.ts';
import { readPayment, send } from './payments.ts';
import { requestFor } from './connectors/operator-gateway.ts';

const PROVIDER = 'MPESA_KEN';
const TWO_MINUTES_MS = 120_000;

let gateway: TestGateway;

/** No worker, and an operator account without credentials: nothing can be sent. */
beforeEach(async () => {
  const binding = { provider: PROVIDER, kind: null, connector: 'mpesa-daraja', account: null };
  gateway = await openTestGateway({ role: 'api', operators: { bindings: [binding], timing: {} } });
});
afterEach(() => gateway.stop());

type Key = Claimed['payment'];

async function accept(
  noun: 'deposit' | 'payout',
  provider = PROVIDER,
): Promise<Pick<Key, 'merchantId' | 'kind' | 'paymentId'>> {
  const request = requestFor({ provider }, noun);
  expect((await send(gateway, noun, request)).body).toMatchObject({ status: 'ACCEPTED' });
  const kind = noun === 'deposit' ? 'DEPOSIT' : 'PAYOUT';
  return { merchantId: gateway.merchantId, kind, paymentId: request[`${noun}Id`] };
}

async function claim(): Promise<Claimed> {
  let claimed: readonly Claimed[] = [];
  await waitUntil(async () => {
    claimed = (await claimSubmits(gateway.engine, { countMax: 1 })).claimed;
    return claimed.length > 0;
  });
  return claimed[0]!;
}

const tell = async (key: Parameters<typeof advance>[1][number]['key'], event: PaymentEvent) =>
  (await advance(gateway.engine, [{ key, event }]))[0] as Advanced;

async function stateOf(key: Pick<Key, 'merchantId' | 'kind' | 'paymentId'>) {
  const { database, keyring } = gateway.engine.store;
  const [payment] = await listPayments(database, keyring, [key]);
  const [attempt] = await listLatestAttempts(database, [key]);
  const { state, nextAction, failureCode } = payment!;
  const counts = attempt && { sendCount: attempt.sendCount, unsentCount: attempt.unsentCount };
  return { state, nextAction, failureCode, ...counts };
}

async function setAccount(): Promise<void> {
  const fields = ['baseUrl', 'consumerKey', 'consumerSecret', 'shortCode'];
  const values = Object.fromEntries(fields.map((name) => [name, name === 'baseUrl' ? gateway.url : name]));
  const order = { by: 'test', connector: 'mpesa-daraja', account: PROVIDER, product: 'default' };
  await changeCredentials(gateway.engine, { ...order, values });
}

function sendWith(claimed: Claimed, submit: Connector['submit']) {
  const other = { ...gateway.engine.connectors.get('mpesa-daraja')!, submit };
  const connectors = new Map([...gateway.engine.connectors, ['mpesa-daraja', other]]);
  return sendClaimed({ ...gateway.engine, connectors }, claimed);
}

const expire = () => endUnsentDeposits(gateway.engine, { countMax: 10, onError: () => undefined });

const move = (ms: number) => gateway.gateway.movableClock!.move(ms);

describe('A2: a submit that never reached the socket goes back to be sent', () => {
  test('the payment returns to SUBMIT with its attempt marked unsent, and its merchant sees PROCESSING', async () => {
    const key = await accept('payout');
    const claimed = await claim();
    await advance(gateway.engine, [await sendClaimed(gateway.engine, claimed)]);
    expect(await stateOf(key)).toEqual({
      state: 'PROCESSING',
      nextAction: 'SUBMIT',
      failureCode: undefined,
      sendCount: 1,
      unsentCount: 1,
    });
    expect(await readPayment(gateway, 'payout', key.paymentId)).toMatchObject({ status: 'PROCESSING' });
  });

  test('the next claim keeps the reference, and counts its time from then', async () => {
    const key = await accept('payout');
    const first = await claim();
    await advance(gateway.engine, [await sendClaimed(gateway.engine, first)]);
    await move(60 * 60_000);
    const second = await claim();
    expect(second.attempt).toMatchObject({
      reference: first.attempt.reference,
      attemptNo: 1,
      sendCount: 2,
      unsentCount: 1,
    });
    expect(second.attempt.claimedAt.getTime() - first.attempt.claimedAt.getTime()).toBeGreaterThan(3_599_000);
    expect(await stateOf(key)).toMatchObject({ state: 'PROCESSING', nextAction: 'ENQUIRE', sendCount: 2 });
  });

  test('what was claimed while its account was not set is sent with the account that is set later', async () => {
    const key = await accept('payout');
    await advance(gateway.engine, [await sendClaimed(gateway.engine, await claim())]);
    await setAccount();
    await move(60_000);
    expect((await claim()).attempt).toMatchObject({ paymentId: key.paymentId, account: expect.any(String) });
  });

  test('only the latest permission can be given back, and only once', async () => {
    const key = await accept('payout');
    await claim();
    expect((await tell(key, { type: 'SUBMIT_UNSENT', sendCount: 0 })).type).toBe('NOTHING');
    expect((await tell(key, { type: 'SUBMIT_UNSENT', sendCount: 2 })).type).toBe('NOTHING');
    expect((await tell(key, { type: 'SUBMIT_UNSENT', sendCount: 1 })).type).toBe('MOVE');
    expect((await tell(key, { type: 'SUBMIT_UNSENT', sendCount: 1 })).type).toBe('NOTHING');
    await move(60_000);
    await claim();
    expect((await tell(key, { type: 'SUBMIT_UNSENT', sendCount: 1 })).type).toBe('NOTHING');
    expect(await stateOf(key)).toMatchObject({ nextAction: 'ENQUIRE', sendCount: 2, unsentCount: 1 });
  });

  test('a stranger cannot turn a payment that waits to be sent into one that is asked about', async () => {
    const key = await accept('payout');
    await claim();
    await tell(key, { type: 'SUBMIT_UNSENT', sendCount: 1 });
    expect((await tell(key, { type: 'HINTED' })).type).toBe('NOTHING');
    expect((await tell(key, { type: 'HORIZON_PASSED' })).type).toBe('NOTHING');
    expect(await stateOf(key)).toMatchObject({ state: 'PROCESSING', nextAction: 'SUBMIT' });
  });

  test('an enquiry to which the operator said nothing does not keep a payment from being sent', async () => {
    const key = await accept('deposit');
    const claimed = await claim();
    // Its answer was kept while the database was out of reach; meanwhile the enquiry is due.
    await move(60_000);
    const steps = await takeEnquiries(gateway.engine, { countMax: 1, leaseMs: 30_000 });
    const [enquiry] = await readEnquiries(gateway.engine, steps);
    const { advances } = await enquire(gateway.engine, enquiry!);
    await advance(gateway.engine, [await sendClaimed(gateway.engine, claimed)]);
    expect(await advance(gateway.engine, advances)).toMatchObject([{ type: 'NOTHING' }]);
    expect(await stateOf(key)).toMatchObject({ state: 'PROCESSING', nextAction: 'SUBMIT', unsentCount: 1 });
  });

  test('a conclusion about an earlier permission does not fail a payment that may be sent again', async () => {
    const key = await accept('payout');
    await claim();
    await tell(key, { type: 'SUBMIT_UNSENT', sendCount: 1 });
    await move(60_000);
    await claim();
    const outcome = { type: 'FAILED', code: 'UNSPECIFIED_FAILURE' } as const;
    expect((await tell(key, { type: 'OPERATOR_ANSWERED', outcome, sendCount: 1 })).type).toBe('NOTHING');
    expect(await stateOf(key)).toMatchObject({ state: 'PROCESSING', nextAction: 'ENQUIRE' });
  });

  test('a refusal that is stored late does not fail a payment that was sent again meanwhile', async () => {
    await setAccount();
    const key = await accept('payout');
    const refusal = await sendWith(await claim(), () =>
      Promise.resolve({
        outcome: { type: 'FAILED', code: 'OTHER_ERROR' },
        evidence: '{}',
        providerReference: 'refused',
      }),
    );
    expect((await tell(key, { type: 'RESUBMIT_CLAIMED', sendCount: 1 })).type).toBe('MOVE');
    expect(await advance(gateway.engine, [refusal])).toMatchObject([{ type: 'NOTHING' }]);
    expect(await stateOf(key)).toMatchObject({ state: 'PROCESSING', nextAction: 'ENQUIRE', sendCount: 2 });
    const [attempt] = await listLatestAttempts(gateway.engine.store.database, [key]);
    expect(attempt?.providerReference).toBeUndefined();
  });

  test('an error before the write gives the permission back too, and one after it does not', async () => {
    await setAccount();
    const key = await accept('payout');
    const claimed = await claim();
    const afterWrite = sendWith(claimed, (_, { isOpen }) => Promise.reject(new Error(`open: ${isOpen()}`)));
    await expect(afterWrite).rejects.toThrow('open: true');
    const beforeWrite = sendWith(claimed, () => Promise.reject(new Error('no database')));
    const event = { type: 'SUBMIT_UNSENT', sendCount: 1 } as const;
    await expect(beforeWrite).resolves.toMatchObject({ event });
    await advance(gateway.engine, [await beforeWrite]);
    expect(await stateOf(key)).toMatchObject({ nextAction: 'SUBMIT' });
  });
});

describe('A2: an unsent deposit ends two minutes after its acceptance', () => {
  test('without an attempt it ends FAILED with OTHER_ERROR, and not before', async () => {
    const key = await accept('deposit');
    await move(TWO_MINUTES_MS - 5_000);
    await expire();
    expect(await stateOf(key)).toMatchObject({ state: 'ACCEPTED', nextAction: 'SUBMIT' });
    await move(5_000);
    await expire();
    expect(await stateOf(key)).toMatchObject({ state: 'FAILED', failureCode: 'OTHER_ERROR' });
  });

  test('with an attempt that is marked unsent it ends too', async () => {
    const key = await accept('deposit');
    await advance(gateway.engine, [await sendClaimed(gateway.engine, await claim())]);
    await move(TWO_MINUTES_MS);
    await expire();
    expect(await stateOf(key)).toMatchObject({ state: 'FAILED', failureCode: 'OTHER_ERROR' });
  });

  test('it is not claimed after that time, anyone who comes first', async () => {
    const key = await accept('deposit');
    await move(TWO_MINUTES_MS);
    expect((await claimSubmits(gateway.engine, { countMax: 1 })).claimed).toEqual([]);
    expect(await stateOf(key)).toMatchObject({ state: 'FAILED', failureCode: 'OTHER_ERROR' });
  });

  test('one that may have been sent is left alone, and so is a payout', async () => {
    const key = await accept('deposit');
    await claim();
    const payout = await accept('payout');
    await move(TWO_MINUTES_MS);
    await expire();
    expect((await tell(key, { type: 'SUBMIT_EXPIRED' })).type).toBe('NOTHING');
    expect((await tell(payout, { type: 'SUBMIT_EXPIRED' })).type).toBe('NOTHING');
    expect(await stateOf(key)).toMatchObject({ state: 'PROCESSING', nextAction: 'ENQUIRE' });
    expect(await stateOf(payout)).toMatchObject({ state: 'ACCEPTED', nextAction: 'SUBMIT' });
  });

  test('one from before a recovery, or one that a recovery asks about first, never ends by it', async () => {
    const before = await accept('deposit');
    await beginRecovery(gateway.engine, { by: 'Ana', lostFrom: nowOf(gateway.engine) });
    // Its operator can be asked, and the one of the first cannot.
    const after = await accept('deposit', 'MTN_MOMO_RWA');
    await move(TWO_MINUTES_MS);
    await expire();
    await claimSubmits(gateway.engine, { countMax: 10 });
    for (const key of [before, after]) {
      expect((await tell(key, { type: 'SUBMIT_EXPIRED' })).type).toBe('NOTHING');
      expect(await stateOf(key)).toMatchObject({ state: 'PROCESSING', sendCount: 0, nextAction: 'ENQUIRE' });
    }
  });
});
