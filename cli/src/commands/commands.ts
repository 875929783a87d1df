// All commands, in the order of the overview.
import type { Command } from '../command.ts';
import { batchCommand } from './batch.ts';
import { completionCommand } from './completion.ts';
import { listenCommand } from './listen.ts';
import { paymentListCommand } from './payment-list.ts';
import { paymentCommands } from './payments.ts';
import { profileCommands } from './profiles.ts';
import { translateCommand } from './translate.ts';
import { sandboxCommand } from './sandbox.ts';
import { tailCommand } from './tail.ts';
import { triggerCommand } from './trigger.ts';
import { walletListCommand } from './wallets.ts';

export const COMMANDS: readonly Command[] = [
  sandboxCommand,
  listenCommand,
  triggerCommand,
  tailCommand,
  paymentListCommand,
  ...paymentCommands,
  batchCommand,
  walletListCommand,
  ...profileCommands,
  translateCommand,
  completionCommand(() => COMMANDS),
];
