// Rows of the specification about lists of payments (completions 1.3), for each kind that has them.
import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import type { PaymentKind } from '../../src/domain/payments/payment.ts';
import { call, eventually, select, type TestGateway } from '../gateway.ts';
import { callbacksAbout, readPayment, start, topUp, waitForPayment } from '../payments.ts';
import type { Body } from '../requests.ts';
import { openAccount, openToken, type Account } from './accounts.ts';
import { told } from './answers.ts';

export type BulkKind = {
  readonly noun: 'payout' | 'remittance';
  readonly request: (changes?: Body) => Body;
};

export function describeBulk({ noun, request }: BulkKind, gateway: () => TestGateway): void {
  const idName = `${noun}Id`;
  const operation = noun.toUpperCase() as PaymentKind;
  const list = (length: number, changes: Body = {}) => Array.from({ length }, () => request(changes));
  const post = (body: unknown, caller: Pick<Account, 'url' | 'apiToken'> = gateway()) =>
    call(caller, 'POST', `/v2/${noun}s/bulk`, body);
  const statusesOf = (answer: Awaited<ReturnType<typeof post>>) =>
    (answer.body as unknown as Body[]).map(({ status }) => status);

  /** An account with this much in its Rwandan wallet. */
  async function accountWith(amount: string): Promise<Account> {
    const account = await openAccount(gateway(), { operations: [operation] });
    await topUp(gateway(), account.merchantId, amount);
    return account;
  }

  describe('bulk', () => {
    test.each([1, 20])('a list of %i is answered by a list in the same order', async (length) => {
      const bodies = list(length);
      const answer = await post(bodies);
      expect(answer).toEqual({
        status: 200,
        body: bodies.map((body) => ({
          [idName]: body[idName],
          status: 'ACCEPTED',
          created: expect.any(String),
        })),
      });
    });

    test('one callback for each payment', async () => {
      const bodies = list(3);
      await post(bodies);
      for (const { [idName]: id } of bodies) {
        const record = await waitForPayment(gateway(), noun, id, 'COMPLETED');
        await eventually(() => callbacksAbout(gateway(), noun, id)).toEqual([record]);
      }
    });

    test('each is answered for itself: ACCEPTED, REJECTED and DUPLICATE_IGNORED in one list', async () => {
      const known = request();
      await start(gateway(), noun, known);
      const answer = await post([request(), request({ amount: '0' }), known, request({ currency: 'XXX' })]);
      expect(statusesOf(answer)).toEqual(['ACCEPTED', 'REJECTED', 'DUPLICATE_IGNORED', 'REJECTED']);
      const [, outOfBounds, duplicate, currency] = answer.body as unknown as Body[];
      expect(outOfBounds!['failureReason'].failureCode).toBe('AMOUNT_OUT_OF_BOUNDS');
      expect(duplicate!['created']).toBe((await readPayment(gateway(), noun, known[idName]))['created']);
      expect(currency!['failureReason'].failureCode).toBe('INVALID_CURRENCY');
    });

    test('a repeated identifier inside one list: the first is ACCEPTED, the next DUPLICATE_IGNORED', async () => {
      const id = randomUUID();
      const answer = await post([
        request({ [idName]: id, amount: '101' }),
        request(),
        request({ [idName]: id.toUpperCase(), amount: '102' }),
        request({ [idName]: id, amount: '103' }),
      ]);
      expect(statusesOf(answer)).toEqual(['ACCEPTED', 'ACCEPTED', 'DUPLICATE_IGNORED', 'DUPLICATE_IGNORED']);
      expect((await readPayment(gateway(), noun, id))['amount']).toBe('101');
    });

    test('a repeated identifier whose first was rejected for funds is decided on its own', async () => {
      const account = await accountWith('100');
      const id = randomUUID();
      const answer = await post(
        [
          request({ [idName]: id, amount: '200' }),
          request({ [idName]: id, amount: '300' }),
          request({ [idName]: id, amount: '100' }),
          request({ [idName]: id, amount: '50' }),
        ],
        account,
      );
      expect(statusesOf(answer)).toEqual(['REJECTED', 'REJECTED', 'ACCEPTED', 'DUPLICATE_IGNORED']);
    });

    test('funds go to the first who asked; one that is too large lets smaller ones by', async () => {
      const account = await accountWith('250');
      const answer = await post(
        ['100', '200', '100', '100', '50'].map((amount) => request({ amount })),
        account,
      );
      expect(statusesOf(answer)).toEqual(['ACCEPTED', 'REJECTED', 'ACCEPTED', 'REJECTED', 'ACCEPTED']);
      const [, short] = answer.body as unknown as Body[];
      expect(short!['failureReason'].failureCode).toBe('WALLET_OUT_OF_FUNDS');
    });

    test('a shape fault in the list is one 400 object that names the element, and nothing is started', async () => {
      const bodies = [...list(3), request({ amount: 100 })];
      const answer = await post(bodies);
      expect(told(answer)).toBe('400 REJECTED INVALID_PARAMETER [3].amount');
      expect(Object.keys(answer.body)).toEqual(['status', 'failureReason']);
      const { body } = await call(gateway(), 'GET', `/v2/${noun}s/${bodies[0]![idName]}`);
      expect(body).toEqual({ status: 'NOT_FOUND' });
    });

    test.each<[string, unknown, string]>([
      ['an empty list', [], '400 REJECTED INVALID_INPUT'],
      ['an object', {}, '400 REJECTED INVALID_INPUT'],
      ['no JSON', '[', '400 REJECTED INVALID_INPUT'],
      ['an element that is no object', [1], '400 REJECTED INVALID_PARAMETER [0]'],
    ])('%s is 400', async (_, body, expected) => {
      expect(told(await post(body))).toBe(expected);
    });

    test('a list of 21 is 400 INVALID_INPUT', async () => {
      expect(told(await post(list(21)))).toBe('400 REJECTED INVALID_INPUT');
    });

    test(`on an account without ${noun}s is one 403 ${operation}S_NOT_ALLOWED`, async () => {
      const account = await openAccount(gateway(), { operations: ['DEPOSIT'] });
      expect(told(await post(list(2), account))).toBe(`403 REJECTED ${operation}S_NOT_ALLOWED`);
    });

    test('switched off later: what was accepted before is DUPLICATE_IGNORED, anything new makes it one 403', async () => {
      const account = await accountWith('100');
      const known = request();
      await start(account, noun, known);
      await select(gateway(), `update merchants set operations = '{}' where merchant_id = $1`, [
        account.merchantId,
      ]);
      expect(statusesOf(await post([known], account))).toEqual(['DUPLICATE_IGNORED']);
      expect(told(await post([known, request()], account))).toBe(`403 REJECTED ${operation}S_NOT_ALLOWED`);
    });

    test(`needs the scope ${noun}s:write; without a valid token it is 401`, async () => {
      const reader = await openToken(gateway(), gateway().merchantId, { scopes: [`${noun}s:read`] });
      expect(told(await post(list(1), reader))).toBe('403 REJECTED AUTHORISATION_ERROR');
      expect(told(await post(list(1), { ...gateway(), apiToken: 'noOne' }))).toBe(
        '401 REJECTED AUTHENTICATION_ERROR',
      );
    });
  });
}
