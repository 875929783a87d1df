// Connectors to real operators, put together with what all workers share: accounts, tokens, rate budgets, and the
// record of what was said.
import { accountNameOf } from '../../connectors/account-id.ts';
import type { Binding } from '../../connectors/bindings.ts';
import type {
  Account,
  Exchange,
  Operator,
  OperatorContext,
  WantedAccount,
} from '../../connectors/operator.ts';
import type { Connector, ConnectorTiming, WantedSlots } from '../../connectors/port.ts';
import type { RateRule } from '../../connectors/rate-gate.ts';
import { OPERATORS } from '../../connectors/registry.ts';
import type { KeptToken } from '../../connectors/token-source.ts';
import { remembered } from '../../core/cells/directory.ts';
import {
  credentialsKeyFor,
  isCurrent,
  listKnownAccounts,
  type KnownAccount,
} from '../../core/operators/operator-accounts.ts';
import type { EngineClock } from '../../core/engine.ts';
import { addMs } from '../../domain/time.ts';
import { insertQuestion } from '../../store/operators/operator-questions.ts';
import { pauseRate, takeRateSlot, takeRateSlots } from '../../store/operators/operator-rates.ts';
import {
  findOperatorToken,
  keepOperatorToken,
  leaseOperatorToken,
  releaseOperatorToken,
  withdrawOperatorToken,
} from '../../store/operators/operator-tokens.ts';
import { insertTraffic } from '../../store/operators/operator-traffic.ts';
import type { Keyring } from '../../store/encryption/encryption.ts';
import { inTransaction, type Database, type Tx } from '../../store/database.ts';

export type OperatorParts = {
  readonly database: Database;
  readonly keyring: Keyring;
  /** Account ids are made with it. */
  readonly referenceKey: Buffer;
  readonly clock: EngineClock;
  readonly bindings: readonly Binding[];
  readonly timing: Readonly<Record<string, Partial<ConnectorTiming>>>;
  /** How long a process works with credentials that were replaced meanwhile. */
  readonly rememberMs: number;
  /** Where operators reach this gateway, once that is known. */
  readonly operatorsUrl: () => string;
  /** Hears what is recorded of every call. */
  readonly onExchange?: (exchange: Exchange) => void;
  readonly onError: (error: unknown) => void;
};

export type OperatorConnectors = {
  readonly connectors: readonly Connector[];
  /** Stores what is still to be stored. */
  readonly flush: () => Promise<void>;
  /** Closes connections, and stores what is still to be stored. */
  readonly close: () => Promise<void>;
};

/** All of them, bound or not: a payment stays with its connector after its provider was bound to another one. */
export function createOperatorConnectors(parts: OperatorParts): OperatorConnectors {
  const recorder = createRecorder(parts);
  const connectors = Object.entries(OPERATORS).map(([name, operator]): Connector => {
    const context = contextFor(parts, { name, operator, recorder });
    return { ...operator.create(context), takeSlots: (wanted) => takeSlots(parts, context, wanted) };
  });
  return {
    connectors,
    flush: recorder.flush,
    close: async () => {
      for (const connector of connectors) await connector.close?.();
      await recorder.flush();
    },
  };
}

/** Slots are taken no further ahead, so that enquiries and other processes find some. */
const SLOTS_AHEAD_MS = 1_000;

/** Without an account nothing is sent, and nothing needs a slot. */
async function takeSlots(
  { database }: OperatorParts,
  { findAccount }: OperatorContext,
  { provider, operation, use, countMax }: WantedSlots,
): Promise<readonly number[] | null> {
  const account = await findAccount({ provider, operation });
  if (account === null) return null;
  const name = use === 'SUBMIT' ? account.name : `${account.name} releases`;
  const withinMs = use === 'SUBMIT' ? SLOTS_AHEAD_MS : 0;
  const waits = await takeRateSlots(database, { ...account.rate, account: name, withinMs, countMax });
  return waits.map((waitMs) => performance.now() + Math.max(0, waitMs));
}

type Named = { readonly name: string; readonly operator: Operator; readonly recorder: Recorder };

function accountFinder(parts: OperatorParts, connector: string) {
  const read = () => listKnownAccounts(parts.database, parts, [connector]);
  const known = remembered(read, parts.rememberMs);
  return async (wanted: WantedAccount): Promise<KnownAccount | null> => {
    const key = credentialsKeyFor(parts.bindings, connector, wanted);
    const isIt = (one: KnownAccount) =>
      wanted.account === undefined ? isCurrent(one, key) : one.accountId === wanted.account;
    const found = (await known('all')).find(isIt);
    if (found !== undefined || wanted.account === undefined) return found ?? null;
    // Another process may have begun to use an account that this one has not read yet.
    return (await read()).find(isIt) ?? null;
  };
}

function contextFor(parts: OperatorParts, { name, operator, recorder }: Named): OperatorContext {
  const { database, keyring, clock, timing } = parts;
  const find = accountFinder(parts, name);
  return {
    clock: { now: () => new Date(clock.now().getTime()) },
    timing: timing[name] ?? {},
    findAccount: async (wanted) => {
      const known = await find(wanted);
      return known === null ? null : accountOf(operator, known, wanted.provider);
    },
    tokens: {
      find: (account) =>
        inTransaction(database, async (tx) => {
          const { toHere } = await betweenClocks(clock, tx);
          const found = await findOperatorToken(tx, keyring, account);
          return found === null ? null : toHere(found);
        }),
      lease: (account, leaseMs) =>
        inTransaction(database, async (tx) => {
          const now = await clock.timeOf(tx);
          return leaseOperatorToken(tx, { account, now, until: addMs(now, leaseMs) });
        }),
      keep: (account, token) =>
        inTransaction(database, async (tx) => {
          const { toHere, toDatabase } = await betweenClocks(clock, tx);
          return toHere(await keepOperatorToken(tx, keyring, { account, ...toDatabase(token) }));
        }),
      release: (account) => releaseOperatorToken(database, account),
      withdraw: (account, issueNo) => withdrawOperatorToken(database, account, issueNo),
    },
    rates: {
      takeSlot: (order) => takeRateSlot(database, order),
      pause: (account, pauseMs) => pauseRate(database, account, pauseMs),
    },
    createAnswerUrl: async ({ reference, addressName }) => {
      const secret = await inTransaction(database, async (tx) =>
        insertQuestion(tx, keyring, { reference, now: await clock.timeOf(tx) }),
      );
      return `${parts.operatorsUrl()}/operators/${addressName}/answers/${reference}/${secret}`;
    },
    record: recorder.record,
  };
}

type TokenTimes = Pick<KeptToken, 'renewAt' | 'expiresAt'>;

/** Tokens are kept with the database's time, which all workers share, and looked at by the clock of this process. */
async function betweenClocks(clock: EngineClock, tx: Tx) {
  const aheadMs = clock.now().getTime() - (await clock.timeOf(tx)).getTime();
  return {
    toHere: (token: KeptToken) => movedBy(token, aheadMs),
    toDatabase: <Times extends TokenTimes>(token: Times) => movedBy(token, -aheadMs),
  };
}

function movedBy<Times extends TokenTimes>(times: Times, byMs: number): Times {
  const { renewAt, expiresAt } = times;
  return { ...times, renewAt: addMs(renewAt, byMs), expiresAt: addMs(expiresAt, byMs) };
}

function accountOf(operator: Operator, known: KnownAccount, provider: string): Account {
  const { product, values } = known;
  const form = operator.credentials[product] ?? {};
  const secrets = Object.entries(values).flatMap(([name, value]) =>
    form[name]?.kind === 'OPEN' ? [] : [value],
  );
  const rate = rateOf(operator.rate, values['requestsPerSecond']);
  const { queryRate: published } = operator;
  const queryRate =
    published === undefined ? {} : { queryRate: rateOf(published, values['queriesPerSecond']) };
  return { name: accountNameOf(known), provider, product, values, secrets, rate, ...queryRate };
}

/** What a contract allows can be more or less than what the operator publishes. */
function rateOf(published: RateRule, agreed: string | undefined): RateRule {
  const perSecond = Number(agreed ?? '');
  return perSecond > 0 ? { perSecond, burst: Math.max(1, Math.floor(perSecond)) } : published;
}

type Recorder = { readonly record: (exchange: Exchange) => void; readonly flush: () => Promise<void> };

/** As many as wait to be written; beyond that the database is out of reach, and memory matters more. */
const WAITING_MAX = 10_000;
const BATCH_MAX = 500;

/** Written behind the payments' back, in batches: anyone who pays does not wait for support's record. */
function createRecorder({ database, keyring, clock, onExchange, onError }: OperatorParts): Recorder {
  let waiting: Exchange[] = [];
  let writing: Promise<void> | null = null;
  const write = async () => {
    while (waiting.length > 0) {
      const batch = waiting.slice(0, BATCH_MAX);
      waiting = waiting.slice(BATCH_MAX);
      await inTransaction(database, async (tx) => {
        const behindMs = (await clock.timeOf(tx)).getTime() - clock.now().getTime();
        const dated = batch.map((exchange) => ({ ...exchange, at: addMs(exchange.at, behindMs) }));
        await insertTraffic(tx, keyring, dated);
      }).catch(onError);
    }
    writing = null;
  };
  return {
    record: (exchange) => {
      onExchange?.(exchange);
      if (waiting.length < WAITING_MAX) waiting.push(exchange);
      writing ??= write();
    },
    flush: async () => {
      await writing;
    },
  };
}
