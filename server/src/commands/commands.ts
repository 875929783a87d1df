// Every command of `malipo-server` by its name.
import { adminCommands } from './administer.ts';
import { availabilityHistoryCommand } from './administer/availability-history.ts';
import type { Command } from './command.ts';
import { migrateCommand } from './migrate.ts';
import { newConnectorCommand } from './contributor/new-connector/command.ts';
import { openApiCommand } from './contributor/openapi.ts';
import { sandboxCommand } from './sandbox/command.ts';
import { serveCommand } from './serve/serve.ts';
import { translateRequestCommand } from './contributor/translate-request.ts';

/** They write into the repository, and the installed package has none. */
const FOR_CONTRIBUTORS: readonly (readonly [string, Command])[] = import.meta.url.endsWith('.ts')
  ? [
      ['openapi', openApiCommand],
      ['new-connector', newConnectorCommand],
    ]
  : [];

export const COMMANDS: ReadonlyMap<string, Command> = new Map([
  ['sandbox', sandboxCommand],
  ['all', serveCommand('all', 'serve the API and do the work, in one process')],
  ['api', serveCommand('api', 'serve the API')],
  ['worker', serveCommand('worker', 'do the work: submit, enquire, deliver, sweep')],
  ['migrate', migrateCommand],
  ...adminCommands,
  ['availability-history', availabilityHistoryCommand],
  ...FOR_CONTRIBUTORS,
  ['translate-request', translateRequestCommand],
]);

export function renderUsage(): string {
  const lines = [...COMMANDS.values()].map(
    ({ usage, summary }) => `  malipo-server ${usage}\n      ${summary}`,
  );
  return `Usage:\n${lines.join('\n')}\n`;
}
