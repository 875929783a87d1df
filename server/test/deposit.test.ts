// One deposit, from request to callback, through every part of a running gateway.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import numbers from '../src/sandbox/fakes/payers/numbers.json' with { type: 'json' };
import { findProvider } from '../src/domain/operators/catalogue.ts';
import { listTrialBalance, listUnbalancedWallets } from '../src/store/ledger/ledger.ts';
import {
  call,
  depositRequest,
  eventually,
  initiate,
  openTestGateway,
  payer,
  readDeposit,
  select,
  waitForStatus,
  type TestGateway,
} from './gateway.ts';
import { waitForOperators } from './payments.ts';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await openTestGateway();
});
afterAll(() => gateway.stop());

async function walletOf(country: string): Promise<number> {
  const [wallet] = await select(
    gateway,
    'select posted from wallets join accounts using (account_id) where country = $1 and type = $2',
    [country, 'WALLET'],
  );
  return Number(wallet!['posted']);
}

describe('a deposit that completes', () => {
  test('a deposit that completes is ACCEPTED, reaches COMPLETED, grows the wallet by its amount and is announced once with the same record', async () => {
    const before = await walletOf('RWA');
    const depositId = await initiate(gateway, {
      amount: '250',
      clientReferenceId: 'INV-7',
      metadata: [{ order: 'A1' }],
    });
    const record = await waitForStatus(gateway, depositId, 'COMPLETED');
    expect(record).toMatchObject({
      depositId,
      amount: '250',
      currency: 'RWF',
      country: 'RWA',
      clientReferenceId: 'INV-7',
    });
    expect(await walletOf('RWA')).toBe(before + 250);
    const mine = () => gateway.receiver.received.filter(({ body }) => body['depositId'] === depositId);
    await eventually(() => mine().length).toBe(1);
    expect(mine()[0]!.body).toEqual(record);
    expect(mine()[0]!.contentType).toBe('application/json; charset=UTF-8');
  });

  test("a deposit that completes is in the simulator's books exactly once, with our amount", async () => {
    const depositId = await initiate(gateway, { amount: '77' });
    const record = await waitForStatus(gateway, depositId, 'COMPLETED');
    const charges = gateway.simulator
      .books()
      .charges.filter((charge) => charge.transactionId === record['providerTransactionId']);
    expect(charges).toHaveLength(1);
    expect(charges[0]).toMatchObject({ amount: '77', currency: 'RWF', submissions: 1 });
  });

  test('a deposit that completes leaves books that add up to zero and wallets that equal their transfers', async () => {
    const totals = new Map<string, bigint>();
    for (const { currency, balance } of await listTrialBalance(gateway.engine.store.database)) {
      totals.set(currency, (totals.get(currency) ?? 0n) + balance);
    }
    expect([...totals.values()].every((total) => total === 0n)).toBe(true);
    expect(await listUnbalancedWallets(gateway.engine.store.database)).toEqual([]);
  });
});

describe('sandbox numbers', () => {
  const deposits = numbers.filter(({ operation }) => operation === 'DEPOSIT');
  const finished = deposits.filter(({ outcome }) => outcome !== 'STUCK');

  test.each(finished)(
    '$provider $phoneNumber ends as $outcome',
    async ({ provider, phoneNumber, outcome }) => {
      const depositId = await initiate(gateway, depositTo(provider, phoneNumber));
      const record = await waitForStatus(
        gateway,
        depositId,
        outcome === 'COMPLETED' ? 'COMPLETED' : 'FAILED',
      );
      if (outcome !== 'COMPLETED') expect(record['failureReason'].failureCode).toBe(outcome);
    },
  );
});

describe('repeats', () => {
  test('200 simultaneous requests with one depositId: one ACCEPTED, 199 DUPLICATE_IGNORED with the same created, one transfer', async () => {
    const request = depositRequest({ amount: '31' });
    const answers = await Promise.all(
      Array.from({ length: 200 }, () => call(gateway, 'POST', '/v2/deposits', request)),
    );
    const statuses = answers.map(({ body }) => body['status']);
    expect(statuses.filter((status) => status === 'ACCEPTED')).toHaveLength(1);
    expect(statuses.filter((status) => status === 'DUPLICATE_IGNORED')).toHaveLength(199);
    expect(new Set(answers.map(({ body }) => body['created'])).size).toBe(1);
    await waitForStatus(gateway, request['depositId'], 'COMPLETED');
    const transfers = await select(
      gateway,
      'select 1 from transfers where subject_id in (select payment_no from payment_keys where payment_id = $1)',
      [request['depositId']],
    );
    expect(transfers).toHaveLength(1);
  });

  test('a repeated depositId is DUPLICATE_IGNORED whatever else is now true, also in other letters', async () => {
    const depositId = await initiate(gateway);
    await waitForStatus(gateway, depositId, 'COMPLETED');
    const repeated = {
      ...depositRequest({ amount: '999999999', currency: 'XXX' }),
      depositId: depositId.toUpperCase(),
    };
    const answer = await call(gateway, 'POST', '/v2/deposits', repeated);
    expect(answer.body).toMatchObject({ status: 'DUPLICATE_IGNORED', depositId: depositId.toUpperCase() });
    expect(await readDeposit(gateway, depositId)).toMatchObject({ amount: '100', currency: 'RWF' });
  });

  test('a REJECTED depositId stays free', async () => {
    const request = depositRequest({ amount: '0' });
    expect((await call(gateway, 'POST', '/v2/deposits', request)).body['status']).toBe('REJECTED');
    const corrected = { ...request, amount: '100' };
    expect((await call(gateway, 'POST', '/v2/deposits', corrected)).body['status']).toBe('ACCEPTED');
  });
});

describe('sandbox numbers marked STUCK', () => {
  const stuck = numbers.filter(({ operation, outcome }) => operation === 'DEPOSIT' && outcome === 'STUCK');

  test('sandbox numbers marked STUCK stay PROCESSING, then go to IN_RECONCILIATION when the clock passes the horizon', async () => {
    const depositIds = await Promise.all(
      stuck.map(({ provider, phoneNumber }) => initiate(gateway, depositTo(provider, phoneNumber))),
    );
    await waitForOperators(gateway, depositIds);
    const { horizonMs } = gateway.engine.connectors.get('simulator')!.timing;
    await gateway.gateway.movableClock!.move(horizonMs - 60_000);
    for (const depositId of depositIds)
      expect((await readDeposit(gateway, depositId))['status']).toBe('PROCESSING');
    await gateway.gateway.movableClock!.move(120_000);
    for (const depositId of depositIds) await waitForStatus(gateway, depositId, 'IN_RECONCILIATION');
    expect(depositIds).toHaveLength(34);
  });
});

/** The smallest deposit a provider takes, from this number. */
function depositTo(provider: string, phoneNumber: string): Record<string, unknown> {
  const { authType, currencies } = findProvider(provider)!;
  const { currency, operations } = currencies[0]!;
  return {
    amount: operations.DEPOSIT!.minAmountText,
    currency,
    payer: payer(provider, phoneNumber),
    ...(authType === 'PREAUTH' && { preAuthorisationCode: '1234' }),
  };
}
