// What a command of `malipo-server` is, and how it reads its options.
import { parseArgs, type ParseArgsOptionsConfig } from 'node:util';
import { readConfig } from '../config.ts';
import type { Engine } from '../core/engine.ts';
import type { Merchant } from '../store/merchants/merchants.ts';
import { openGateway, type Gateway } from './serve/compose.ts';

export type Command = {
  readonly usage: string;
  readonly summary: string;
  readonly run: (args: readonly string[]) => Promise<void>;
};

/** A command called with the wrong words. Its message tells the person what to do. */
export class UsageError extends Error {}

export type OptionValues = Readonly<Record<string, string | boolean | undefined>>;

export function readOptions(args: readonly string[], options: ParseArgsOptionsConfig): OptionValues {
  try {
    return parseArgs({ args: [...args], options, strict: true }).values as OptionValues;
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : 'the options could not be read');
  }
}

export function requireText(values: OptionValues, name: string): string {
  const value = values[name];
  if (typeof value === 'string' && value !== '') return value;
  throw new UsageError(`--${name} is missing.`);
}

/** An option that takes a text. */
export const TEXT = { type: 'string' } as const;

/** Who acts. Every act that changes anything is written down with this name. */
export function requirePerson(values: OptionValues): string {
  const name = requireText(values, 'by').trim();
  if (/^\P{C}{1,100}$/u.test(name)) return name;
  throw new UsageError('--by must be the name of the person who does this, on one line.');
}

/** A reason in a person's own words. */
export function requireReason(values: OptionValues): string {
  const reason = requireText(values, 'reason').trim();
  if (reason !== '' && reason.length <= 1_000) return reason;
  throw new UsageError('--reason must say why, in at most 1000 characters.');
}

export function requireUuid(values: OptionValues, name: string): string {
  const value = requireText(values, name).toLowerCase();
  if (/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(value)) return value;
  throw new UsageError(`--${name} must be an id such as 0b1e5a6c-6a0e-4a5e-9d0e-1f2a3b4c5d6e.`);
}

export function requireOneOf<Value extends string>(
  allowed: readonly Value[],
  values: OptionValues,
  name: string,
): Value {
  const value = requireText(values, name);
  const found = allowed.find((candidate) => candidate === value);
  if (found !== undefined) return found;
  throw new UsageError(`--${name} must be one of ${allowed.join(', ')}.`);
}

/** Several of `allowed`, parted by commas, or "all" of them. */
export function requireSomeOf<Value extends string>(
  allowed: readonly Value[],
  values: OptionValues,
  name: string,
): readonly Value[] {
  const wanted = requireText(values, name).split(',');
  if (wanted.length === 1 && wanted[0] === 'all') return allowed;
  const unknown = wanted.find((one) => !allowed.some((candidate) => candidate === one));
  if (unknown === undefined) return allowed.filter((candidate) => wanted.includes(candidate));
  throw new UsageError(`--${name}: there is no "${unknown}". There are: ${allowed.join(', ')}, or all.`);
}

/** How many lines at most. */
export function requireCount(values: OptionValues, name: string): number {
  const text = requireText(values, name);
  if (/^[1-9]\d{0,5}$/.test(text)) return Number(text);
  throw new UsageError(`--${name} must be a whole number above 0.`);
}

/** A point in time with its zone: what 2 o'clock is depends on where one is. */
export function requireTime(values: OptionValues, name: string): Date {
  const text = requireText(values, name);
  const isWhole = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d{1,3})?)?(Z|[+-]\d\d:\d\d)$/.test(text);
  const time = new Date(text);
  if (isWhole && !Number.isNaN(time.getTime())) return time;
  throw new UsageError(`--${name} must be a time such as 2027-01-31T14:00:00Z.`);
}

/** For a command about the merchant that --merchant names. */
export async function withMerchant(
  values: OptionValues,
  work: (engine: Engine, merchant: Merchant) => Promise<void>,
): Promise<void> {
  const merchantId = requireUuid(values, 'merchant');
  await withGateway(async ({ engine }) => {
    const merchant = await engine.directory.merchant(merchantId);
    if (merchant === null) throw new UsageError(`There is no merchant ${merchantId}.`);
    await work(engine, merchant);
  });
}

/** For a command manually: opens the gateway, does one thing, closes it again. */
export async function withGateway(work: (gateway: Gateway) => Promise<void>): Promise<void> {
  const gateway = await openGateway({ ...readConfig(), logLevel: 'warn' }, { role: 'admin', logTo: 2 });
  try {
    await work(gateway);
  } finally {
    await gateway.stop();
  }
}

/** In production a command only creates requests: approving needs a person who is signed in. */
export function refuseApprovalHere({ environment }: Pick<Engine, 'environment'>): void {
  if (environment !== 'production') return;
  throw new UsageError('In production this is approved in the dashboard, by people who are signed in.');
}

/** What a command tells of a request that it has created. */
export const REQUESTED = 'requested; two people must approve it in the dashboard';

/** Says that what was asked for cannot be done, and ends the process with code 1. */
export function refuse(text: string): void {
  process.stderr.write(`${text}\n`);
  process.exitCode = 1;
}

export function print(text: string): void {
  process.stdout.write(`${text}\n`);
}
