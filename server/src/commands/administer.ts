// What a host does manually, by the name of the command.
import { approvalCommands } from './administer/approvals.ts';
import { auditCommands } from './administer/audit.ts';
import { availabilityCommands } from './administer/availability.ts';
import { callbackCommands } from './administer/callbacks.ts';
import { caseCommands } from './administer/cases.ts';
import { certifyCommands } from './administer/certify.ts';
import { notificationCommands } from './administer/notifications.ts';
import { dailyCloseCommands } from './administer/daily-close/commands.ts';
import { floatCommands } from './administer/float.ts';
import { freezeCommands } from './administer/limits/freezes.ts';
import { limitCommands } from './administer/limits/limits.ts';
import { numberCommands } from './administer/limits/numbers.ts';
import { reviewCommands } from './administer/limits/reviews.ts';
import { merchantCommands } from './administer/merchants.ts';
import { cellEndCommands } from './administer/cell-end.ts';
import { moveCommands } from './administer/moves.ts';
import { merchantSettingCommands } from './administer/merchant-settings.ts';
import { operatorCommands } from './administer/operators.ts';
import { peopleCommands } from './administer/people.ts';
import { publicKeyCommands } from './administer/public-keys.ts';
import { signingKeyCommands } from './administer/keys/signing-keys.ts';
import { timeCommands } from './administer/time.ts';
import { tokenCommands } from './administer/tokens.ts';
import { reconciliationCommands } from './administer/reconciliation.ts';
import { recoveryCommands } from './administer/recovery.ts';
import { rightsCommands } from './administer/rights.ts';
import { keyCommands } from './administer/keys/commands.ts';
import { settlementCommands } from './administer/settlements/commands.ts';
import { walletCommands } from './administer/wallets.ts';
import type { Command } from './command.ts';

export const adminCommands: ReadonlyMap<string, Command> = new Map(
  Object.entries<Command>({
    ...merchantCommands,
    ...merchantSettingCommands,
    ...limitCommands,
    ...freezeCommands,
    ...numberCommands,
    ...reviewCommands,
    ...moveCommands,
    ...cellEndCommands,
    ...callbackCommands,
    ...tokenCommands,
    ...publicKeyCommands,
    ...signingKeyCommands,
    ...keyCommands,
    ...availabilityCommands,
    ...operatorCommands,
    ...certifyCommands,
    ...walletCommands,
    ...settlementCommands,
    ...floatCommands,
    ...reconciliationCommands,
    ...dailyCloseCommands,
    ...recoveryCommands,
    ...timeCommands,
    ...rightsCommands,
    ...caseCommands,
    ...notificationCommands,
    ...peopleCommands,
    ...approvalCommands,
    ...auditCommands,
  }),
);
