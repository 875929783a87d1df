// How commands are used, for people.
import type { Command } from './command.ts';
import { COMMANDS, GROUPS } from './commands.ts';
import { OPTION_TEXTS } from './option-texts.ts';
import { readUsage, type UsedOption } from './read-usage.ts';
import { renderNeed, renderOption } from './terminal/parse-options.ts';
import { renderRows } from './terminal/rows.ts';

export function renderOverview(): string {
  const single = [...COMMANDS].filter(([name]) => !name.includes(' '));
  return `malipo-server runs and administers the gateway.

Usage: malipo-server COMMAND [options]

Commands:
${renderRows(single.map(([name, { summary }]) => [name, summary]))}

Groups of commands:
${renderRows([...GROUPS])}

Run "malipo-server GROUP --help" for the commands of a group, and "malipo-server COMMAND --help" for options.
--no-color leaves out colours. --version prints the version.
`;
}

export function renderGroup(group: string): string {
  const commands = [...COMMANDS].filter(([name]) => name.startsWith(`${group} `));
  return `${sentence(GROUPS.get(group) ?? group)}

Commands:
${renderRows(commands.map(([name, { summary }]) => [name, summary]))}

Run "malipo-server COMMAND --help" for options.
`;
}

export function renderHelp(name: string, command: Command): string {
  const rows = readUsage(command.usage).map((used) => [renderOption(used), describeOption(used)]);
  const options = rows.length === 0 ? '' : `\nOptions:\n${renderRows(rows)}\n`;
  return `${sentence(command.summary)}\n\n${renderUsage(name, command)}\n${options}`;
}

function describeOption(used: UsedOption): string {
  const { name, value } = used;
  return `${OPTION_TEXTS[`${name} ${value}`] ?? OPTION_TEXTS[name] ?? ''}${renderNeed(used)}`;
}

export function renderUsage(name: string, { usage }: Command): string {
  return `Usage: ${['malipo-server', name, usage].filter((part) => part !== '').join(' ')}`;
}

function sentence(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
}
