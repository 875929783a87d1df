import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { changeFee } from '../../src/core/merchants/administer-merchants.ts';
import { adjustWallet, settleWallet } from '../../src/core/ledger/administer-wallets.ts';
import { parseAmount } from '../../src/domain/money.ts';
import { clockAt } from '../clocks.ts';
import { depositRequest, payer, type TestGateway } from '../gateway.ts';
import { setAvailability, start, startCompleted, topUp, waitForPayment } from '../payments.ts';
import { payoutRequest, refundRequest } from '../requests.ts';
import { openTestConsole, signedIn, type TestPerson } from './people.ts';

let gateway: TestGateway;
let finance: TestPerson;
const ids: Record<string, string> = {};

/** A life of a wallet: money in every way it can come and go. */
beforeAll(async () => {
  gateway = await openTestConsole();
  finance = await signedIn(gateway, 'FINANCE');
  const { engine, merchantId } = gateway;
  for (const operation of ['DEPOSIT', 'PAYOUT', 'REFUND'] as const) {
    const fee = { basisPoints: 100, fixed: parseAmount('1')! };
    await changeFee(engine, {
      by: 'test',
      merchantId,
      provider: 'MTN_MOMO_RWA',
      operation,
      currency: 'RWF',
      fee,
    });
  }
  const order = { by: 'test', merchantId, country: 'RWA', currency: 'RWF' };
  await topUp(gateway, merchantId, '5000');
  ids['deposit'] = await startCompleted(gateway, 'deposit', depositRequest({ amount: '1000' }));
  ids['payout'] = await startCompleted(gateway, 'payout', payoutRequest({ amount: '200' }));
  ids['refund'] = await startCompleted(
    gateway,
    'refund',
    refundRequest(ids['deposit'], { amount: '300', currency: 'RWF' }),
  );
  await settleWallet(engine, { ...order, amount: parseAmount('50')! });
  await adjustWallet(engine, { ...order, amount: -parseAmount('7')!, reason: 'a test' });
  // Neither moves anything: one failed, and one waits.
  const failing = depositRequest({ payer: payer('MTN_MOMO_RWA', '250783456039') });
  await waitForPayment(gateway, 'deposit', await start(gateway, 'deposit', failing), 'FAILED');
  await setAvailability(gateway, 'payout', 'DELAYED');
  await waitForPayment(
    gateway,
    'payout',
    await start(gateway, 'payout', payoutRequest({ amount: '100' })),
    'ENQUEUED',
  );
});
afterAll(() => gateway.stop());

function list(person: TestPerson, query = 'country=RWA&currency=RWF') {
  return person.call('GET', `api/merchants/${gateway.merchantId}/movements?${query}`);
}

const told = ({ type, amount, fee, net, balance }: any) => [type, amount, fee, net, balance].join(' ');

describe('wallets', () => {
  test('wallets show what can be spent and what is held', async () => {
    const { body } = await finance.call('GET', `api/merchants/${gateway.merchantId}/wallets`);
    // The sandbox's million, and 5000 + 989 - 203 - 304 - 50 - 7 = 5425, of which 102 are held.
    expect(body.wallets).toContainEqual({
      country: 'RWA',
      currency: 'RWF',
      provider: '',
      available: '1005323',
      held: '102',
      alertBelow: null,
    });
  });
});

describe('movements', () => {
  test('movements are told with their payment, its fee and the balance after them, the newest first', async () => {
    const { status, body } = await list(finance);
    expect(status).toBe(200);
    expect(body.next).toBeNull();
    expect(body.rows.map(told)).toEqual([
      'ADJUSTMENT -7 0 -7 1005425',
      'SETTLEMENT -50 0 -50 1005432',
      'REFUND -300 4 -304 1005482',
      'PAYOUT -200 3 -203 1005786',
      'DEPOSIT 1000 11 989 1005989',
      'TOP_UP 5000 0 5000 1005000',
      'TOP_UP 1000000 0 1000000 1000000',
    ]);
    expect(body.rows[2]).toMatchObject({
      id: ids['refund'],
      payment: { kind: 'REFUND', paymentId: ids['refund'], state: 'COMPLETED', provider: 'MTN_MOMO_RWA' },
    });
    expect(body.rows[0].payment).toBeNull();
  });

  test('movements come in pages that miss nothing and repeat nothing, also where times are equal', async () => {
    const { database } = gateway.engine.store;
    const { rows } = await database.query<{ account_id: string; other: string }>(
      `select w.account_id, (select account_id from accounts where type = 'CLEARING' limit 1) as other
       from wallets w join accounts a using (account_id) where a.currency = 'RWF' and w.merchant_id = $1`,
      [gateway.merchantId],
    );
    // Corrections up and down, all at one moment long ago.
    for (let number = 0; number < 7; number += 1) {
      const [debit, credit] =
        number % 2 === 0 ? (['account_id', 'other'] as const) : (['other', 'account_id'] as const);
      await database.query(
        `insert into transfers (merchant_id, subject_kind, subject_id, leg_no, template, debit_account_id,
           credit_account_id, amount, state, created_at)
         values ($1, 'ADJUSTMENT', $2, 0, 'ADJUSTMENT', $3, $4, 1, 'POSTED', '2020-01-01T00:00:00Z')`,
        [gateway.merchantId, randomUUID(), rows[0]![debit], rows[0]![credit]],
      );
    }
    await database.query('update wallets set posted = posted - 1 where account_id = $1', [
      rows[0]!.account_id,
    ]);
    const whole = (await list(finance)).body.rows;
    expect(whole).toHaveLength(14);
    // The first movement of all leads from nothing to its balance.
    expect(whole.at(-1).balance).toBe(whole.at(-1).net);
    const paged: unknown[] = [];
    let cursor = '';
    for (let page = 0; page < 20; page += 1) {
      const { body } = await list(finance, `country=RWA&currency=RWF&limit=2${cursor}`);
      paged.push(...body.rows);
      if (body.next === null) break;
      cursor = `&cursor=${body.next}`;
    }
    expect(paged).toEqual(whole);
  });

  test('balances of later pages stay exact while the wallet moves, also by what is committed late', async () => {
    const page = (cursor = '') => list(finance, `country=RWA&currency=RWF&limit=3${cursor}`);
    const first = (await page()).body;
    const order = { by: 'test', merchantId: gateway.merchantId, country: 'RWA', currency: 'RWF' };
    // One that is newer than the page, and one that was decided before it and is committed only now.
    await settleWallet(gateway.engine, { ...order, amount: parseAmount('11')! });
    await adjustWallet(
      { ...gateway.engine, clock: clockAt(() => new Date(Date.parse(first.rows.at(-1).at) - 1)) },
      { ...order, amount: parseAmount('5')!, reason: 'late' },
    );
    const second = (await page(`&cursor=${first.next}`)).body;
    expect(second.rows[0]).toMatchObject({ type: 'ADJUSTMENT', net: '5' });
    const whole = (await list(finance)).body.rows;
    const same = whole.filter(({ id }: any) => second.rows.some((row: any) => row.id === id));
    expect(second.rows).toEqual(same);
    expect(whole.at(-1).balance).toBe(whole.at(-1).net);
  });

  test('of a wallet that has none are none', async () => {
    expect((await list(finance, 'country=ZMB&currency=USD')).body).toEqual({ rows: [], next: null });
  });

  test.each(['limit=101', 'limit=0', 'cursor=nonsense', 'provider=mtn'])(
    'with %s are refused',
    async (part) => {
      expect((await list(finance, `country=RWA&currency=RWF&${part}`)).status).toBe(400);
    },
  );
});
