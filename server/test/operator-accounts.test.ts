// An operator account is replaced while payments that were sent with it are open.
import { randomUUID } from 'node:crypto';
import { afterEach, describe, expect, test } from 'vitest';
import {
  changeCredentials,
  removeCredentials,
  retireAccount,
} from '../src/core/operators/administer-operators.ts';
import { openGateway } from '../src/commands/serve/compose.ts';
import { readAuditLog } from '../src/core/audit.ts';
import { listKnownAccounts, readerOf } from '../src/core/operators/operator-accounts.ts';
import { beginRecovery } from '../src/core/recovery/recover.ts';
import { initiate } from '../src/core/payments/accept/initiate.ts';
import { findProvider } from '../src/domain/operators/catalogue.ts';
import { parseAmount } from '../src/domain/money.ts';
import type { PaymentKind } from '../src/domain/payments/payment.ts';
import { playedProvidersOf } from '../src/connectors/operator.ts';
import { OPERATORS } from '../src/connectors/registry.ts';
import { loadFake } from '../src/sandbox/fakes/registry.ts';
import type { OperatorFake } from '../src/sandbox/fakes/operator-fake.ts';
import type { Tx } from '../src/store/database.ts';
import { clockOf } from './clocks.ts';
import { openTestGateway, select, type TestGateway } from './gateway.ts';
import { smallest } from './payments.ts';
import { moveBetween, openTwoCells, type TestCell } from './two-cells.ts';
import { eventually } from './connectors/receiver.ts';
import { phoneNumberOf } from './connectors/stage.ts';

const TIMING = {
  sendDeadlineMs: 10_000,
  timeoutMs: 5_000,
  notSeenAfterMs: 20_000,
  enquiryDelaysMs: [200, 300, 500, 1_000, 600_000],
};

type Place = TestGateway & {
  readonly name: string;
  readonly provider: string;
  /** Starts the operator with another account. */
  readonly start: () => Promise<OperatorFake>;
  readonly use: (operator: OperatorFake, changes?: Record<string, string>) => Promise<void>;
};

let places: Place[] = [];
let operators: OperatorFake[] = [];
afterEach(async () => {
  for (const place of places) await place.stop();
  for (const operator of operators) await operator.stop();
  places = [];
  operators = [];
});

async function open(
  name: string,
  provider = playedProvidersOf(OPERATORS[name]!)[0]!,
  timing: Partial<typeof TIMING> = {},
  role: 'all' | 'api' = 'all',
): Promise<Place> {
  const gateway = await openTestGateway({
    operators: {
      bindings: [{ provider, kind: null, connector: name, account: null }],
      timing: { [name]: { ...TIMING, ...timing } },
    },
    announces: false,
    role,
  });
  const place: Place = {
    ...gateway,
    name,
    provider,
    start: async () => {
      const { startFake } = await loadFake(name);
      const operator = await startFake({
        clock: clockOf(gateway.engine),
        openingFloat: '100000000',
        notificationUrlOf: (one) => `${gateway.url}/operators/${name}/notifications/of/${one}`,
      });
      operators.push(operator);
      return operator;
    },
    use: async (operator, changes = {}) => {
      for (const [product, values] of Object.entries(operator.credentialsOf(provider))) {
        const key = { connector: name, account: provider, product };
        await changeCredentials(gateway.engine, { by: 'Ana', ...key, values: { ...values, ...changes } });
      }
    },
  };
  places.push(place);
  return place;
}

async function send(
  { engine, merchantId, provider }: Pick<Place, 'engine' | 'merchantId' | 'provider'>,
  kind: 'DEPOSIT' | 'PAYOUT',
): Promise<string> {
  const merchant = (await engine.directory.merchant(merchantId))!;
  const { amount, currency } = smallest(provider, kind);
  const paymentId = randomUUID();
  const order = { paymentNo: randomUUID(), merchant, apiVersion: 'v2', writtenId: paymentId } as const;
  const urls = { successfulUrl: 'https://shop.example/ok', failedUrl: 'https://shop.example/failed' };
  const isRedirected = findProvider(provider)?.authType === 'REDIRECT_AUTH' && kind === 'DEPOSIT';
  const phoneNumber = phoneNumberOf(provider);
  const details = { phoneNumber, customerMessage: 'Thank you', ...(isRedirected ? urls : {}) };
  const [answer] = await initiate(engine, [
    { ...order, kind, amount: parseAmount(amount)!, amountText: amount, currency, provider, details },
  ]);
  expect(answer).toMatchObject({ type: 'ACCEPTED' });
  return paymentId;
}

async function refund({ engine, merchantId }: Place, depositId: string) {
  const merchant = (await engine.directory.merchant(merchantId))!;
  const order = { paymentNo: randomUUID(), merchant, apiVersion: 'v2', writtenId: randomUUID() } as const;
  const [answer] = await initiate(engine, [{ ...order, kind: 'REFUND', depositId, details: {} }]);
  return answer;
}

async function endsOf(place: Place, kind: PaymentKind): Promise<readonly unknown[]> {
  return (await select(place, `select state from payments where kind = '${kind}'`)).map(
    (row) => row['state'],
  );
}

async function stateOf(place: Place, paymentId: string): Promise<unknown> {
  const rows = await select(place, `select state from payments where payment_id = '${paymentId}'`);
  return rows[0]?.['state'];
}

function charges(operator: OperatorFake, operation?: PaymentKind): number {
  const all = operator.books().charges as readonly { readonly operation?: string }[];
  return operation === undefined ? all.length : all.filter((one) => one.operation === operation).length;
}

/** Long past the time after which "not found" is proof. */
async function wait(place: Place, ms = 150_000): Promise<void> {
  await place.gateway.movableClock!.move(ms);
}

const accountsOf = async (place: Place) => {
  const rows = await select(place, 'select operator_account from payment_attempts order by claimed_at');
  return rows.map((row) => row['operator_account']);
};

const replacedOf = (place: Place) =>
  select(
    place,
    'select account_id, product, encrypted_values, retired_at from replaced_credentials order by product',
  );

/** Pretends that an attempt is older than the record of accounts. */
async function forgetAccounts(place: Place): Promise<void> {
  await place.engine.store.database.query(
    `alter table payment_attempts disable trigger payment_attempts_keep_their_account;
     update payment_attempts set operator_account = null, refund_account = null;
     alter table payment_attempts enable trigger payment_attempts_keep_their_account`,
  );
}

const askedOf = (place: Place) =>
  select(place, `select detail from payment_events where event = 'OPERATOR_ANSWERED' order by event_no`);

describe('A1: replacing an operator account', () => {
  test.each(['mtn-momo', 'orange-sonatel'])(
    'a payout that is pending at the replaced account is paid once and never FAILED (%s)',
    async (name) => {
      const place = await open(name);
      const [before, after] = [await place.start(), await place.start()];
      await place.use(before);
      before.addFault({ type: 'OUTCOME', status: 'SUCCESSFUL', delayMs: 600_000 });
      const paymentId = await send(place, 'PAYOUT');
      await eventually(() => charges(before)).toBe(1);
      await place.use(after);
      const asked = (await askedOf(place)).length;
      await wait(place);
      await eventually(async () => (await askedOf(place)).length).toBeGreaterThan(asked + 1);
      await wait(place, 30_000);
      expect(await stateOf(place, paymentId)).toBe('PROCESSING');
      await wait(place, 600_000);
      await eventually(() => stateOf(place, paymentId)).toBe('COMPLETED');
      expect({ before: charges(before), after: charges(after) }).toEqual({ before: 1, after: 0 });
    },
  );

  test('what the operator never received is sent again with the account of the attempt', async () => {
    const place = await open('mtn-momo');
    const [before, after] = [await place.start(), await place.start()];
    await place.use(before);
    before.addFault({ type: 'ERROR', httpStatus: 500, when: 'BEFORE', step: 'submit' });
    const paymentId = await send(place, 'PAYOUT');
    await eventually(async () => (await askedOf(place)).length).toBeGreaterThan(0);
    await place.use(after);
    await wait(place);
    await eventually(() => stateOf(place, paymentId)).toBe('COMPLETED');
    expect({ before: charges(before), after: charges(after) }).toEqual({ before: 1, after: 0 });
  });

  test('a new payment goes to the new account, with a token of its own', async () => {
    const place = await open('mtn-momo');
    const [before, after] = [await place.start(), await place.start()];
    await place.use(before);
    const first = await send(place, 'PAYOUT');
    await eventually(() => stateOf(place, first)).toBe('COMPLETED');
    await place.use(after);
    const second = await send(place, 'PAYOUT');
    await eventually(() => stateOf(place, second)).toBe('COMPLETED');
    expect({ before: charges(before), after: charges(after) }).toEqual({ before: 1, after: 1 });
    const [one, other] = await accountsOf(place);
    expect(one).toMatch(/^[0-9a-f]{32}$/);
    expect(other).not.toBe(one);
    const tokens = await select(
      place,
      'select account from operator_tokens where encrypted_token is not null',
    );
    const holders = new Set(tokens.map((row) => String(row['account']).split('/').at(-1)));
    expect(holders).toEqual(new Set([one, other]));
  });

  test('a new secret for the same account is not a change of account, and nothing is kept of the old one', async () => {
    const place = await open('orange-sonatel');
    const operator = await place.start();
    await place.use(operator);
    const first = await send(place, 'PAYOUT');
    await eventually(() => stateOf(place, first)).toBe('COMPLETED');
    await place.use(operator, { webhookSecret: 'a new secret' });
    const second = await send(place, 'PAYOUT');
    await eventually(() => stateOf(place, second)).toBe('COMPLETED');
    const [one, other] = await accountsOf(place);
    expect(other).toBe(one);
    expect(await replacedOf(place)).toEqual([]);
  });

  test('replaced credentials are kept encrypted, and removed ones too', async () => {
    const place = await open('mtn-momo');
    const [before, after] = [await place.start(), await place.start()];
    await place.use(before);
    await place.use(after);
    const kept = await replacedOf(place);
    expect(kept.map((row) => row['product'])).toEqual(['collection', 'disbursement']);
    const { apiKey = '' } = before.credentialsOf(place.provider)['collection'] ?? {};
    expect(apiKey).not.toBe('');
    expect(JSON.stringify(kept)).not.toContain(apiKey);
    expect(String(kept[0]?.['encrypted_values'])).not.toContain(apiKey);
    const key = { connector: 'mtn-momo', account: place.provider, product: 'collection' };
    expect(await removeCredentials(place.engine, { by: 'Ana', ...key })).toBe(true);
    expect(await replacedOf(place)).toHaveLength(3);
  });

  test('after credentials were removed an open payment is still asked about', async () => {
    const place = await open('mtn-momo');
    const operator = await place.start();
    await place.use(operator);
    operator.addFault({ type: 'OUTCOME', status: 'SUCCESSFUL', delayMs: 60_000 });
    operator.addFault({ type: 'NO_NOTIFICATION' });
    const paymentId = await send(place, 'PAYOUT');
    await eventually(() => charges(operator)).toBe(1);
    const key = { connector: 'mtn-momo', account: place.provider, product: 'disbursement' };
    await removeCredentials(place.engine, { by: 'Ana', ...key });
    await wait(place);
    await eventually(() => stateOf(place, paymentId)).toBe('COMPLETED');
  });

  test('the account of an attempt cannot be changed', async () => {
    const place = await open('mtn-momo');
    await place.use(await place.start());
    const paymentId = await send(place, 'PAYOUT');
    await eventually(() => stateOf(place, paymentId)).toBe('COMPLETED');
    const change = place.engine.store.database.query(
      `update payment_attempts set operator_account = 'another'`,
    );
    await expect(change).rejects.toThrow('an attempt keeps its operator account');
  });

  test('a message is checked with the secret of the account that its payment was sent with', async () => {
    const place = await open('orange-sonatel', 'ORANGE_SEN', { enquiryDelaysMs: [600_000] });
    const [before, after] = [await place.start(), await place.start()];
    await place.use(before);
    before.addFault({ type: 'OUTCOME', status: 'SUCCESSFUL', delayMs: 60_000 });
    const paymentId = await send(place, 'PAYOUT');
    await eventually(() => charges(before)).toBe(1);
    await place.use(after, { webhookSecret: 'the secret of the other account' });
    await wait(place, 61_000);
    before.books();
    await eventually(() => stateOf(place, paymentId)).toBe('COMPLETED');
    const readings = await select(place, 'select distinct reading from operator_notifications');
    expect(readings).toEqual([{ reading: 'AUTHENTIC' }]);
  });

  test.each([
    ['mtn-momo', 'PAYOUT'],
    ['gsma', 'PAYOUT'],
    ['wave', 'DEPOSIT'],
  ] as const)(
    '"not found" about an attempt whose account is not recorded is UNKNOWN: not sent again, not FAILED (%s %s)',
    async (name, kind) => {
      const place = await open(name);
      const [before, after] = [await place.start(), await place.start()];
      await place.use(before);
      before.addFault({ type: 'OUTCOME', status: 'SUCCESSFUL', delayMs: 600_000 });
      before.addFault({ type: 'NO_NOTIFICATION' });
      before.addFault({ type: 'LOSE_ANSWER', step: 'submit' });
      const paymentId = await send(place, kind);
      await eventually(() => charges(before)).toBe(1);
      await forgetAccounts(place);
      await place.use(after);
      await wait(place);
      const details = async () => (await askedOf(place)).map((row) => row['detail']);
      await eventually(details).toContain('UNKNOWN OTHER_ACCOUNT');
      await wait(place, 1_000);
      expect(await stateOf(place, paymentId)).toBe('PROCESSING');
      await wait(place, 7_200_000);
      await eventually(() => stateOf(place, paymentId)).toBe('IN_RECONCILIATION');
      expect(charges(after)).toBe(0);
    },
  );
});

test('A1: an account that is exchanged for another while both are looked up is never missing', async () => {
  const place = await open('mtn-momo');
  const [one, other] = [await place.start(), await place.start()];
  await place.use(one);
  await place.use(other);
  const { database } = place.engine.store;
  let exchange: Promise<void> | null = null;
  const query = async (text: string, values: readonly unknown[]) => {
    const answer = await database.query(text, [...values]);
    await (exchange ??= place.use(one));
    return answer;
  };
  const known = await listKnownAccounts({ query } as unknown as Tx, readerOf(place.engine), ['mtn-momo']);
  const ids = new Set(known.map(({ product, accountId }) => `${product} ${accountId}`));
  expect(ids.size).toBe(2 * Object.keys(one.credentialsOf(place.provider)).length);
});

describe('A1: an operator account is retired', () => {
  test('not while a payment sent with it is open; then its keys are deleted, which is in the audit log', async () => {
    const place = await open('mtn-momo');
    const [before, after] = [await place.start(), await place.start()];
    await place.use(before);
    before.addFault({ type: 'OUTCOME', status: 'SUCCESSFUL', delayMs: 300_000 });
    const paymentId = await send(place, 'PAYOUT');
    await eventually(() => charges(before)).toBe(1);
    const [accountId] = (await accountsOf(place)) as string[];
    const retire = () =>
      retireAccount(place.engine, { by: 'Ana', connector: 'mtn-momo', accountId: accountId ?? '' });
    expect(await retire()).toEqual({ type: 'NOT_FOUND' });
    await place.use(after);
    expect(await retire()).toEqual({ type: 'JUST_REPLACED' });
    await wait(place, 61_000);
    expect(await retire()).toEqual({ type: 'IN_USE', openPayments: 1 });
    await wait(place, 300_000);
    await eventually(() => stateOf(place, paymentId)).toBe('COMPLETED');
    expect(await retire()).toEqual({ type: 'RETIRED' });
    const kept = await replacedOf(place);
    expect(kept.find((row) => row['account_id'] === accountId)).toMatchObject({
      encrypted_values: null,
      retired_at: expect.any(Date),
    });
    const tokens = `select 1 from operator_tokens where account like '%${accountId}' and encrypted_token is not null`;
    expect(await select(place, tokens)).toEqual([]);
    const [entry] = await readAuditLog(place.engine, { merchantId: null, countMax: 1 });
    expect(entry).toMatchObject({
      actor: 'Ana',
      act: 'OPERATOR_ACCOUNT_RETIRED',
      subject: `mtn-momo/${place.provider}/disbursement`,
      detail: { accountId },
    });
    expect(await retire()).toEqual({ type: 'NOT_FOUND' });
  });

  test.each(['mtn-momo', 'vodacom-mpesa', 'gsma'])(
    'a deposit is refunded with the account that received it; after that is retired a refund is rejected (%s)',
    async (name) => {
      const place = await open(name);
      const [before, after] = [await place.start(), await place.start()];
      await place.use(before);
      const [first, second] = [await send(place, 'DEPOSIT'), await send(place, 'DEPOSIT')];
      for (const id of [first, second]) await eventually(() => stateOf(place, id)).toBe('COMPLETED');
      await place.use(after);
      const sent = await refund(place, first);
      expect(sent).toMatchObject({ type: 'ACCEPTED' });
      await eventually(() => endsOf(place, 'REFUND')).toEqual(['COMPLETED']);
      expect(charges(after)).toBe(0);
      await wait(place, 61_000);
      for (const { account_id: id } of await replacedOf(place)) {
        const order = { by: 'Ana', connector: name, accountId: String(id) };
        expect(await retireAccount(place.engine, order)).toEqual({ type: 'RETIRED' });
      }
      expect(await refund(place, second)).toMatchObject({
        type: 'REJECTED',
        reason: { failureCode: 'INVALID_STATE', failureMessage: expect.stringContaining('operator account') },
      });
      expect(charges(after)).toBe(0);
    },
  );

  test('a refund that was accepted before and is not sent yet fails, and no other account sends it', async () => {
    const place = await open('mtn-momo');
    const [before, after] = [await place.start(), await place.start()];
    await place.use(before);
    const deposit = await send(place, 'DEPOSIT');
    await eventually(() => stateOf(place, deposit)).toBe('COMPLETED');
    await place.use(after);
    // As a process does that retires it between the acceptance and the claim.
    await place.engine.store.database.query(
      `create function retire_now() returns trigger language plpgsql as $$ begin
         update replaced_credentials set encrypted_values = null, retired_at = replaced_at; return null; end $$;
       create trigger retire_now after insert on payments for each row when (new.kind = 'REFUND')
         execute function retire_now()`,
    );
    expect(await refund(place, deposit)).toMatchObject({ type: 'ACCEPTED' });
    await eventually(() => endsOf(place, 'REFUND')).toEqual(['FAILED']);
    expect(charges(after)).toBe(0);
  });
});

describe('A1: an operator account is replaced in time that a restore lost', () => {
  test('"not found" with the account of now proves nothing about a payment that may have been sent before', async () => {
    const place = await open('mtn-momo', undefined, {}, 'api');
    const [before, after] = [await place.start(), await place.start()];
    await place.use(before);
    const paymentId = await send(place, 'PAYOUT');
    await place.use(after);
    const lostFrom = new Date('2026-01-01T00:00:00Z');
    await beginRecovery(place.engine, { by: 'Ana', lostFrom });
    const worker = await openGateway(
      { ...place.config, operatorsUrl: place.url },
      { role: 'worker', logTo: 2 },
    );
    try {
      await worker.start();
      await eventually(async () => (await askedOf(place)).length).toBeGreaterThan(0);
      await wait(place);
      const details = async () => (await askedOf(place)).map((row) => row['detail']);
      await eventually(details).toContain('UNKNOWN OTHER_ACCOUNT');
      await wait(place, 7_200_000);
      await eventually(() => stateOf(place, paymentId)).toBe('IN_RECONCILIATION');
      expect({ before: charges(before), after: charges(after) }).toEqual({ before: 0, after: 0 });
    } finally {
      await worker.stop();
    }
  });
});

describe('A1: a merchant is moved', () => {
  test('only to a cell that knows the accounts that its payments were sent with', async () => {
    const connector = 'mtn-momo';
    const provider = 'MTN_MOMO_RWA';
    const cells = await openTwoCells({
      operators: {
        bindings: [{ provider, kind: null, connector, account: null }],
        timing: { [connector]: TIMING },
      },
    });
    const { startFake } = await loadFake(connector);
    const start = () => startFake({ clock: clockOf(cells.one.engine), openingFloat: '1000000' });
    const [before, after] = [await start(), await start()];
    operators.push(before, after);
    const use = async ({ engine }: TestCell, operator: OperatorFake) => {
      for (const [product, values] of Object.entries(operator.credentialsOf(provider)))
        await changeCredentials(engine, { by: 'Ana', connector, account: provider, product, values });
    };
    try {
      await use(cells.one, before);
      const { merchantId } = cells.merchant;
      const here = { engine: cells.one.engine, merchantId, provider };
      const paymentId = await send(here, 'PAYOUT');
      const state = async () =>
        (await select(cells.one, `select state from payments where payment_id = '${paymentId}'`))[0]?.[
          'state'
        ];
      await eventually(state).toBe('COMPLETED');
      await use(cells.one, after);
      await use(cells.two, after);
      expect(await moveBetween(cells, cells.one, cells.two)).toEqual({ type: 'OTHER_ACCOUNT', connector });
      await use(cells.two, before);
      await use(cells.two, after);
      expect(await moveBetween(cells, cells.one, cells.two)).toEqual({ type: 'MOVED' });
      const moved = await select(cells.two, 'select operator_account from payment_attempts');
      expect(moved).toEqual([{ operator_account: expect.stringMatching(/^[0-9a-f]{32}$/) }]);
    } finally {
      await cells.stop();
    }
  });
});
