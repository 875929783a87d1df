// What the port can say that the simplest operator never does: a reference that only the operator knows, refunds in one
// piece, balances told later, words of acknowledgement. Shown with the whole gateway and a connector that departs.
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { evidenceOfMessage } from '../../src/connectors/evidence.ts';
import type { Connector, NotificationReading, RawNotification } from '../../src/connectors/port.ts';
import { measureFloat } from '../../src/core/monitoring/measure-float.ts';
import { notificationSecret } from '../../src/core/operators/reference.ts';
import { insertQuestion } from '../../src/store/operators/operator-questions.ts';
import { nowOf } from '../clocks.ts';
import {
  call,
  initiate,
  openTestGateway,
  readDeposit,
  select,
  waitForStatus,
  type TestGateway,
} from '../gateway.ts';
import { send, startCompleted } from '../payments.ts';
import { payoutRequest, refundRequest } from '../requests.ts';
import { depositRequest, eventually } from '../gateway.ts';

let gateway: TestGateway;
beforeEach(async () => {
  gateway = await openTestGateway({ timing: { enquiryDelaysMs: [100], timeoutMs: 800 } });
});
afterEach(() => gateway.stop());

/** The sandbox's connector with other habits. */
function depart(change: (connector: Connector) => Partial<Connector>): Connector {
  const connectors = gateway.engine.connectors as Map<string, Connector>;
  const connector = connectors.get('simulator')!;
  const departed = { ...connector, ...change(connector) };
  connectors.set('simulator', departed);
  return departed;
}

describe('an operator that picks the only queryable reference', () => {
  const THEIRS = {
    departures: {
      DEPOSIT: {
        reference: { chosenBy: 'THEIRS', shape: 'TOKEN' },
        repeatedSubmit: 'CHARGES_AGAIN',
      },
    },
  } as const;

  test('an operator that picks the only queryable reference is never asked about a request whose answer was lost; its notification completes it', async () => {
    let queries = 0;
    depart(({ query }) => ({
      ...THEIRS,
      query: (attempt) => {
        queries += 1;
        return query!(attempt);
      },
    }));
    gateway.simulator.addFault({ type: 'LOSE_ANSWER' });
    gateway.simulator.addFault({ type: 'OUTCOME', status: 'SUCCESSFUL', delayMs: 600 });
    const depositId = await initiate(gateway);
    await waitForStatus(gateway, depositId, 'COMPLETED');
    expect(queries).toBe(0);
    expect(gateway.simulator.books().charges.map(({ submissions }) => submissions)).toEqual([1]);
  });

  test('an operator that picks the only queryable reference is asked by its own reference once that is known', async () => {
    const asked: (string | undefined)[] = [];
    depart(({ query }) => ({
      ...THEIRS,
      query: (attempt) => {
        asked.push(attempt.providerReference);
        return query!(attempt);
      },
    }));
    gateway.simulator.changeSettings({ notifications: false, outcomeDelayMs: 300 });
    await waitForStatus(gateway, await initiate(gateway), 'COMPLETED');
    expect(asked[0]).toMatch(/^SIM/);
  });

  test('an operator that picks the only queryable reference gets a request later that could not be sent, until the payer of a deposit has left', async () => {
    depart(() => THEIRS);
    await gateway.simulator.stop();
    const depositId = await initiate(gateway);
    await eventually(() =>
      select(
        gateway,
        `select 1 from payment_events
          where payment_no in (select payment_no from payment_keys where payment_id = $1) and event = 'SUBMIT_UNSENT'`,
        [depositId],
      ),
    ).not.toEqual([]);
    await waitForStatus(gateway, depositId, 'PROCESSING');
    await gateway.gateway.movableClock!.move(3 * 60_000);
    const record = await waitForStatus(gateway, depositId, 'FAILED');
    expect(record['failureReason'].failureCode).toBe('OTHER_ERROR');
  });

  test('an operator that picks the only queryable reference departs for one operation only: a payout is asked about by our reference', async () => {
    depart(() => THEIRS);
    gateway.simulator.addFault({ type: 'LOSE_ANSWER' });
    gateway.simulator.changeSettings({ notifications: false });
    await startCompleted(gateway, 'payout', payoutRequest());
  });
});

describe('an operator that refunds only whole deposits', () => {
  test('an operator that refunds only whole deposits is not asked for a part, and refunds the whole', async () => {
    depart(({ refund }) => ({ refund: { ...refund!, mode: 'NATIVE_FULL' } }));
    const depositId = await startCompleted(gateway, 'deposit', depositRequest());
    const part = await send(gateway, 'refund', refundRequest(depositId, { amount: '40', currency: 'RWF' }));
    expect(part.body['failureReason']).toMatchObject({ failureCode: 'AMOUNT_OUT_OF_BOUNDS' });
    expect(part.body['failureReason'].failureMessage).toContain("at least '100' and at most '100'");
    await startCompleted(gateway, 'refund', refundRequest(depositId));
  });

  test('an operator that refunds only whole deposits is given the receipt of the deposit', async () => {
    const receipts: (string | undefined)[] = [];
    depart(({ refund }) => ({
      refund: {
        mode: 'REVERSAL',
        submit: (order, permission) => {
          receipts.push(order.original.providerTransactionId);
          return refund!.submit(order, permission);
        },
      },
    }));
    const depositId = await startCompleted(gateway, 'deposit', depositRequest());
    await startCompleted(gateway, 'refund', refundRequest(depositId));
    expect(receipts).toEqual([(await readDeposit(gateway, depositId))['providerTransactionId']]);
  });
});

/** It believes whatever it is told: that nothing vouches for a message is for the gateway to find out. */
const read = ({ body, pathReference = '' }: RawNotification): NotificationReading => ({
  type: 'BALANCE',
  reference: pathReference,
  amount: BigInt(body.toString()),
});

describe('an operator that reports balances later', () => {
  const MINIMUM = [{ provider: 'MTN_MOMO_RWA', currency: 'RWF', amount: 1n }];
  const told = async () => {
    const { samples } = await measureFloat(gateway.engine, { minimums: MINIMUM });
    return samples.find(({ metric }) => metric === 'malipo_float_operator_amount')?.value ?? null;
  };

  test('B1: an operator that reports balances later is trusted for an hour, once, and only at the address that was made for the answer', async () => {
    const asked: string[] = [];
    depart(() => ({
      balance: async ({ reference }) => {
        asked.push(reference);
        return { type: 'REQUESTED' };
      },
      notifications: { authenticity: 'ANSWERS_ONLY', read, acknowledge: () => ({ ResultCode: 0 }) },
    }));
    expect(await told()).toBeNull();
    const [reference = ''] = asked;
    expect(reference).toMatch(/^[0-9a-f]{32}$/);
    const { database, keyring } = gateway.engine.store;
    const secret = await insertQuestion(database, keyring, { reference, now: nowOf(gateway.engine) });
    const at = (kind: string, key: string) => `/operators/simulator/${kind}/${reference}/${key}/result`;
    const steady = notificationSecret(gateway.engine.referenceKey, reference);
    for (const path of [at('notifications', steady), at('answers', steady), at('answers', '0'.repeat(64))]) {
      expect((await call(gateway, 'POST', path, '9990000')).status).toBe(200);
      expect(await told()).toBeNull();
    }
    const answer = await call(gateway, 'POST', at('answers', secret), '1230000');
    expect(answer).toEqual({ status: 200, body: { ResultCode: 0 } });
    expect(await told()).toBe(123);
    // The same address does not work a second time.
    await call(gateway, 'POST', at('answers', secret), '7770000');
    expect(await told()).toBe(123);
    expect(await select(gateway, 'select 1 from operator_notifications where applied_at is null')).toEqual(
      [],
    );
    await gateway.gateway.movableClock!.move(3_600_001);
    expect(await told()).toBeNull();
  });
});

test('the evidence of a message is JSON and limited in length', () => {
  const evidence = evidenceOfMessage(Buffer.from('x'.repeat(5_000)));
  expect((JSON.parse(evidence) as { body: string }).body).toHaveLength(1_000);
});
