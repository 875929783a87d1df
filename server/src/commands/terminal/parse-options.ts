// Parses the words after a command, and explains wrong ones to the person who typed them.
import { parseArgs, type ParseArgsOptionsConfig } from 'node:util';
import { findNearest } from './nearest-name.ts';

/** Wrong words after a command. The message is for the person who typed them. */
export class UsageError extends Error {}

export type KnownOption = {
  readonly name: string;
  /** The placeholder of its value in help. A switch has none. */
  readonly value?: string | null;
  readonly short?: string;
  readonly isRepeated?: boolean;
  readonly isRequired?: boolean;
  /** Another option that makes it unnecessary. */
  readonly replacedBy?: string;
};

export type OptionValues = Readonly<Record<string, string | boolean | readonly string[] | undefined>>;

export type ParsedOptions = { readonly values: OptionValues; readonly positionals: readonly string[] };

/** Required options are not checked here: a call for help may leave them out. */
export function parseOptions(args: readonly string[], known: readonly KnownOption[]): ParsedOptions {
  const { values, positionals, tokens } = parseArgs({
    args: [...args],
    options: configure(known),
    allowPositionals: true,
    strict: false,
    tokens: true,
  });
  for (const token of tokens) if (token.kind === 'option') requireSound(token, known);
  return { values, positionals };
}

function configure(known: readonly KnownOption[]): ParseArgsOptionsConfig {
  return Object.fromEntries(
    known.map(({ name, value, short, isRepeated = false }) => [
      name,
      { type: value ? 'string' : 'boolean', multiple: isRepeated, ...(short !== undefined && { short }) },
    ]),
  );
}

type OptionToken = {
  readonly name: string;
  readonly rawName: string;
  readonly value?: string | undefined;
  readonly inlineValue?: boolean | undefined;
};

function requireSound({ name, rawName, value, inlineValue }: OptionToken, known: readonly KnownOption[]) {
  const option = known.find((one) => one.name === name);
  if (option === undefined) throw new UsageError(explainUnknown(name, rawName, known));
  if (!option.value && value !== undefined) throw new UsageError(`${rawName} takes no value.`);
  if (!option.value) return;
  if (value === undefined) throw new UsageError(`${rawName} needs a value: ${renderOption(option)}.`);
  if (inlineValue === true || !/^-./.test(value)) return;
  throw new UsageError(
    `${rawName} needs a value: ${renderOption(option)}. One that begins with a dash: ${rawName}=${value}`,
  );
}

function explainUnknown(name: string, rawName: string, known: readonly KnownOption[]): string {
  const nearest = findNearest(
    name,
    known.map((option) => option.name),
  );
  return `Unknown option ${rawName}.${nearest === null ? '' : ` Did you mean --${nearest}?`}`;
}

/** Names everything that is missing at once. `missing` are arguments that were found missing before. */
export function requireOptions(
  known: readonly KnownOption[],
  values: OptionValues,
  missing: readonly string[] = [],
): void {
  const isGiven = (name: string) => values[name] !== undefined && values[name] !== '';
  const options = known.filter(
    ({ name, isRequired = false, replacedBy = name }) => isRequired && !isGiven(name) && !isGiven(replacedBy),
  );
  const all = [...missing, ...options.map(renderOption)];
  if (all.length > 0) throw new UsageError(`Missing: ${all.join(', ')}.`);
}

export function renderOption({ name, value }: Pick<KnownOption, 'name' | 'value'>): string {
  return value ? `--${name} ${value}` : `--${name}`;
}

/** For the help text of an option. */
export function renderNeed({ isRequired = false, replacedBy }: KnownOption): string {
  if (!isRequired) return '';
  return replacedBy === undefined ? ' (required)' : ` (required without --${replacedBy})`;
}
