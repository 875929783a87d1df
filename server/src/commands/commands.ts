// Every command of `malipo-server` by its name: one word, or a group and what to do.
import { adminCommands } from './administer.ts';
import type { Command } from './command.ts';
import { newConnectorCommand } from './contributor/new-connector/command.ts';
import { openApiCommand } from './contributor/openapi/command.ts';
import { translateRequestCommand } from './contributor/translate-request.ts';
import { migrateCommand } from './migrate.ts';
import { sandboxCommand } from './sandbox-command.ts';
import { serveCommand } from './serve/serve.ts';

/** They write into the repository, and the installed package has none. */
const FOR_CONTRIBUTORS: readonly (readonly [string, Command])[] = import.meta.url.endsWith('.ts')
  ? [
      ['generate openapi', openApiCommand],
      ['generate connector', newConnectorCommand],
    ]
  : [];

/** What the commands of each group are for. */
export const GROUPS: ReadonlyMap<string, string> = new Map([
  ['merchant', 'create, show, suspend, resume and move merchants'],
  ['cell', 'move all merchants of a cell to another one'],
  ['operations', 'what a merchant may do'],
  ['provider', 'which providers a merchant may use'],
  ['fee', "merchants' fees"],
  ['limit', 'how many payments, and how much money, a merchant may start'],
  ['freeze', 'stop outgoing payments at once'],
  ['hold', 'payments and money that are held'],
  ['number', 'blocked and allowed phone numbers'],
  ['review', 'payments that people look at before they are sent'],
  ['review-rule', 'which payments are screened, or held for people'],
  ['callback-url', 'where callbacks (webhooks) are sent'],
  ['callback', 'callbacks (webhooks) that were sent, and sending them again'],
  ['contact', 'where notices are emailed'],
  ['notice', 'notices to merchants'],
  ['token', 'API tokens (API keys)'],
  ['public-key', 'the keys that merchants sign requests with'],
  ['signatures', 'whether a merchant must sign its requests'],
  ['page-brand', "the colour and the logo of a merchant's payment pages"],
  ['regional-settings', 'the time zone and the home currency of a merchant'],
  ['signing-key', 'the keys that the platform signs callbacks and answers with'],
  ['keys', 'wrap encryption keys; re-encrypt and rehash after a change of keys'],
  ['data-key', "the keys that merchants' personal data is encrypted under"],
  ['availability', 'whether providers can be used'],
  ['operator', 'try operator accounts before going live'],
  ['operator-account', 'accounts with operators and their credentials'],
  ['operator-traffic', 'requests to operators and their answers'],
  ['wallet', "merchants' wallets: top up, settle, adjust"],
  ['settlement', "payments to merchants' banks that merchants request"],
  ['trial-balance', 'balances of all accounts, and their total'],
  ['float', 'money at operators: their balances and ours'],
  ['bank-report', "the bank's lines of operator accounts"],
  ['daily-close', 'days of operator accounts, signed by two people'],
  ['payment', 'show or end a payment; cancel payments that were not sent'],
  ['reconciliation', 'payments with unknown outcome'],
  ['operator-report', "operators' reports of payments"],
  ['case', "payments where the operator's record differs from ours"],
  ['unmatched-notification', "operators' notifications about unknown payments"],
  ['recovery', 'after the database was restored from a backup'],
  ['time', 'after the clock of the database was ahead'],
  ['unmatched-payment', 'operator payments that a restored database does not know'],
  ['rights', 'the rights of database roles'],
  ['administrator', 'the people who administer the platform'],
  ['person', 'the people who sign in to the dashboard'],
  ['approval', 'requests that need a second approver'],
  ['audit', 'the audit log'],
  ['request', 'requests of API v1'],
  ...(FOR_CONTRIBUTORS.length === 0
    ? []
    : [['generate', 'for contributors: write files of the repository'] as const]),
]);

const SINGLE: readonly (readonly [string, Command])[] = [
  ['sandbox', sandboxCommand],
  ['all', serveCommand('all', 'serve the API and do the work, in one process')],
  ['api', serveCommand('api', 'serve the API')],
  ['worker', serveCommand('worker', 'do the work: submit, enquire, deliver, sweep')],
  ['migrate', migrateCommand],
];

const GROUPED = [
  ...adminCommands,
  ['request translate', translateRequestCommand] as const,
  ...FOR_CONTRIBUTORS,
];

/** Those of a group stand together, in the order of the groups. */
export const COMMANDS: ReadonlyMap<string, Command> = new Map([
  ...SINGLE,
  ...[...GROUPS.keys()].flatMap((group) => GROUPED.filter(([name]) => name.startsWith(`${group} `))),
]);
