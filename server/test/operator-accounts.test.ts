// An operator account is replaced while payments that were sent with it are open.
import { randomUUID } from 'node:crypto';
import { afterEach, describe, expect, test } from 'vitest';
import { changeCredentials } from '../src/core/administer-operators.ts';
import { initiate } from '../src/core/initiate.ts';
import { parseAmount } from '../src/domain/money.ts';
import type { PaymentKind } from '../src/domain/payment.ts';
import { OPERATORS } from '../src/connectors/registry.ts';
import type { OperatorDouble } from '../src/connectors/double/double.ts';
import { openTestGateway, select, type TestGateway } from './gateway.ts';
import { smallest } from './payments.ts';
import { eventually } from './connectors/receiver.ts';
import { phoneNumberOf } from './connectors/stage.ts';

const TIMING = {
  sendDeadlineMs: 2_000,
  timeoutMs: 800,
  notSeenAfterMs: 4_000,
  enquiryDelaysMs: [200, 300, 500, 1_000, 600_000],
};

type Place = TestGateway & {
  readonly name: string;
  readonly provider: string;
  /** Starts the operator with another account. */
  readonly start: () => Promise<OperatorDouble>;
  readonly use: (operator: OperatorDouble, changes?: Record<string, string>) => Promise<void>;
};

let places: Place[] = [];
let operators: OperatorDouble[] = [];
afterEach(async () => {
  for (const place of places) await place.stop();
  for (const operator of operators) await operator.stop();
  places = [];
  operators = [];
});

async function open(name: string, provider = OPERATORS[name]!.providers[0]!): Promise<Place> {
  const gateway = await openTestGateway({
    operators: {
      bindings: [{ provider, kind: null, connector: name, account: null }],
      timing: { [name]: TIMING },
    },
    announces: false,
  });
  const place: Place = {
    ...gateway,
    name,
    provider,
    start: async () => {
      const { startDouble } = await OPERATORS[name]!.double();
      const operator = await startDouble({
        clock: gateway.engine.clock,
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

async function send({ engine, merchantId, provider }: Place, kind: 'DEPOSIT' | 'PAYOUT'): Promise<string> {
  const merchant = (await engine.directory.merchant(merchantId))!;
  const { amount, currency } = smallest(provider, kind);
  const paymentId = randomUUID();
  const order = { requestId: randomUUID(), merchant, generation: 'v2', writtenId: paymentId } as const;
  const details = { phoneNumber: phoneNumberOf(provider), customerMessage: 'Thank you' };
  const [answer] = await initiate(engine, [
    { ...order, kind, amount: parseAmount(amount)!, amountText: amount, currency, provider, details },
  ]);
  expect(answer).toMatchObject({ type: 'ACCEPTED' });
  return paymentId;
}

async function stateOf(place: Place, paymentId: string): Promise<unknown> {
  const rows = await select(place, `select state from payments where payment_id = '${paymentId}'`);
  return rows[0]?.['state'];
}

function charges(operator: OperatorDouble, operation?: PaymentKind): number {
  const all = operator.books().charges as readonly { readonly operation?: string }[];
  return operation === undefined ? all.length : all.filter((one) => one.operation === operation).length;
}

/** Long past the time after which "not found" is proof. */
async function wait(place: Place, ms = 150_000): Promise<void> {
  await place.gateway.movableClock!.move(ms);
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
});
