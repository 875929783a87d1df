// The operators of a chaos run: the simulator, or the operators' fakes. Each is a separate process.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { bindOperators, enrol } from '../../server/src/commands/sandbox/operator-fakes.ts';
import type { Binding } from '../../server/src/connectors/bindings.ts';
import { OPERATORS } from '../../server/src/connectors/registry.ts';
import type { Engine } from '../../server/src/core/engine.ts';
import type { FakeProcessOptions } from './fake-process.ts';
import type { Member } from '../kit/fleet.ts';
import { MARKETS, marketOf, type Market } from '../kit/load/markets.ts';
import { journalPathOf } from '../kit/verdict/operator-books.ts';
import { simulatorArguments } from '../kit/processes.ts';
import type { Scratch } from '../kit/scratch.ts';
import { BY, simulatorOptions, type Tempo } from '../kit/settings.ts';

export type Operators =
  | { readonly type: 'SIMULATOR'; readonly repeats: 'RECOGNISED' | 'CHARGED' }
  | { readonly type: 'FAKES' };

/** One operator recognises repeats; the other charges again and sends its results later and once. */
const PLAYED: Readonly<Record<string, readonly string[]>> = {
  'mtn-momo': ['MTN_MOMO_RWA', 'MTN_MOMO_ZMB'],
  'mpesa-daraja': ['MPESA_KEN'],
};

/** The host has two accounts with each operator. Each is a separate process; the second one has this suffix. */
const SECOND = '-2';

/** The processes: one for each account. */
export function namesOf(operators: Operators): readonly string[] {
  if (operators.type === 'SIMULATOR') return ['simulator'];
  return connectorNames().flatMap((name) => [name, `${name}${SECOND}`]);
}

function connectorNames(): readonly string[] {
  return Object.keys(PLAYED).filter((name) => OPERATORS[name] !== undefined);
}

function connectorOf(processName: string): string {
  return processName.endsWith(SECOND) ? processName.slice(0, -SECOND.length) : processName;
}

export function marketsOf(operators: Operators): readonly Market[] {
  if (operators.type === 'SIMULATOR') return MARKETS;
  return bindingsOf(operators).map(({ provider }) => marketOf(provider));
}

export function bindingsOf(operators: Operators): readonly Binding[] {
  if (operators.type === 'SIMULATOR') return [];
  return bindOperators(connectorNames()).filter(({ connector, provider }) =>
    PLAYED[connector]?.includes(provider),
  );
}

const FAKE = fileURLToPath(new URL('./fake-process.ts', import.meta.url));

/** The options of an operator's process. */
export function argumentsOf(
  scratch: Scratch,
  { name, port }: Member,
  facts: { readonly operators: Operators; readonly tempo: Tempo; readonly apiUrl: string },
): readonly string[] {
  const { operators, tempo, apiUrl: gatewayUrl } = facts;
  const journalPath = journalPathOf(scratch, name);
  const shared = { ...simulatorOptions(tempo), journalPath, control: true, port };
  if (operators.type === 'SIMULATOR') {
    const { repeats } = operators;
    return simulatorArguments(scratch, { ...shared, repeats });
  }
  const connector = connectorOf(name);
  const providers = PLAYED[connector] ?? [];
  const credentialsPath = credentialsPathOf(scratch, name);
  const options: FakeProcessOptions = { ...shared, connector, providers, gatewayUrl, credentialsPath };
  return [FAKE, scratch.path, JSON.stringify(options)];
}

/** The operators' rate limits: enough on average, too little for every burst. */
const AGREED = { requestsPerSecond: '20', queriesPerSecond: '40' };

/** The accounts of a run with the operators' fakes, and which of them new payments use. */
export class Accounts {
  readonly #engine: Engine;
  readonly #scratch: Scratch;
  readonly #bindings: readonly Binding[];
  /** The processes of each connector; new payments use the last. */
  readonly #order: Map<string, readonly string[]>;

  constructor(engine: Engine, scratch: Scratch, operators: Operators) {
    this.#engine = engine;
    this.#scratch = scratch;
    this.#bindings = bindingsOf(operators);
    const names = operators.type === 'SIMULATOR' ? [] : connectorNames();
    this.#order = new Map(names.map((name) => [name, [`${name}${SECOND}`, name]]));
  }

  /** Stores the current credentials of all accounts: a restarted fake has new keys. */
  async enrol(): Promise<void> {
    for (const number of [0, 1]) {
      await enrol(this.#engine, {
        by: BY,
        bindings: this.#bindings,
        agreed: AGREED,
        credentialsOf: ({ connector, provider }) => this.#credentialsOf(connector, number)[provider] ?? {},
      });
    }
  }

  /** Switches new payments of one operator to its other account. False if there is none. */
  async replaceOne(pick: (names: readonly string[]) => string): Promise<boolean> {
    const names = [...this.#order.keys()];
    if (names.length === 0) return false;
    const name = pick(names);
    this.#order.set(name, (this.#order.get(name) ?? []).toReversed());
    await this.enrol();
    return true;
  }

  #credentialsOf(connector: string, number: number): Credentials {
    return readCredentials(this.#scratch, this.#order.get(connector)?.[number] ?? connector);
  }
}

type Credentials = Readonly<Record<string, Readonly<Record<string, Readonly<Record<string, string>>>>>>;

function readCredentials(scratch: Scratch, name: string): Credentials {
  const path = credentialsPathOf(scratch, name);
  return existsSync(path) ? (JSON.parse(readFileSync(path, 'utf8')) as Credentials) : {};
}

function credentialsPathOf(scratch: Scratch, name: string): string {
  return join(scratch.folder(name), 'credentials.json');
}
