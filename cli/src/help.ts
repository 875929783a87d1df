// Renders help texts.
import { renderNeed, renderOption } from '@malipo/server/terminal/parse-options';
import { renderRows } from '@malipo/server/terminal/rows';
import { EVERYWHERE, type Argument, type Command, type Option } from './command.ts';

export function renderOverview(commands: readonly Command[]): string {
  return `malipo makes mobile-money payments and runs a sandbox.

Usage: malipo COMMAND [options]

Commands:
${renderRows(commands.map(({ words, summary }) => [words, summary]))}

Run malipo COMMAND --help for options. Get started: malipo sandbox`;
}

export function renderHelp(command: Command): string {
  const { summary, details, arguments: args = [], options = [], examples } = command;
  const parts = [
    `${summary}.`,
    ...(details === undefined ? [] : [details]),
    `Usage: ${renderUsage(command)}`,
    ...(args.length === 0 ? [] : [`Arguments:\n${renderRows(args.map(describeArgument))}`]),
    `Options:\n${renderRows([...options, ...EVERYWHERE].map(describeOption))}`,
    `Examples:\n${examples.map((example) => `  ${example}`).join('\n')}`,
  ];
  return parts.join('\n\n');
}

/** Required options are in it, as one would type them. */
export function renderUsage({ words, arguments: args = [], options = [] }: Command): string {
  const named = args.map(({ name, isOptional = false }) => (isOptional ? `[${name}]` : name));
  const required = options.filter(({ isRequired = false }) => isRequired).map(renderOption);
  return ['malipo', words, ...named, ...required, '[options]'].join(' ');
}

function describe({ summary, choices }: Pick<Option, 'summary' | 'choices'>): string {
  return choices === undefined ? summary : `${summary} One of ${choices.join(', ')}.`;
}

export function explainOption(option: Option): string {
  return `${describe(option)}${renderNeed(option)}`;
}

const describeArgument = (argument: Argument) => [argument.name, describe(argument)];
const describeOption = (option: Option) => [renderOption(option), explainOption(option)];
