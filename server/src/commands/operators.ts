// Connectors to real operators, put together with what all workers share: accounts, tokens, rate budgets, and the
// record of what was said.
import { findBinding, type Binding } from '../connectors/bindings.ts';
import { ONLY_PRODUCT, type Account, type Exchange, type Operator } from '../connectors/operator.ts';
import type { OperatorContext, WantedAccount } from '../connectors/operator.ts';
import type { Connector, ConnectorTiming } from '../connectors/port.ts';
import type { RateRule } from '../connectors/rate-gate.ts';
import { OPERATORS } from '../connectors/registry.ts';
import { remembered } from '../core/directory.ts';
import type { Clock } from '../domain/clock.ts';
import type { Database } from '../store/database.ts';
import { findCredentials, type CredentialsKey } from '../store/operator-credentials.ts';
import { pauseRate, takeRateSlot } from '../store/operator-rates.ts';
import {
  findOperatorToken,
  keepOperatorToken,
  leaseOperatorToken,
  releaseOperatorToken,
  withdrawOperatorToken,
} from '../store/operator-tokens.ts';
import { insertTraffic } from '../store/operator-traffic.ts';
import type { Keyring } from '../store/sealing.ts';

export type OperatorParts = {
  readonly database: Database;
  readonly keyring: Keyring;
  readonly clock: Clock;
  readonly bindings: readonly Binding[];
  readonly timing: Readonly<Record<string, Partial<ConnectorTiming>>>;
  /** How long a process works with credentials that were replaced meanwhile. */
  readonly rememberMs: number;
  readonly onError: (error: unknown) => void;
};

export type OperatorConnectors = {
  readonly connectors: readonly Connector[];
  /** Lets go of connections, and writes down what is still to be written. */
  readonly close: () => Promise<void>;
};

/** All of them, bound or not: a payment stays with its connector after its provider was bound to another one. */
export function createOperatorConnectors(parts: OperatorParts): OperatorConnectors {
  const recorder = createRecorder(parts);
  const connectors = Object.entries(OPERATORS).map(([name, operator]) =>
    operator.create(contextFor(parts, { name, operator, recorder })),
  );
  return {
    connectors,
    close: async () => {
      for (const connector of connectors) await connector.close?.();
      await recorder.close();
    },
  };
}

type Named = { readonly name: string; readonly operator: Operator; readonly recorder: Recorder };

function contextFor(parts: OperatorParts, { name, operator, recorder }: Named): OperatorContext {
  const { database, keyring, clock, timing } = parts;
  const credentials = remembered(
    (key) => findCredentials(database, keyring, JSON.parse(key) as CredentialsKey),
    parts.rememberMs,
  );
  return {
    clock,
    timing: timing[name] ?? {},
    findAccount: async (wanted) => {
      const key = credentialsKeyFor(parts.bindings, name, wanted);
      const values = await credentials(JSON.stringify(key));
      return values === null ? null : accountOf(operator, key, { values, provider: wanted.provider });
    },
    tokens: {
      find: (account) => findOperatorToken(database, keyring, account),
      lease: (account, times) => leaseOperatorToken(database, { account, ...times }),
      keep: (account, token) => keepOperatorToken(database, keyring, { account, ...token }),
      release: (account) => releaseOperatorToken(database, account),
      withdraw: (account, issueNo) => withdrawOperatorToken(database, account, issueNo),
    },
    rates: {
      takeSlot: (order) => takeRateSlot(database, order),
      pause: (account, until) => pauseRate(database, account, until),
    },
    record: recorder.record,
  };
}

/** Only the connector's own bindings count: another one's account says nothing about this one's. */
function credentialsKeyFor(
  bindings: readonly Binding[],
  connector: string,
  { provider, operation, product = ONLY_PRODUCT }: WantedAccount,
): CredentialsKey {
  const own = bindings.filter((one) => one.connector === connector);
  const account = findBinding(own, { provider, kind: operation })?.account ?? provider;
  return { connector, account, product };
}

function accountOf(
  operator: Operator,
  { connector, account, product }: CredentialsKey,
  { values, provider }: { readonly values: Account['values']; readonly provider: string },
): Account {
  const form = operator.credentials[product] ?? {};
  const secrets = Object.entries(values).flatMap(([name, value]) =>
    form[name]?.kind === 'OPEN' ? [] : [value],
  );
  const rate = rateOf(operator.rate, values['requestsPerSecond']);
  return { name: `${connector}/${account}/${product}`, provider, product, values, secrets, rate };
}

/** What a contract allows can be more or less than what the operator publishes. */
function rateOf(published: RateRule, agreed: string | undefined): RateRule {
  const perSecond = Number(agreed ?? '');
  return perSecond > 0 ? { perSecond, burst: Math.max(1, Math.floor(perSecond)) } : published;
}

type Recorder = { readonly record: (exchange: Exchange) => void; readonly close: () => Promise<void> };

/** As many as wait to be written; beyond that the database is away, and memory matters more. */
const WAITING_MAX = 10_000;
const BATCH_MAX = 500;

/** Written behind the payments' back, in batches: whoever pays does not wait for support's record. */
function createRecorder({ database, keyring, onError }: OperatorParts): Recorder {
  let waiting: Exchange[] = [];
  let writing: Promise<void> | null = null;
  const write = async () => {
    while (waiting.length > 0) {
      const batch = waiting.slice(0, BATCH_MAX);
      waiting = waiting.slice(BATCH_MAX);
      await insertTraffic(database, keyring, batch).catch(onError);
    }
    writing = null;
  };
  return {
    record: (exchange) => {
      if (waiting.length < WAITING_MAX) waiting.push(exchange);
      writing ??= write();
    },
    close: async () => {
      await writing;
    },
  };
}
