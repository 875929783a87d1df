// Four promises that must hold for every connector of the registry, shown with the whole gateway: a real PostgreSQL,
// HTTP to the operator's fake, and the fake's notifications coming back over HTTP. For one connector alone:
// npx vitest run server/test/connectors/through-the-gateway.test.ts -t 'through mtn-momo'
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { factsOf } from '../../src/connectors/port.ts';
import { eventually, select } from '../gateway.ts';
import { callbacksAbout, readPayment, start, startCompleted, waitForPayment } from '../payments.ts';
import { refundRequest } from '../requests.ts';
import { openOperatorGateway, requestFor, type OperatorGateway } from './operator-gateway.ts';
import { DEFINITE_FAILURES, TRIALS } from './stage.ts';

const MINUTE_MS = 60_000;

// By %s, because $title would stand in quotation marks, and no filter would find it.
describe.each(TRIALS.map((trial) => [trial.title, trial] as const))(
  'payments through %s',
  (_title, trial) => {
    let gateway: OperatorGateway;
    beforeEach(async () => {
      gateway = await openOperatorGateway(trial);
    });
    afterEach(() => gateway.stop());

    const charges = () => gateway.fake.books().charges;
    const move = (ms: number) => gateway.gateway.movableClock!.move(ms);
    const transfersOf = (paymentId: string) =>
      select(
        gateway,
        `select 1 from transfers
          where subject_id in (select payment_no from payment_keys where payment_id = $1) and template = $2`,
        [paymentId, 'SETTLE'],
      );
    /** What the merchant was told at the end. That a payer must be redirected is told before, and is no end. */
    const endsTold = (noun: 'deposit' | 'payout', id: string) =>
      callbacksAbout(gateway, noun, id)
        .map(({ status }) => status as string)
        .filter((status) => status !== 'PROCESSING');
    const isOffered = (kind: 'PAYOUT' | 'REFUND') => gateway.connector.supports(kind, gateway.provider);

    test('complete, and the books of both sides agree', async ({ skip }) => {
      const depositId = await startCompleted(gateway, 'deposit', requestFor(gateway, 'deposit'));
      expect(await transfersOf(depositId)).toHaveLength(1);
      if (isOffered('PAYOUT')) await startCompleted(gateway, 'payout', requestFor(gateway, 'payout'));
      if (isOffered('REFUND')) await startCompleted(gateway, 'refund', refundRequest(depositId));
      const payments = await select<{ kind: string; amount: string }>(
        gateway,
        `select kind, trim_scale(amount)::text as amount from payments where state = 'COMPLETED' order by kind`,
      );
      const booked = charges().map(({ operation, amount }) => ({ kind: operation as string, amount }));
      expect(booked.toSorted((a, b) => order(a.kind) - order(b.kind))).toEqual(payments);
      skip(!isOffered('PAYOUT') && !isOffered('REFUND'), 'it only collects, and that was shown');
    });

    test.each(['deposit', 'payout'] as const)(
      'a %s whose answer was lost after it was accepted is not charged a second time',
      async (noun) => {
        if (noun === 'payout' && !isOffered('PAYOUT')) return;
        gateway.fake.addFault({ type: 'LOSE_ANSWER', step: 'submit' });
        const id = await start(gateway, noun, requestFor(gateway, noun));
        // Where its own reference was lost with the answer, and it signs nothing, a report must prove what happened.
        const { authenticity } = gateway.connector.notifications ?? {};
        const { chosenBy } = factsOf(gateway.connector, KINDS[noun]).reference;
        const isTold = chosenBy === 'OURS' || authenticity === 'SIGNED';
        if (isTold) await waitForPayment(gateway, noun, id, 'COMPLETED');
        else await eventually(() => charges().length).toBe(1);
        // However long we wait and ask, the operator is sent nothing more.
        await move(gateway.timingOf('DEPOSIT').horizonMs + MINUTE_MS);
        if (!isTold) await waitForPayment(gateway, noun, id, 'IN_RECONCILIATION');
        await eventually(() => endsTold(noun, id)).toEqual(isTold ? ['COMPLETED'] : []);
        expect(charges().map(({ submissions }) => submissions)).toEqual([1]);
      },
    );

    test('a forged notification is ignored and counted', async ({ skip }) => {
      skip(gateway.connector.notifications === undefined, 'it sends none');
      gateway.fake.addFault({ type: 'OUTCOME', status: 'PENDING' });
      gateway.fake.addFault({ type: 'FORGED_NOTIFICATION' });
      const depositId = await start(gateway, 'deposit', requestFor(gateway, 'deposit'));
      await eventually(() => countDoubtful(gateway)).toBe(1);
      const kept = await select(gateway, 'select reading from operator_notifications');
      expect(kept.map(({ reading }) => reading)).not.toContain('AUTHENTIC');
      await eventually(async () => (await openNotifications()).length).toBe(0);
      expect((await readPayment(gateway, 'deposit', depositId))['status']).toBe('PROCESSING');
      expect(await transfersOf(depositId)).toEqual([]);
    });

    test('D: an end with an unmapped code is unknown, or FAILED with an alert where the status is definite', async () => {
      gateway.fake.addFault({ type: 'UNKNOWN_CODE' });
      const depositId = await start(gateway, 'deposit', requestFor(gateway, 'deposit'));
      if (DEFINITE_FAILURES.has(trial.name)) {
        await waitForPayment(gateway, 'deposit', depositId, 'FAILED');
        await eventually(async () => (await gateway.gateway.metrics.render()).text).toMatch(
          new RegExp(`malipo_operator_alerts_total\\{connector="${trial.name}",alert="UNMAPPED_`),
        );
        return;
      }
      await eventually(() => saidOf(depositId)).toContain('UNKNOWN UNMAPPED_CODE');
      expect((await readPayment(gateway, 'deposit', depositId))['status']).toBe('PROCESSING');
      await move(gateway.timingOf('DEPOSIT').horizonMs + MINUTE_MS);
      await waitForPayment(gateway, 'deposit', depositId, 'IN_RECONCILIATION');
      expect(endsTold('deposit', depositId)).toEqual([]);
    });

    test('a success reported after our time-out makes it COMPLETED with a callback', async () => {
      const { horizonMs, reconciliationDelayMs } = gateway.timingOf('DEPOSIT');
      const delayMs = horizonMs + 10 * MINUTE_MS;
      gateway.fake.addFault({ type: 'OUTCOME', status: 'SUCCESSFUL', delayMs });
      const depositId = await start(gateway, 'deposit', requestFor(gateway, 'deposit'));
      await waitForPayment(gateway, 'deposit', depositId, 'PROCESSING');
      await eventually(() => charges().length).toBe(1);
      await move(horizonMs + MINUTE_MS);
      await waitForPayment(gateway, 'deposit', depositId, 'IN_RECONCILIATION');
      await move(delayMs - horizonMs + reconciliationDelayMs);
      await waitForPayment(gateway, 'deposit', depositId, 'COMPLETED');
      await eventually(() => endsTold('deposit', depositId)).toEqual(['COMPLETED']);
      expect(await transfersOf(depositId)).toHaveLength(1);
    });

    test('D: a request that the operator acknowledged with a reference of its own is never taken for one it has not seen', async ({
      skip,
    }) => {
      gateway.fake.addFault({ type: 'OUTCOME', status: 'PENDING' });
      const depositId = await start(gateway, 'deposit', requestFor(gateway, 'deposit'));
      await eventually(() => saidOf(depositId)).toContain('PENDING');
      const named = await select(
        gateway,
        'select 1 from payment_attempts where provider_reference is not null',
      );
      skip(named.length === 0, 'it acknowledges without a reference of its own');
      skip(gateway.restartEmpty === null, 'it cannot lose its books');
      const empty = await gateway.restartEmpty!();
      const { horizonMs } = gateway.timingOf('DEPOSIT');
      const asked = (await saidOf(depositId)).length;
      await move(horizonMs / 2);
      await eventually(async () => (await saidOf(depositId)).length).toBeGreaterThan(asked);
      expect((await readPayment(gateway, 'deposit', depositId))['status']).toBe('PROCESSING');
      await move(horizonMs);
      await waitForPayment(gateway, 'deposit', depositId, 'IN_RECONCILIATION');
      expect(empty.books().charges).toEqual([]);
    });

    const openNotifications = () =>
      select(gateway, 'select 1 from operator_notifications where applied_at is null');
    const saidOf = async (paymentId: string) => {
      const rows = await select(
        gateway,
        `select detail from payment_events
          where payment_no in (select payment_no from payment_keys where payment_id = $1)`,
        [paymentId],
      );
      return rows.map(({ detail }) => detail as string | null);
    };
  },
);

/** Messages no one vouches for, as the metrics count them. */
async function countDoubtful({ gateway, connector }: OperatorGateway): Promise<number> {
  const { text } = await gateway.metrics.render();
  const counts = text.matchAll(/^malipo_notifications_total\{connector="([^"]+)",reading="(\w+)"\} (\d+)/gm);
  return [...counts]
    .filter(([, name, reading = '']) => name === connector.name && reading !== 'AUTHENTIC')
    .reduce((sum, [, , , count]) => sum + Number(count), 0);
}

const KINDS = { deposit: 'DEPOSIT', payout: 'PAYOUT' } as const;

const order = (kind: string) => ['DEPOSIT', 'PAYOUT', 'REFUND'].indexOf(kind);
