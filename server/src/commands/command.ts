// What a command of `malipo-server` is, and how it reads its options.
import { parseArgs, type ParseArgsOptionsConfig } from 'node:util';
import { readConfig } from '../config.ts';
import { openGateway, type Gateway } from './compose.ts';

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

/** For a command by hand: opens the gateway, does one thing, closes it again. */
export async function withGateway(work: (gateway: Gateway) => Promise<void>): Promise<void> {
  const gateway = await openGateway({ ...readConfig(), logLevel: 'warn' }, { role: 'admin', logTo: 2 });
  try {
    await work(gateway);
  } finally {
    await gateway.stop();
  }
}

export function print(text: string): void {
  process.stdout.write(`${text}\n`);
}
