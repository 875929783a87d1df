// Parses the command line into a command with its arguments and options.
import { parseOptions, requireOptions, type OptionValues } from '@malipo/server/terminal/parse-options';
import { EVERYWHERE, UsageError, type Call, type Command, type Option } from './command.ts';

export type Parsed = {
  readonly wantsHelp: boolean;
  readonly call: Pick<Call, 'args' | 'options' | 'isJson'>;
};

/** The command that the first words name, and the rest; null if there is none. */
export function findCommand(
  commands: readonly Command[],
  argv: readonly string[],
): { readonly command: Command; readonly rest: readonly string[] } | null {
  const [first = '', second = ''] = argv;
  // The API and the SDK say "deposits".
  const names = [`${first} ${second}`, `${first.replace(/s$/, '')} ${second}`, first];
  const command = names.flatMap((name) => commands.find(({ words }) => words === name) ?? []).at(0);
  if (command === undefined) return null;
  return { command, rest: argv.slice(command.words.split(' ').length) };
}

export function parseCall(command: Command, rest: readonly string[]): Parsed {
  const options = [...(command.options ?? []), ...EVERYWHERE];
  const { values, positionals } = parseOptions(rest, options);
  const isJson = values['json'] === true;
  if (values['help'] === true) return { wantsHelp: true, call: { args: {}, options: values, isJson } };
  const args = nameArguments(command, positionals);
  requireOptions(options, values, listMissing(command, positionals));
  requireChoices(options, values);
  return { wantsHelp: false, call: { args, options: values, isJson } };
}

function requireChoices(options: readonly Option[], values: OptionValues): void {
  for (const { name, choices } of options) {
    const value = values[name];
    if (choices === undefined || typeof value !== 'string' || choices.includes(value)) continue;
    throw new UsageError(`--${name} must be one of ${choices.join(', ')}, not "${value}".`);
  }
}

function listMissing({ arguments: wanted = [] }: Command, given: readonly string[]): readonly string[] {
  return wanted.slice(given.length).flatMap(({ name, isOptional = false }) => (isOptional ? [] : [name]));
}

function nameArguments(
  { arguments: wanted = [] }: Command,
  given: readonly string[],
): Readonly<Record<string, string>> {
  const surplus = given[wanted.length];
  if (surplus !== undefined) throw new UsageError(`Unexpected argument "${surplus}".`);
  const named: Record<string, string> = {};
  for (const [index, { name, choices }] of wanted.entries()) {
    const value = given[index];
    if (value === undefined) continue;
    if (choices !== undefined && !choices.includes(value)) {
      throw new UsageError(`${name} must be one of ${choices.join(', ')}, not "${value}".`);
    }
    named[name] = value;
  }
  return named;
}
