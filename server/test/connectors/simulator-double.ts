// The simulator as the contract suite wants its doubles, and as the simulator's own tests start it.
import { randomBytes } from 'node:crypto';
import { CONNECTORS } from '../../src/connectors/registry.ts';
import type { Connector, ConnectorTiming, SubmitOrder } from '../../src/connectors/port.ts';
import {
  startSimulator,
  type RunningSimulator,
  type SimulatorOptions,
} from '../../src/connectors/simulator/fake.ts';
import type { Fault } from '../../src/connectors/simulator/operator/fault.ts';
import type { OperatorDouble, Trouble } from './contract.ts';
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
  readonly order: (changes?: Partial<SubmitOrder>) => SubmitOrder;
  readonly stop: () => Promise<void>;
};

/** A simulator, a connector to it, a receiver of its notifications, and a clock that can be moved. */
export async function startSandbox(
  options: Partial<SimulatorOptions> & { timing?: Partial<ConnectorTiming> } = {},
): Promise<Sandbox> {
  const { timing = { timeoutMs: 800 }, ...simulatorOptions } = options;
  let offsetMs = 0;
  const clock = {
    now: () => new Date(Date.now() + offsetMs),
    advance: (ms: number) => {
      offsetMs += ms;
    },
  };
  const simulator = await startSimulator({ ...CREDENTIALS, clock, ...simulatorOptions });
  const connector = CONNECTORS.simulator({ ...CREDENTIALS, baseUrl: simulator.url, timing });
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

export async function startSimulatorDouble(): Promise<OperatorDouble> {
  const sandbox = await startSandbox();
  const { simulator, connector, receiver, clock, order } = sandbox;
  return {
    connector,
    order,
    chargesOf: (reference) =>
      simulator.books().charges.filter((charge) => charge.reference === reference).length,
    makeTrouble: (trouble, at) => simulator.addFault(faultOf(trouble, at)),
    failBalance: () => simulator.addFault({ type: 'ERROR', httpStatus: 503, step: 'balance' }),
    expireTokens: () => clock.advance(24 * 60 * 60 * 1_000),
    holdToken: () => {
      simulator.addFault({ type: 'HANG', step: 'token' });
      return { isHeld: () => simulator.hanging().length === 1, release: () => void simulator.release() };
    },
    notifications: receiver.wait,
    goAway: simulator.stop,
    stop: sandbox.stop,
  };
}

function faultOf(trouble: Trouble, at: { step: 'submit' | 'query'; reference: string }): Fault {
  switch (trouble) {
    case 'LOSE_ANSWER':
    case 'HANG':
    case 'UNREADABLE_ANSWER':
      return { type: trouble, ...at };
    case 'ERROR_BEFORE_ACCEPTING':
      return { type: 'ERROR', httpStatus: 500, when: 'BEFORE', ...at };
    case 'ERROR_AFTER_ACCEPTING':
      return { type: 'ERROR', httpStatus: 502, when: 'AFTER', ...at };
    case 'UNKNOWN_CODE':
    case 'WRONG_AMOUNT':
      return { type: trouble, reference: at.reference };
  }
}

function orderTo(notificationUrl: string): SubmitOrder {
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
