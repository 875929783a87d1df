#!/usr/bin/env node
// `malipo-server`: one command for every role of the gateway and for what a host does manually.
import { COMMANDS, renderUsage } from './commands/commands.ts';
import { UsageError } from './commands/command.ts';
import { ConfigError } from './config-values.ts';
import { MerchantInOtherCell } from './core/cells/lock-merchant.ts';

const [name = 'help', ...args] = process.argv.slice(2);
const command = COMMANDS.get(name);

if (command === undefined) {
  process.stderr.write(renderUsage());
  process.exitCode = name === 'help' || name === '--help' ? 0 : 2;
} else {
  try {
    await command.run(args);
  } catch (error) {
    process.stderr.write(`malipo-server ${name}: ${explain(error)}\n`);
    if (error instanceof UsageError) process.stderr.write(`Usage: malipo-server ${command.usage}\n`);
    process.exitCode = 1;
  }
}

/** What a person can do something about is said plainly; anything else is a bug and shows where it happened. */
function explain(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const isOfTheSystem = 'code' in error && typeof error.code === 'string' && /^E[A-Z]+$/.test(error.code);
  const isSaidPlainly = [ConfigError, UsageError, MerchantInOtherCell].some((kind) => error instanceof kind);
  const isForPeople = isSaidPlainly || isOfTheSystem;
  return isForPeople ? error.message : (error.stack ?? error.message);
}
