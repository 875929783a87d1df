// The options a command was called with, each read as what it must be. Which ones there are, its usage says.
import { parseAmount, type Amount } from '../domain/money.ts';
import { readUsage } from './read-usage.ts';
import { parseOptions, requireOptions, UsageError, type OptionValues } from './terminal/parse-options.ts';

export { UsageError };

export function readOptions(usage: string, args: readonly string[]): Options {
  const known = readUsage(usage);
  const { values, positionals } = parseOptions(args, known);
  if (positionals.length > 0) throw new UsageError(`Unexpected argument "${positionals[0]}".`);
  requireOptions(known, values);
  return new Options(values);
}

/** `usual` is what counts where an option is left out. */
export class Options {
  readonly #values: OptionValues;

  constructor(values: OptionValues) {
    this.#values = values;
  }

  isGiven(name: string): boolean {
    return this.#values[name] !== undefined;
  }

  text(name: string, usual = ''): string {
    const value = this.#values[name] ?? usual;
    if (typeof value === 'string' && value !== '') return value;
    throw new UsageError(`Missing: --${name}.`);
  }

  textOrNull(name: string): string | null {
    const value = this.#values[name];
    return typeof value === 'string' ? value : null;
  }

  /** Who acts. Every action that changes anything is recorded with this name. */
  person(): string {
    const name = this.text('by').trim();
    if (/^\P{C}{1,100}$/u.test(name)) return name;
    throw new UsageError('--by must be your name, on one line.');
  }

  /** A reason in a person's own words. */
  reason(): string {
    const reason = this.text('reason').trim();
    if (reason !== '' && reason.length <= 1_000) return reason;
    throw new UsageError('--reason must say why, in at most 1000 characters.');
  }

  uuid(name: string): string {
    const value = this.text(name).toLowerCase();
    if (/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(value)) return value;
    throw new UsageError(`--${name} must be an id such as 0b1e5a6c-6a0e-4a5e-9d0e-1f2a3b4c5d6e.`);
  }

  uuidOrNull(name: string): string | null {
    return this.isGiven(name) ? this.uuid(name) : null;
  }

  oneOf<Value extends string>(name: string, allowed: readonly Value[], usual?: Value): Value {
    const value = this.text(name, usual);
    const found = allowed.find((candidate) => candidate === value);
    if (found !== undefined) return found;
    throw new UsageError(`--${name} must be one of ${allowed.join(', ')}.`);
  }

  /** Several of `allowed`, separated by commas, or "all" of them. */
  someOf<Value extends string>(name: string, allowed: readonly Value[], usual?: string): readonly Value[] {
    const wanted = this.text(name, usual).split(',');
    if (wanted.length === 1 && wanted[0] === 'all') return allowed;
    const unknown = wanted.find((one) => !allowed.some((candidate) => candidate === one));
    if (unknown === undefined) return allowed.filter((candidate) => wanted.includes(candidate));
    throw new UsageError(`--${name}: unknown value "${unknown}". Use ${allowed.join(', ')}, or all.`);
  }

  /** How many lines at most. */
  count(name: string, usual: number): number {
    const text = this.text(name, String(usual));
    if (/^[1-9]\d{0,5}$/.test(text)) return Number(text);
    throw new UsageError(`--${name} must be a whole number above 0.`);
  }

  /** Not zero. Below zero only where `mayBeTaken`. */
  amount({ mayBeTaken = false }: { readonly mayBeTaken?: boolean } = {}): Amount {
    const text = this.text('amount');
    const isTaken = mayBeTaken && text.startsWith('-');
    const amount = parseAmount(isTaken ? text.slice(1) : text);
    if (amount !== null && amount !== 0n) return isTaken ? -amount : amount;
    throw new UsageError('--amount must be an amount such as 1000 or 12.5.');
  }

  /** A point in time with its zone: what 2 o'clock is depends on where one is. */
  time(name: string): Date {
    const text = this.text(name);
    const isWhole = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d{1,3})?)?(Z|[+-]\d\d:\d\d)$/.test(text);
    const time = new Date(text);
    if (isWhole && !Number.isNaN(time.getTime())) return time;
    throw new UsageError(`--${name} must be a time such as 2027-01-31T14:00:00Z.`);
  }
}
