// A gateway in which things wait because no worker runs, with its people: two administrators of the platform, and two
// people of the merchant. What a worker does, a way does itself, or by starting one.
import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import { openGateway } from '../../src/commands/serve/compose.ts';
import { createDemoMerchant } from '../../src/commands/sandbox/demo-merchant.ts';
import type { Config } from '../../src/config.ts';
import { advance } from '../../src/core/payments/process/advance.ts';
import type { PaymentEvent } from '../../src/domain/payments/lifecycle.ts';
import type { PaymentKey, PaymentKind } from '../../src/domain/payments/payment.ts';
import { decideAt, type Deciding } from '../console/asked.ts';
import { confirmed, openTestConsole, signedIn, type TestPerson } from '../console/people.ts';
import { runCommandHere } from '../command-process.ts';
import { select, waitUntil, type TestGateway, type TestGatewayOptions } from '../gateway.ts';
import { accepted } from '../limits/reviewed-merchants.ts';
import { serverEnvironment } from '../server-process.ts';

export type World = {
  readonly gateway: TestGateway;
  /** Administrators of the platform. */
  readonly ana: TestPerson;
  readonly ben: TestPerson;
  /** An owner and a finance person of the merchant. */
  readonly owner: TestPerson;
  readonly finance: TestPerson;
};

export async function openWorld(options: TestGatewayOptions = {}): Promise<World> {
  const gateway = await openTestConsole({ role: 'api', ...options });
  const [ana, ben] = [await signedIn(gateway, 'OPERATOR_ADMIN'), await signedIn(gateway, 'OPERATOR_ADMIN')];
  const [owner, finance] = [await signedIn(gateway, 'OWNER'), await signedIn(gateway, 'FINANCE')];
  return { gateway, ana, ben, owner, finance };
}

/** What a person does in the console, after proving again that it is them. Answers the body. */
// eslint-disable-next-line @typescript-eslint/no-explicit-any
export async function act(person: TestPerson, method: string, path: string, body?: unknown): Promise<any> {
  await confirmed(person);
  const answer = await person.call(method, path, body);
  if (answer.status >= 300) expect.fail(`${method} ${path}: ${answer.status} ${JSON.stringify(answer.body)}`);
  return answer.body;
}

/** Decides on the platform's requests. */
export async function decideForPlatform(
  { gateway }: World,
  person: TestPerson,
  approvalId: string,
  what: Deciding = 'approve',
): Promise<void> {
  await decide(gateway, person, { approvalId, merchantId: null, what });
}

/** Decides on the merchant's own requests. */
export async function decideForMerchant(
  { gateway }: World,
  person: TestPerson,
  approvalId: string,
  what: Deciding = 'approve',
): Promise<void> {
  await decide(gateway, person, { approvalId, merchantId: gateway.merchantId, what });
}

async function decide(
  gateway: TestGateway,
  person: TestPerson,
  asked: { readonly approvalId: string; readonly merchantId: string | null; readonly what: Deciding },
): Promise<void> {
  const { approvalId, merchantId, what } = asked;
  await confirmed(person);
  expect(await decideAt(gateway, merchantId, person, approvalId, what)).toMatchObject({ status: 200 });
}

/** Runs a command that must succeed. Answers what it printed. */
export async function runCommand({ gateway }: World, ...args: readonly string[]): Promise<string> {
  const environment = { ...serverEnvironment(gateway), MALIPO_MOVABLE_CLOCK: 'on' };
  const { code, output, errors } = await runCommandHere(environment, args);
  expect({ code, errors }).toEqual({ code: 0, errors: '' });
  return output;
}

/** What an engineer does where no worker runs: starts one, with other settings if need be, until this is so. */
export async function startWorkerUntil(
  { gateway: { config, url } }: World,
  isSo: () => boolean | Promise<boolean>,
  changes: Partial<Config> = {},
): Promise<void> {
  const worker = await openGateway(
    { ...config, operatorsUrl: url, ...changes },
    { role: 'worker', logTo: 2 },
  );
  try {
    await worker.start();
    await waitUntil(isSo);
  } finally {
    await worker.stop();
  }
}

/** A merchant without a callback address. */
export async function newMerchant({ gateway }: World): Promise<string> {
  return (await createDemoMerchant(gateway.engine, null)).merchantId;
}

export type AcceptedOptions = {
  readonly merchantId?: string;
  readonly kind?: Exclude<PaymentKind, 'REFUND'>;
};

/** A payment that was accepted and is still to be sent. */
export async function acceptPayment(
  { gateway }: World,
  { merchantId = gateway.merchantId, kind = 'PAYOUT' }: AcceptedOptions = {},
): Promise<PaymentKey> {
  return accepted(gateway.engine, merchantId, { kind, writtenId: randomUUID() });
}

/** What happens to the payment, one after the other. */
export async function happen(
  { gateway }: World,
  key: PaymentKey,
  ...events: readonly PaymentEvent[]
): Promise<void> {
  for (const event of events) await advance(gateway.engine, [{ key, event }]);
}

/** What an operator says of a payment: that it was completed, with a transaction of its own. */
export const completed = (): PaymentEvent => ({
  type: 'OPERATOR_ANSWERED',
  outcome: { type: 'COMPLETED', providerTransactionId: randomUUID() },
});

/** What an operator says of a payment: that it was not. */
export const FAILED: PaymentEvent = {
  type: 'OPERATOR_ANSWERED',
  outcome: { type: 'FAILED', code: 'UNSPECIFIED_FAILURE' },
};

/** Starts a worker until the query finds nothing any more. */
export async function startWorkerUntilNone(
  world: World,
  query: string,
  changes: Partial<Config> = {},
): Promise<void> {
  await startWorkerUntil(world, async () => (await select(world.gateway, query)).length === 0, changes);
}
