// Who carries the payments of a chaos run: the simulator, or the doubles of operators. Each is a process of its own.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { bindOperators, enrol } from '../../src/commands/sandbox/operator-doubles.ts';
import type { Binding } from '../../src/connectors/bindings.ts';
import { OPERATORS } from '../../src/connectors/registry.ts';
import type { Engine } from '../../src/core/engine.ts';
import type { DoubleProcessOptions } from './double-process.ts';
import type { Member } from './fleet.ts';
import { MARKETS, marketOf, type Market } from './markets.ts';
import { journalPathOf } from './operator-books.ts';
import type { Scratch } from './scratch.ts';
import { CLIENT, simulatorOptions, type Tempo } from './settings.ts';

export type Operators =
  | { readonly type: 'SIMULATOR'; readonly repeats: 'RECOGNISED' | 'CHARGED' }
  | { readonly type: 'DOUBLES' };

/** One that knows its repeats, and one that charges again and tells its results later and once. */
const PLAYED: Readonly<Record<string, readonly string[]>> = {
  'mtn-momo': ['MTN_MOMO_RWA', 'MTN_MOMO_ZMB'],
  'mpesa-daraja': ['MPESA_KEN'],
};

export function namesOf(operators: Operators): readonly string[] {
  return operators.type === 'SIMULATOR'
    ? ['simulator']
    : Object.keys(PLAYED).filter((name) => OPERATORS[name] !== undefined);
}

export function marketsOf(operators: Operators): readonly Market[] {
  if (operators.type === 'SIMULATOR') return MARKETS;
  return bindingsOf(operators).map(({ provider }) => marketOf(provider));
}

export function bindingsOf(operators: Operators): readonly Binding[] {
  if (operators.type === 'SIMULATOR') return [];
  const names = namesOf(operators);
  return bindOperators(names).filter(({ connector, provider }) => PLAYED[connector]?.includes(provider));
}

const SIMULATOR = fileURLToPath(new URL('./simulator-process.ts', import.meta.url));
const DOUBLE = fileURLToPath(new URL('./double-process.ts', import.meta.url));

/** What an operator's process is started with. */
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
    return [SIMULATOR, scratch.path, JSON.stringify({ ...CLIENT, ...shared, repeats })];
  }
  const providers = PLAYED[name] ?? [];
  const credentialsPath = credentialsPathOf(scratch, name);
  const options: DoubleProcessOptions = {
    ...shared,
    connector: name,
    providers,
    gatewayUrl,
    credentialsPath,
  };
  return [DOUBLE, scratch.path, JSON.stringify(options)];
}

/** What operators allow is far less than a run wants of them. */
const AGREED = { requestsPerSecond: '1000' };

/** Stores the doubles' credentials as they are now: one that was killed has made new keys. */
export async function enrolDoubles(engine: Engine, scratch: Scratch, operators: Operators): Promise<void> {
  const bindings = bindingsOf(operators);
  await enrol(engine, {
    by: 'chaos',
    bindings,
    agreed: AGREED,
    credentialsOf: ({ connector, provider }) => readCredentials(scratch, connector)[provider] ?? {},
  });
}

type Credentials = Readonly<Record<string, Readonly<Record<string, Readonly<Record<string, string>>>>>>;

function readCredentials(scratch: Scratch, name: string): Credentials {
  const path = credentialsPathOf(scratch, name);
  return existsSync(path) ? (JSON.parse(readFileSync(path, 'utf8')) as Credentials) : {};
}

function credentialsPathOf(scratch: Scratch, name: string): string {
  return join(scratch.folder(name), 'credentials.json');
}
