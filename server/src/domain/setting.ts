// Reads one setting out of many, or says what is wrong with it.

/** By name; the environment of a process is one. */
export type Settings = Readonly<Record<string, string | undefined>>;

/** A setting that is missing or wrong. Its message tells the host what to do. */
export class ConfigError extends Error {}

/** An address that paths are put behind, so it must not end in a slash of its own. */
export function readUrl(env: Settings, name: string): string | null {
  const text = optional(env, name);
  if (text === undefined) return null;
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url === null || !/^https?:$/.test(url.protocol) || url.search !== '' || url.hash !== '')
    throw new ConfigError(`${name} must be an http or https address without a query, not "${text}".`);
  return text.replace(/\/+$/, '');
}

export type Range = readonly [min: number, max: number];

export function readNumber(env: Settings, name: string, otherwise: number, [min, max]: Range): number {
  const text = optional(env, name);
  if (text === undefined) return otherwise;
  const value = /^\d{1,9}$/.test(text) ? Number(text) : NaN;
  if (value >= min && value <= max) return value;
  throw new ConfigError(`${name} must be a whole number from ${min} to ${max}, not "${text}".`);
}

export function required(env: Settings, name: string, what: string): string {
  const value = optional(env, name);
  if (value !== undefined) return value;
  throw new ConfigError(`${name} is not set. It must hold ${what}.`);
}

/** Set to nothing is not set: files of settings often list names with empty values. */
export function optional(env: Settings, name: string): string | undefined {
  const value = env[name];
  return value === '' ? undefined : value;
}
