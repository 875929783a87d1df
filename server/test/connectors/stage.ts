// Where the contract suite plays: a connector of the registry over real sockets to its fake, with the store that all
// workers share, and a receiver of the fake's notifications.
import { randomBytes, randomUUID } from 'node:crypto';
import { createOperatorConnectors } from '../../src/commands/serve/operator-connectors.ts';
import { playedProvidersOf, type Exchange } from '../../src/connectors/operator.ts';
import { factsOf, type AccountOf, type Connector, type SubmitRequest } from '../../src/connectors/port.ts';
import { OPERATORS } from '../../src/connectors/registry.ts';
import { loadFake } from '../../src/sandbox/fakes/registry.ts';
import type { RunningSimulator } from '../../src/sandbox/simulator/simulator.ts';
import { findProvider, listProviders } from '../../src/domain/operators/catalogue.ts';
import type { PaymentKind } from '../../src/domain/payments/payment.ts';
import {
  credentialsKeyFor,
  isCurrent,
  listKnownAccounts,
  replaceCredentials,
} from '../../src/core/operators/operator-accounts.ts';
import { inTransaction } from '../../src/store/database.ts';
import { listTraffic } from '../../src/store/operators/operator-traffic.ts';
import { clockAt } from '../clocks.ts';
import { remittanceRequest } from '../requests.ts';
import type { TestStore } from '../store/open-store.ts';
import { completingNumberOf } from './phone-number.ts';
import { startReceiver, type Receiver } from './receiver.ts';
import { startSandbox } from './simulator-fake.ts';

export type Stage = {
  readonly connector: Connector;
  readonly fake: RunningSimulator;
  readonly receiver: Receiver;
  /** An order the operator accepts and completes. Each has a reference of its own. */
  readonly order: (changes?: Partial<SubmitRequest>) => SubmitRequest;
  /** Moves the fake's own clock, which the connector does not have: its tokens end, what is late is due. */
  readonly advance: (ms: number) => void;
  /** What was recorded for support; null for the simulator, whose words are no one's secret. */
  readonly traffic: (() => Promise<readonly Exchange[]>) | null;
  /** What must never be recorded. */
  readonly secrets: readonly string[];
  /** The account that an operation is sent with now, and how it is replaced; null for the simulator, which has one. */
  readonly accounts: StageAccounts | null;
  readonly stop: () => Promise<void>;
};

export type StageAccounts = {
  readonly idOf: (operation: PaymentKind) => Promise<string>;
  /** Sets the credentials of another account, and answers its operator. */
  readonly replace: () => Promise<RunningSimulator>;
};

const REFERENCE_KEY = Buffer.alloc(32, 3);

/** Fields that messages are signed with. Fakes of one operator have the same ones, other accounts do not. */
const MESSAGE_SECRETS = ['webhookSecret', 'callbackKey', 'callbackApiKey'];

/** Its time-out is short: the suite waits for it. */
const TIMEOUT_MS = 2_000;

/** A connector, and a provider it is tried with. */
export type Trial = { readonly name: string; readonly provider: string; readonly title: string };

/** Every connector with the first provider it serves, and with each that it speaks to in another way. */
export const TRIALS: readonly Trial[] = [
  { name: 'simulator', provider: 'MTN_MOMO_ZMB', title: 'simulator' },
  ...Object.entries(OPERATORS).flatMap(([name, operator]) => [
    { name, provider: playedProvidersOf(operator)[0] ?? 'none', title: name },
    ...(operator.variants ?? []).map((provider) => ({ name, provider, title: `${name} for ${provider}` })),
  ]),
];

/** Operators whose word for a failed payment is definite, whatever reason stands beside it. */
export const DEFINITE_FAILURES: ReadonlySet<string> = new Set([
  'airtel-money',
  'gsma',
  'mtn-momo',
  'orange-sonatel',
  'wave',
]);

/** Whether the operator has a word for an order it never saw. In Mozambique its word means "unknown status". */
export function tellsUnseen(connector: Connector, { operation, provider }: SubmitRequest): boolean {
  return factsOf(connector, operation).neverSaysNotSeen !== true && provider !== 'VODACOM_MOZ';
}

/** What an earlier stage left in the store is forgotten. */
export async function openStage(trial: Trial, store: TestStore): Promise<Stage> {
  return trial.name === 'simulator' ? openSimulatorStage(trial) : openOperatorStage(trial, store);
}

/** Of messages about references that the gateway has no attempt of. */
export const NO_ACCOUNT_RECORDED: AccountOf = async () => undefined;

/** What orders of a provider are made with. */
export const phoneNumberOf = completingNumberOf;

async function openSimulatorStage({ provider }: Trial): Promise<Stage> {
  const sandbox = await startSandbox({ timing: { timeoutMs: TIMEOUT_MS } });
  const { connector, simulator: fake, receiver, clock, stop } = sandbox;
  return {
    connector,
    fake,
    receiver,
    order: orderer({ connector, receiver, provider }),
    advance: clock.advance,
    traffic: null,
    secrets: [],
    accounts: null,
    stop,
  };
}

async function openOperatorStage(
  { name, provider: tried }: Trial,
  { database, keyring }: TestStore,
): Promise<Stage> {
  await database.query(
    'truncate operator_credentials, replaced_credentials, operator_tokens, operator_rates, operator_traffic',
  );
  const receiver = await startReceiver();
  let offsetMs = 0;
  const { startFake } = await loadFake(name);
  const running: RunningSimulator[] = [];
  const start = async () => {
    const started = await startFake({
      clock: { now: () => new Date(Date.now() + offsetMs) },
      openingFloat: '1000000',
      notificationUrlOf: (provider) => `${receiver.url}/of/${provider}`,
    });
    running.push(started);
    return started;
  };
  const fake = await start();
  const clock = clockAt(() => new Date());
  const { providers: served, example } = OPERATORS[name]!;
  // A protocol without providers of its own can be bound to any.
  const bound = example === undefined ? served : listProviders().map(({ code }) => code);
  const accounts = bound.flatMap((provider) =>
    Object.entries(fake.credentialsOf(provider)).map(([product, values]) => ({
      provider,
      product,
      values,
    })),
  );
  const reader = { keyring, referenceKey: REFERENCE_KEY };
  const set = async (provider: string, product: string, values: Readonly<Record<string, string>>) => {
    const order = { connector: name, account: provider, product, values, now: new Date() };
    await inTransaction(database, (tx) => replaceCredentials(tx, reader, order));
  };
  for (const { provider, product, values } of accounts) await set(provider, product, values);
  const operators = createOperatorConnectors({
    database,
    keyring,
    referenceKey: REFERENCE_KEY,
    clock,
    bindings: [],
    timing: { [name]: { timeoutMs: TIMEOUT_MS } },
    rememberMs: 0,
    operatorsUrl: () => new URL(receiver.url).origin,
    onError: (error) => {
      throw error;
    },
  });
  const connector = operators.connectors.find((one) => one.name === name)!;
  const forms = OPERATORS[name]!.credentials;
  return {
    connector,
    fake,
    receiver,
    order: orderer({ connector, receiver, provider: tried }),
    advance: (ms) => void (offsetMs += ms),
    traffic: () => listTraffic(database, keyring, { reference: null, countMax: 1_000 }),
    secrets: accounts.flatMap(({ product, values }) =>
      Object.entries(values).flatMap(([field, value]) =>
        forms[product]?.[field]?.kind === 'SECRET' ? [value] : [],
      ),
    ),
    accounts: {
      idOf: async (operation) => {
        const key = credentialsKeyFor([], name, { provider: tried, operation });
        const known = await listKnownAccounts(database, reader, [name]);
        return known.find((one) => isCurrent(one, key))!.accountId;
      },
      replace: async () => {
        const other = await start();
        for (const [product, values] of Object.entries(other.credentialsOf(tried))) {
          const secrets = MESSAGE_SECRETS.filter((field) => field in values).map((field) => [
            field,
            'another',
          ]);
          await set(tried, product, { ...values, ...Object.fromEntries(secrets) });
        }
        return other;
      },
    },
    stop: async () => {
      for (const one of running) await one.stop();
      await operators.close();
      await receiver.stop();
    },
  };
}

type OrderPlace = {
  readonly connector: Connector;
  readonly receiver: Receiver;
  readonly provider: string;
};

function orderer({ connector, receiver, provider }: OrderPlace): Stage['order'] {
  return (changes = {}) => {
    const operation = changes.operation ?? 'DEPOSIT';
    const reference = changes.reference ?? createReference(connector, operation);
    const { country, currencies, authType } = findProvider(changes.provider ?? provider)!;
    return {
      reference,
      operation,
      provider,
      country,
      amount: 1_500_000n,
      currency: currencies[0]!.currency,
      phoneNumber: phoneNumberOf(changes.provider ?? provider),
      customerMessage: 'Thank you Zawadi',
      ...(authType === 'PREAUTH' ? { preAuthorisationCode: '482915' } : {}),
      ...(authType === 'REDIRECT_AUTH'
        ? { successfulUrl: 'https://shop.example/ok', failedUrl: 'https://shop.example/failed' }
        : {}),
      ...(operation === 'REMITTANCE' ? remittanceParties() : {}),
      notificationUrl: receiver.addressFor(reference),
      ...changes,
    };
  };
}

function remittanceParties(): Pick<SubmitRequest, 'sender' | 'recipient'> {
  const { sender, recipient } = remittanceRequest();
  return { sender, recipient: recipient.recipientDetails };
}

function createReference(connector: Connector, operation: PaymentKind): string {
  const { shape } = factsOf(connector, operation).reference;
  return shape === 'UUID' ? randomUUID() : randomBytes(16).toString('hex');
}
