// How one setting is read: a number within its bounds, an address, a text that must be there. What is wrong is said so
// that a host knows what to do. config.ts hands in the environment.
import type { Environment } from './core/engine.ts';

/** A setting that is missing or wrong. Its message tells the host what to do. */
export class ConfigError extends Error {}

export type Range = readonly [min: number, max: number];

export function readNumber(
  env: NodeJS.ProcessEnv,
  name: string,
  otherwise: number,
  [min, max]: Range,
): number {
  const text = optional(env, name);
  if (text === undefined) return otherwise;
  const value = /^\d{1,9}$/.test(text) ? Number(text) : NaN;
  if (value >= min && value <= max) return value;
  throw new ConfigError(`${name} must be a whole number from ${min} to ${max}, not "${text}".`);
}

/** An address that paths are put behind, so it must not end in a slash of its own. */
export function readUrl(env: NodeJS.ProcessEnv, name: string): string | null {
  const text = optional(env, name);
  if (text === undefined) return null;
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url === null || !/^https?:$/.test(url.protocol) || url.search !== '' || url.hash !== '')
    throw new ConfigError(`${name} must be an http or https address without a query.`);
  return text.replace(/\/+$/, '');
}

/** Names of hosts, parted by spaces, in lower case. */
export function readHosts(env: NodeJS.ProcessEnv, name: string): ReadonlySet<string> {
  const hosts = (optional(env, name) ?? '')
    .toLowerCase()
    .split(/\s+/)
    .filter((host) => host !== '');
  const bad = hosts.find((host) => !/^[a-z0-9]([a-z0-9.-]*[a-z0-9])?$/.test(host));
  if (bad === undefined) return new Set(hosts);
  throw new ConfigError(`${name} must list names of hosts without a port, parted by spaces, not "${bad}".`);
}

/** Of two with one id only the first would ever be found. */
export function requireDistinct(
  name: string,
  what: string,
  all: readonly { readonly id: string | number }[],
): void {
  const repeated = all.find(({ id }, index) => all.findIndex((other) => other.id === id) < index);
  if (repeated !== undefined) throw new ConfigError(`${name} lists ${what} ${repeated.id} twice.`);
}

export function readEither<Value extends string>(
  env: NodeJS.ProcessEnv,
  name: string,
  allowed: readonly [Value, Value],
  otherwise: Value,
): Value {
  const value = optional(env, name) ?? otherwise;
  const found = allowed.find((one) => one === value);
  if (found !== undefined) return found;
  throw new ConfigError(`${name} must be "${allowed.join('" or "')}", not "${value}".`);
}

export function required(env: NodeJS.ProcessEnv, name: string, what: string): string {
  const value = optional(env, name);
  if (value !== undefined) return value;
  throw new ConfigError(`${name} is not set. It must hold ${what}.`);
}

/** Set to nothing is not set: files of settings often list names with empty values. */
export function optional(env: NodeJS.ProcessEnv, name: string): string | undefined {
  const value = env[name];
  return value === '' ? undefined : value;
}

const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'];

export function readLogLevel(env: NodeJS.ProcessEnv, otherwise: string): string {
  const level = optional(env, 'MALIPO_LOG_LEVEL') ?? otherwise;
  if (LOG_LEVELS.includes(level)) return level;
  throw new ConfigError(`MALIPO_LOG_LEVEL must be one of ${LOG_LEVELS.join(', ')}, not "${level}".`);
}

/** Production must not trust a request's Host: links, cookies and signatures are made for this address. */
export function readPublicUrl(env: NodeJS.ProcessEnv, environment: Environment): string | null {
  if (environment === 'production')
    required(
      env,
      'MALIPO_PUBLIC_URL',
      'the address where people reach this gateway, such as https://pay.example.com',
    );
  return readUrl(env, 'MALIPO_PUBLIC_URL');
}
