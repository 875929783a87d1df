// Renders help texts.
import { EVERYWHERE, type Argument, type Command, type Option } from './command.ts';
import { renderColumns } from './table.ts';

export function renderOverview(commands: readonly Command[]): string {
  const rows = commands.map(({ words, summary }) => [`  malipo ${words}`, summary]);
  return `Malipo, the mobile-money payments gateway.

${renderColumns(rows)}

Options of a command: malipo COMMAND --help. Get started: malipo sandbox`;
}

export function renderHelp(command: Command): string {
  const { summary, details, arguments: args = [], options = [], examples } = command;
  const parts = [
    `${summary}.`,
    ...(details === undefined ? [] : [details]),
    `Usage: ${renderUsage(command)}`,
    ...(args.length === 0 ? [] : [`Arguments:\n${renderColumns(args.map(describeArgument))}`]),
    `Options:\n${renderColumns([...options, ...EVERYWHERE].map(describeOption))}`,
    `Examples:\n${examples.map((example) => `  ${example}`).join('\n')}`,
  ];
  return parts.join('\n\n');
}

export function renderUsage({ words, arguments: args = [] }: Command): string {
  const named = args.map(({ name, isOptional = false }) => (isOptional ? `[${name}]` : name));
  return ['malipo', words, ...named, '[options]'].join(' ');
}

export function renderOption({ name, value }: Option): string {
  return value === undefined ? `--${name}` : `--${name} ${value}`;
}

export function describe({ summary, choices }: Pick<Option, 'summary' | 'choices'>): string {
  return choices === undefined ? summary : `${summary} One of ${choices.join(', ')}.`;
}

const describeArgument = (argument: Argument) => [`  ${argument.name}`, describe(argument)];
const describeOption = (option: Option) => [`  ${renderOption(option)}`, describe(option)];
