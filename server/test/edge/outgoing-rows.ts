// Rows of the specification that hold for every kind of payment that sends money: payouts, refunds and remittances.
// Each kind's own test file runs them all against a gateway of its own.
import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import numbers from '../../src/sandbox/fakes/payers/numbers.json' with { type: 'json' };
import type { PaymentKind } from '../../src/domain/payments/payment.ts';
import { call, eventually, openTestGateway, select, type TestGateway } from '../gateway.ts';
import {
  callbacksAbout,
  readPayment,
  send,
  setAvailability,
  start,
  startCompleted,
  waitForOperators,
  waitForPayment,
} from '../payments.ts';
import { wallet, type Body } from '../requests.ts';
import { openAccount, openToken } from './accounts.ts';
import { actOn, describeTarget, expectInvalidState, type ActingKind, type Action } from './action-rows.ts';
import { quotedByAnswer, told } from './answers.ts';

export type OutgoingKind = {
  readonly noun: 'payout' | 'refund' | 'remittance';
  /**
   * A request to send money to this wallet. A refund sends it where its deposit came from, so it makes that first.
   * `home` is the gateway or the account the payment is for.
   */
  readonly requestTo: (
    home: TestGateway,
    wallet: { readonly provider: string; readonly phoneNumber: string },
  ) => Promise<Body>;
};

const PROVIDER = 'MTN_MOMO_RWA';
const COMPLETES = { provider: PROVIDER, phoneNumber: '250783456789' };
const HAS_NO_WALLET = { provider: PROVIDER, phoneNumber: '250783456089' };
const NEVER_ENDS = { provider: PROVIDER, phoneNumber: '250783456129' };

/** Opens the gateway of a test file. */
export function withGateway(): () => TestGateway {
  let gateway: TestGateway | undefined;
  beforeAll(async () => {
    gateway = await openTestGateway();
  });
  afterAll(() => gateway?.stop());
  return () => gateway!;
}

export function describeOutgoing(kind: OutgoingKind, gateway: () => TestGateway): void {
  const { noun } = kind;
  const idName = `${noun}Id`;
  const operation = noun.toUpperCase() as PaymentKind;
  const request = (to = COMPLETES) => kind.requestTo(gateway(), to);
  const started = async (to = COMPLETES) => start(gateway(), noun, await request(to));
  const act = (action: Action, id: string) => actOn(gateway(), { noun, action, id });
  const acting: ActingKind = {
    noun,
    gateway,
    startFinal: async () => startCompleted(gateway(), noun, await request()),
  };
  const setStatus = (status: 'OPERATIONAL' | 'DELAYED' | 'CLOSED') =>
    setAvailability(gateway(), noun, status);
  /** A payment that waits for its provider. */
  const enqueued = async () => {
    const body = await request();
    await setStatus('DELAYED');
    return start(gateway(), noun, body);
  };

  describe('sandbox numbers', () => {
    const finished = numbers.filter(({ operation: of, outcome }) => of === 'PAYOUT' && outcome !== 'STUCK');
    const ids = new Map<string, string>();
    beforeAll(async () => {
      await Promise.all(
        finished.map(async (row) => ids.set(`${row.provider} ${row.phoneNumber}`, await started(row))),
      );
    });

    test.each(finished)(
      '$provider $phoneNumber ends as $outcome',
      async ({ provider, phoneNumber, outcome }) => {
        const id = ids.get(`${provider} ${phoneNumber}`)!;
        const status = outcome === 'COMPLETED' ? 'COMPLETED' : 'FAILED';
        const record = await waitForPayment(gateway(), noun, id, status);
        expect(record).toMatchObject({ recipient: wallet(provider, phoneNumber) });
        if (outcome !== 'COMPLETED') expect(record['failureReason'].failureCode).toBe(outcome);
      },
    );
  });

  describe('initiation', () => {
    test(`is answered with ${idName}, status and created`, async () => {
      const body = await request();
      expect(await send(gateway(), noun, body)).toEqual({
        status: 200,
        body: {
          [idName]: body[idName],
          status: 'ACCEPTED',
          created: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
        },
      });
    });

    test('repeated, is DUPLICATE_IGNORED with created of the first, whatever else is now true', async () => {
      const body = await request();
      const first = await send(gateway(), noun, body);
      await waitForPayment(gateway(), noun, body[idName], 'COMPLETED');
      const again = { ...body, [idName]: body[idName].toUpperCase(), amount: '0', currency: 'XXX' };
      expect((await send(gateway(), noun, again)).body).toEqual({
        [idName]: again[idName],
        status: 'DUPLICATE_IGNORED',
        created: first.body['created'],
      });
    });

    test('50 at once with one identifier: one ACCEPTED, 49 DUPLICATE_IGNORED, funds held once', async () => {
      const body = await request();
      const answers = await Promise.all(Array.from({ length: 50 }, () => send(gateway(), noun, body)));
      const statuses = answers.map(({ body: { status } }) => status);
      expect(statuses.filter((status) => status === 'ACCEPTED')).toHaveLength(1);
      expect(statuses.filter((status) => status === 'DUPLICATE_IGNORED')).toHaveLength(49);
      const legs = await select(
        gateway(),
        'select 1 from transfers where subject_id in (select payment_no from payment_keys where payment_id = $1)',
        [body[idName]],
      );
      expect(legs).toHaveLength(1);
    });

    test('of a FAILED identifier is DUPLICATE_IGNORED: it cannot be reused', async () => {
      const body = await request(HAS_NO_WALLET);
      await start(gateway(), noun, body);
      await waitForPayment(gateway(), noun, body[idName], 'FAILED');
      expect(told(await send(gateway(), noun, body))).toBe('200 DUPLICATE_IGNORED');
    });

    test('with an unknown field is 400 UNSUPPORTED_PARAMETER, and the identifier is echoed', async () => {
      const body: Body = { ...(await request()), surplus: 1 };
      const answer = await send(gateway(), noun, body);
      expect(told(answer)).toBe('400 REJECTED UNSUPPORTED_PARAMETER surplus');
      expect(answer.body[idName]).toBe(body[idName]);
    });

    test('without the identifier is 400 MISSING_PARAMETER', async () => {
      const { [idName]: _, ...body } = await request();
      expect(told(await send(gateway(), noun, body))).toBe(`400 REJECTED MISSING_PARAMETER ${idName}`);
    });

    test('with a body that is not JSON is 400 INVALID_INPUT', async () => {
      expect(told(await send(gateway(), noun, '{'))).toBe('400 REJECTED INVALID_INPUT');
    });

    test('without a valid token is 401 AUTHENTICATION_ERROR, and the identifier is echoed', async () => {
      const body = await request();
      const answer = await send({ ...gateway(), apiToken: 'noOne' }, noun, body);
      expect(told(answer)).toBe('401 REJECTED AUTHENTICATION_ERROR');
      expect(answer.body[idName]).toBe(body[idName]);
    });

    test(`needs the scope ${noun}s:write, else 403 AUTHORISATION_ERROR`, async () => {
      const reader = await openToken(gateway(), gateway().merchantId, { scopes: [`${noun}s:read`] });
      const answer = await send(reader, noun, await request());
      expect(told(answer)).toBe('403 REJECTED AUTHORISATION_ERROR');
      expect(quotedByAnswer(answer)).toEqual([`${noun}s:write`]);
      const writer = await openToken(gateway(), gateway().merchantId, { scopes: [`${noun}s:write`] });
      expect(told(await send(writer, noun, await request()))).toBe('200 ACCEPTED');
    });

    test(`on an account without ${noun}s is 403 ${operation}S_NOT_ALLOWED`, async () => {
      const account = await openAccount(gateway(), { operations: ['DEPOSIT'] });
      const body = await request();
      const answer = await send(account, noun, body);
      expect(told(answer)).toBe(`403 REJECTED ${operation}S_NOT_ALLOWED`);
      expect(answer.body[idName]).toBe(body[idName]);
    });
  });

  describe('status check', () => {
    const check = (id: string, caller: { apiToken?: string } = {}) =>
      call({ ...gateway(), ...caller }, 'GET', `/v2/${noun}s/${id}`);

    test('of an unknown identifier is 200 NOT_FOUND without data', async () => {
      expect(await check(randomUUID())).toEqual({ status: 200, body: { status: 'NOT_FOUND' } });
    });

    test('of a malformed identifier is 400 INVALID_PARAMETER', async () => {
      expect(told(await check('x'))).toBe(`400 REJECTED INVALID_PARAMETER ${idName}`);
    });

    test('finds an identifier in other letters and echoes it as it was first written', async () => {
      const id = await started();
      const { body } = await check(id.toUpperCase());
      expect(body).toMatchObject({ status: 'FOUND', data: { [idName]: id } });
    });

    test('of another account is NOT_FOUND', async () => {
      const other = await openAccount(gateway(), { operations: [operation] });
      expect((await check(await started(), other)).body).toEqual({ status: 'NOT_FOUND' });
    });

    test(`needs the scope ${noun}s:read, else 403; a bad token is 401`, async () => {
      const writer = await openToken(gateway(), gateway().merchantId, { scopes: [`${noun}s:write`] });
      expect(told(await check(randomUUID(), writer))).toBe('403 REJECTED AUTHORISATION_ERROR');
      expect(told(await check(randomUUID(), { apiToken: 'noOne' }))).toBe(
        '401 REJECTED AUTHENTICATION_ERROR',
      );
    });
  });

  describe('callbacks carry the record', () => {
    test.each<[string, typeof COMPLETES, string]>([
      ['COMPLETED', COMPLETES, 'with providerTransactionId'],
      ['FAILED', HAS_NO_WALLET, 'with failureReason'],
    ])('%s', async (status, to) => {
      const id = await started(to);
      const record = await waitForPayment(gateway(), noun, id, status);
      await eventually(() => callbacksAbout(gateway(), noun, id)).toEqual([record]);
      expect('failureReason' in record).toBe(status === 'FAILED');
    });
  });

  describe('provider DELAYED: accepted, then ENQUEUED', () => {
    afterEach(() => setStatus('OPERATIONAL'));

    test('the initiation is answered ACCEPTED, the record says ENQUEUED, nothing is announced', async () => {
      const body = await request();
      await setStatus('DELAYED');
      expect(told(await send(gateway(), noun, body))).toBe('200 ACCEPTED');
      expect((await readPayment(gateway(), noun, body[idName]))['status']).toBe('ENQUEUED');
      const callbacks = await select(gateway(), 'select 1 from callbacks where payment_id = $1', [
        body[idName],
      ]);
      expect(callbacks).toEqual([]);
      expect(told(await send(gateway(), noun, body))).toBe('200 DUPLICATE_IGNORED');
    });

    test('it is released when the provider is OPERATIONAL again, and completes', async () => {
      const body = await request();
      await setStatus('DELAYED');
      const id = await start(gateway(), noun, body);
      await setStatus('OPERATIONAL');
      const record = await waitForPayment(gateway(), noun, id, 'COMPLETED');
      await eventually(() => callbacksAbout(gateway(), noun, id)).toEqual([record]);
    });
  });

  describe('provider CLOSED', () => {
    afterEach(() => setStatus('OPERATIONAL'));

    test('rejected PROVIDER_TEMPORARILY_UNAVAILABLE; the identifier stays free', async () => {
      const body = await request();
      await setStatus('CLOSED');
      const answer = await send(gateway(), noun, body);
      expect(told(answer)).toBe('200 REJECTED PROVIDER_TEMPORARILY_UNAVAILABLE');
      expect(quotedByAnswer(answer)).toEqual([PROVIDER]);
      expect(answer.body).not.toHaveProperty('created');
      await setStatus('OPERATIONAL');
      expect(told(await send(gateway(), noun, body))).toBe('200 ACCEPTED');
    });

    test('a repeat is DUPLICATE_IGNORED even now', async () => {
      const body = await request();
      await start(gateway(), noun, body);
      await setStatus('CLOSED');
      expect(told(await send(gateway(), noun, body))).toBe('200 DUPLICATE_IGNORED');
    });
  });

  describe('cancel enqueued', () => {
    afterEach(() => setStatus('OPERATIONAL'));

    test('ENQUEUED: ACCEPTED; it is FAILED with MANUALLY_CANCELLED and a callback is sent', async () => {
      const id = await enqueued();
      expect(await act('fail-enqueued', id)).toEqual({
        status: 200,
        body: { [idName]: id, status: 'ACCEPTED' },
      });
      const record = await readPayment(gateway(), noun, id);
      expect(record).toMatchObject({
        status: 'FAILED',
        failureReason: { failureCode: 'MANUALLY_CANCELLED' },
      });
      await eventually(() => callbacksAbout(gateway(), noun, id)).toEqual([record]);
    });

    test('what it held is free again', async () => {
      const id = await enqueued();
      await act('fail-enqueued', id);
      const transfers = await select(
        gateway(),
        'select state from transfers where subject_id in (select payment_no from payment_keys where payment_id = $1)',
        [id],
      );
      expect(transfers.map(({ state }) => state)).toEqual(['VOIDED']);
    });

    test('it is never sent, also when the provider is back and lets others go', async () => {
      const requests = [await request(), await request()];
      await setStatus('DELAYED');
      const [cancelled = '', waiting = ''] = await Promise.all(
        requests.map((body) => start(gateway(), noun, body)),
      );
      await act('fail-enqueued', cancelled);
      await setStatus('OPERATIONAL');
      await waitForPayment(gateway(), noun, waiting, 'COMPLETED');
      const attempts = await select(
        gateway(),
        'select payment_id from payment_attempts where payment_id = any($1)',
        [[cancelled, waiting]],
      );
      expect(attempts).toEqual([{ payment_id: waiting }]);
    });

    test('a second time: REJECTED INVALID_STATE', async () => {
      const id = await enqueued();
      await act('fail-enqueued', id);
      expect(told(await act('fail-enqueued', id))).toBe('200 REJECTED INVALID_STATE');
    });

    test.each<[string, typeof COMPLETES]>([
      ['COMPLETED', COMPLETES],
      ['FAILED', HAS_NO_WALLET],
    ])('%s: REJECTED INVALID_STATE', async (status, to) => {
      const id = await started(to);
      await waitForPayment(gateway(), noun, id, status);
      expectInvalidState(await act('fail-enqueued', id), { noun, id: id, state: status });
    });

    describeTarget('fail-enqueued', acting);
  });

  describe('resend callback', () => {
    test.each<[string, typeof COMPLETES]>([
      ['COMPLETED', COMPLETES],
      ['FAILED', HAS_NO_WALLET],
    ])('%s: ACCEPTED, and the same record is sent again', async (status, to) => {
      const id = await started(to);
      const record = await waitForPayment(gateway(), noun, id, status);
      await eventually(() => callbacksAbout(gateway(), noun, id).length).toBe(1);
      expect(await act('resend-callback', id)).toEqual({
        status: 200,
        body: { [idName]: id, status: 'ACCEPTED' },
      });
      await eventually(() => callbacksAbout(gateway(), noun, id)).toEqual([record, record]);
    });

    test('ENQUEUED, not final: REJECTED INVALID_STATE', async () => {
      const body = await request();
      await setStatus('DELAYED');
      try {
        const id = await start(gateway(), noun, body);
        expectInvalidState(await act('resend-callback', id), { noun, id: id, state: 'ENQUEUED' });
      } finally {
        await setStatus('OPERATIONAL');
      }
    });

    describeTarget('resend-callback', acting);
  });

  describe('sandbox numbers marked STUCK', () => {
    const stuck = numbers.filter(({ operation: of, outcome }) => of === 'PAYOUT' && outcome === 'STUCK');

    test('stay PROCESSING and can be neither cancelled nor announced; the horizon makes them IN_RECONCILIATION', async () => {
      const ids = await Promise.all(stuck.map((row) => started(row)));
      expect(ids).toHaveLength(30);
      for (const id of ids) await waitForPayment(gateway(), noun, id, 'PROCESSING');
      const one = await started(NEVER_ENDS);
      await waitForPayment(gateway(), noun, one, 'PROCESSING');
      expectInvalidState(await act('fail-enqueued', one), { noun, id: one, state: 'PROCESSING' });
      expectInvalidState(await act('resend-callback', one), { noun, id: one, state: 'PROCESSING' });
      const { horizonMs } = gateway().engine.connectors.get('simulator')!.timing;
      await waitForOperators(gateway(), [...ids, one]);
      await gateway().gateway.movableClock!.move(horizonMs - 60_000);
      for (const id of ids) expect((await readPayment(gateway(), noun, id))['status']).toBe('PROCESSING');
      await gateway().gateway.movableClock!.move(120_000);
      for (const id of [...ids, one]) await waitForPayment(gateway(), noun, id, 'IN_RECONCILIATION');
      expectInvalidState(await act('fail-enqueued', one), { noun, id: one, state: 'IN_RECONCILIATION' });
    });
  });
}
