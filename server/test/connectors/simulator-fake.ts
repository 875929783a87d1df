// The simulator as the contract suite wants its fakes, and as the simulator's own tests start it.
import { randomBytes } from 'node:crypto';
import { createSimulatorConnector } from '../../src/sandbox/simulator/connector.ts';
import type { Connector, ConnectorTiming, SubmitRequest } from '../../src/connectors/port.ts';
import {
  startSimulator,
  type RunningSimulator,
  type SimulatorOptions,
} from '../../src/sandbox/simulator/simulator.ts';
import { startReceiver, type Receiver } from './receiver.ts';

export const CREDENTIALS = {
  clientId: 'malipo',
  clientSecret: 'a client secret',
  notificationSecret: 'a notification secret',
};

export type Sandbox = {
  readonly simulator: RunningSimulator;
  readonly connector: Connector;
  readonly receiver: Receiver;
  readonly clock: { readonly now: () => Date; readonly advance: (ms: number) => void };
  readonly order: (changes?: Partial<SubmitRequest>) => SubmitRequest;
  readonly stop: () => Promise<void>;
};

/** A simulator, a connector to it, a receiver of its notifications, and a clock that can be moved. */
export async function startSandbox(
  options: Partial<SimulatorOptions> & { timing?: Partial<ConnectorTiming> } = {},
): Promise<Sandbox> {
  const { timing = { timeoutMs: 2_000 }, ...simulatorOptions } = options;
  let offsetMs = 0;
  const clock = {
    now: () => new Date(Date.now() + offsetMs),
    advance: (ms: number) => {
      offsetMs += ms;
    },
  };
  const simulator = await startSimulator({ ...CREDENTIALS, clock, ...simulatorOptions });
  const connector = createSimulatorConnector({ ...CREDENTIALS, baseUrl: simulator.url, timing });
  const receiver = await startReceiver();
  return {
    simulator,
    connector,
    receiver,
    clock,
    order: (changes) => ({ ...orderTo(receiver.url), ...changes }),
    stop: async () => {
      await simulator.stop();
      await connector.close?.();
      await receiver.stop();
    },
  };
}

function orderTo(notificationUrl: string): SubmitRequest {
  return {
    reference: randomBytes(13).toString('hex'),
    operation: 'DEPOSIT',
    provider: 'MTN_MOMO_ZMB',
    country: 'ZMB',
    amount: 150_000n,
    currency: 'ZMW',
    phoneNumber: '260763456789',
    customerMessage: 'Thank you',
    notificationUrl,
  };
}
