// Parses the command line into a command with its arguments and options.
import { parseArgs, type ParseArgsOptionsConfig } from 'node:util';
import { EVERYWHERE, UsageError, type Call, type Command, type Option, type Values } from './command.ts';

export type Parsed = {
  readonly command: Command;
  readonly wantsHelp: boolean;
  readonly call: Pick<Call, 'args' | 'options' | 'isJson'>;
};

/** The command that the first words name, and the rest; null if there is none. */
export function findCommand(
  commands: readonly Command[],
  argv: readonly string[],
): { readonly command: Command; readonly rest: readonly string[] } | null {
  const named = argv.slice(0, 2).join(' ');
  const command =
    commands.find(({ words }) => words === named) ?? commands.find(({ words }) => words === argv[0]);
  if (command === undefined) return null;
  return { command, rest: argv.slice(command.words.split(' ').length) };
}

export function parseCall(command: Command, rest: readonly string[]): Parsed {
  const options = [...(command.options ?? []), ...EVERYWHERE];
  const { values, positionals } = split(rest, options);
  const wantsHelp = values['help'] === true;
  if (!wantsHelp) requireChoices(options, values);
  return {
    command,
    wantsHelp,
    call: {
      args: wantsHelp ? {} : nameArguments(command, positionals),
      options: values,
      isJson: values['json'] === true,
    },
  };
}

function split(rest: readonly string[], options: readonly Option[]) {
  const config: ParseArgsOptionsConfig = Object.fromEntries(
    options.map(({ name, value, isRepeated = false }) => [
      name,
      { type: value === undefined ? ('boolean' as const) : ('string' as const), multiple: isRepeated },
    ]),
  );
  try {
    const { values, positionals } = parseArgs({
      args: [...rest],
      options: config,
      allowPositionals: true,
      strict: true,
    });
    return { values: values as Values, positionals };
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : 'The options could not be read.');
  }
}

function requireChoices(options: readonly Option[], values: Values): void {
  for (const { name, choices } of options) {
    const value = values[name];
    if (choices === undefined || typeof value !== 'string' || choices.includes(value)) continue;
    throw new UsageError(`--${name} must be one of ${choices.join(', ')}, not "${value}".`);
  }
}

function nameArguments(
  { arguments: wanted = [] }: Command,
  given: readonly string[],
): Readonly<Record<string, string>> {
  const surplus = given[wanted.length];
  if (surplus !== undefined) throw new UsageError(`"${surplus}" is one argument too many.`);
  const named: Record<string, string> = {};
  for (const [index, { name, choices, isOptional = false }] of wanted.entries()) {
    const value = given[index];
    if (value === undefined && isOptional) continue;
    if (value === undefined) throw new UsageError(`The argument ${name} is missing.`);
    if (choices !== undefined && !choices.includes(value)) {
      throw new UsageError(`${name} must be one of ${choices.join(', ')}, not "${value}".`);
    }
    named[name] = value;
  }
  return named;
}
