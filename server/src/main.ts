#!/usr/bin/env node
// `malipo-server`: runs every role of the gateway, and what a platform administrator does manually.
import type { Command } from './commands/command.ts';
import { findCommand } from './commands/find-command.ts';
import { renderUsage } from './commands/help.ts';
import { UsageError } from './commands/options.ts';
import { output, print, tell } from './commands/output.ts';
import { ConfigError } from './config-values.ts';
import { MerchantInOtherCell } from './core/cells/lock-merchant.ts';

const words = process.argv.slice(2);
output.hasColours = !words.includes('--no-color');
const found = findCommand(words.filter((word) => word !== '--no-color'));

switch (found.type) {
  case 'HELP':
    print(found.text.trimEnd());
    break;
  case 'UNKNOWN':
    tell(found.text.trimEnd());
    process.exitCode = 2;
    break;
  case 'COMMAND':
    await run(found);
}

async function run({ name, command, args }: { name: string; command: Command; args: readonly string[] }) {
  try {
    await command.run(args);
  } catch (error) {
    tell(`malipo-server ${name}: ${explain(error)}`);
    if (error instanceof UsageError)
      tell(`${renderUsage(name, command)}\nOptions: malipo-server ${name} --help`);
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
