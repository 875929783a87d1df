// A whole gateway whose payments of one provider go through one connector to its fake, over HTTP both ways.
import { changeCredentials } from '../../src/core/operators/administer-operators.ts';
import { factsOf, type Connector, type ConnectorTiming } from '../../src/connectors/port.ts';
import { loadFake } from '../../src/sandbox/fakes/registry.ts';
import type { RunningSimulator } from '../../src/sandbox/simulator/simulator.ts';
import type { PaymentKind } from '../../src/domain/payments/payment.ts';
import { clockOf } from '../clocks.ts';
import { openTestGateway, type TestGateway, type TestGatewayOptions } from '../gateway.ts';
import { depositFrom, smallest } from '../payments.ts';
import { payoutRequest, wallet, type Body } from '../requests.ts';
import { phoneNumberOf, type Trial } from './stage.ts';

export type OperatorGateway = TestGateway & {
  readonly provider: string;
  readonly connector: Connector;
  readonly fake: RunningSimulator;
  readonly timingOf: (kind: PaymentKind) => ConnectorTiming;
  /** Starts the fake again at its address with empty books; null for the simulator, which belongs to the gateway. */
  readonly restartEmpty: (() => Promise<RunningSimulator>) | null;
};

/** Quick to send and to ask; how long an operator has until we give up stays the connector's own. */
const TIMING = {
  sendDeadlineMs: 2_000,
  // No one waits for it: answers that are lost end at once.
  timeoutMs: 5_000,
  notSeenAfterMs: 8_000,
  enquiryDelaysMs: [200, 300, 500, 1_000, 600_000],
};

export async function openOperatorGateway(
  { name, provider }: Trial,
  {
    timeoutMs = TIMING.timeoutMs,
    ...options
  }: Pick<TestGatewayOptions, 'role' | 'worker' | 'console' | 'trustedProxies'> & { timeoutMs?: number } = {},
): Promise<OperatorGateway> {
  const notSeenAfterMs = TIMING.notSeenAfterMs + timeoutMs - TIMING.timeoutMs;
  const timing = { ...TIMING, timeoutMs, notSeenAfterMs };
  const binding = { provider, kind: null, connector: name, account: null };
  const gateway = await openTestGateway({
    ...options,
    timing,
    operators: { bindings: [binding], timing: name === 'simulator' ? {} : { [name]: timing } },
  });
  let fake = name === 'simulator' ? gateway.simulator : await startFakeFor(gateway, name, provider);
  const first = fake;
  const connector = gateway.engine.connectors.get(name)!;
  return {
    ...gateway,
    provider,
    connector,
    fake: first,
    timingOf: (kind) => factsOf(connector, kind).timing,
    restartEmpty:
      name === 'simulator'
        ? null
        : async () => {
            await fake.stop();
            fake = await startFakeFor(gateway, name, provider, first.port);
            return fake;
          },
    stop: async () => {
      await gateway.stop();
      if (fake !== gateway.simulator) await fake.stop();
    },
  };
}

async function startFakeFor(gateway: TestGateway, name: string, provider: string, port = 0) {
  const { startFake } = await loadFake(name);
  const fake = await startFake({
    clock: clockOf(gateway.engine),
    port,
    openingFloat: '1000000',
    notificationUrlOf: (one) => `${gateway.url}/operators/${name}/notifications/of/${one}`,
  });
  for (const [product, values] of Object.entries(fake.credentialsOf(provider))) {
    await changeCredentials(gateway.engine, {
      by: 'test',
      connector: name,
      account: provider,
      product,
      values,
    });
  }
  return fake;
}

/** A request for a payment of this kind that completes when nothing is spoilt. */
export function requestFor(
  { provider }: Pick<OperatorGateway, 'provider'>,
  noun: 'deposit' | 'payout',
): Body {
  const phoneNumber = phoneNumberOf(provider);
  if (noun === 'deposit') return depositFrom(provider, phoneNumber);
  return payoutRequest({ ...smallest(provider, 'PAYOUT'), recipient: wallet(provider, phoneNumber) });
}
