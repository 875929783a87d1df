// All commands, in the order of the overview.
import type { Command } from '../command.ts';
import { balancesCommand } from './balances.ts';
import { batchCommand } from './batch.ts';
import { completionCommand } from './completion.ts';
import { listenCommand } from './listen.ts';
import { migrateCommand } from './migrate.ts';
import { paymentCommands } from './payments.ts';
import { profileCommands } from './profiles.ts';
import { sandboxCommand } from './sandbox.ts';
import { tailCommand } from './tail.ts';
import { triggerCommand } from './trigger.ts';

export const COMMANDS: readonly Command[] = [
  sandboxCommand,
  listenCommand,
  triggerCommand,
  tailCommand,
  ...paymentCommands,
  batchCommand,
  balancesCommand,
  ...profileCommands,
  migrateCommand,
  completionCommand(() => COMMANDS),
];
