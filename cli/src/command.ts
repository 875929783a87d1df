// The definition of a command. Help, completion, the reference page and argument parsing all use it.
import { UsageError, type KnownOption, type OptionValues } from '@malipo/server/terminal/parse-options';
import type { World } from './world.ts';

export { UsageError };

export type Option = KnownOption & { readonly summary: string; readonly choices?: readonly string[] };

export type Argument = {
  readonly name: string;
  readonly summary: string;
  readonly choices?: readonly string[];
  readonly isOptional?: boolean;
  readonly isFile?: boolean;
};

export type Command = {
  /** "deposit create". */
  readonly words: string;
  /** What it does, in one line without a full stop. */
  readonly summary: string;
  /** Further help, in sentences. */
  readonly details?: string;
  readonly arguments?: readonly Argument[];
  readonly options?: readonly Option[];
  readonly examples: readonly string[];
  readonly run: (call: Call) => Promise<Outcome | void>;
};

/** A parsed call of a command. */
export type Call = {
  readonly args: Readonly<Record<string, string>>;
  readonly options: OptionValues;
  readonly isJson: boolean;
  readonly world: World;
};

/** The result of a command: for programs, and for people. */
export type Outcome = {
  readonly value: unknown;
  readonly text: string;
  /** Not the wanted result: the exit code is 1. */
  readonly isFailure?: boolean;
};

/** An error that the user can fix; `whatToDo` says how. */
export class Trouble extends Error {
  readonly whatToDo: string;

  constructor(message: string, whatToDo: string) {
    super(message);
    this.whatToDo = whatToDo;
  }
}

/** Options that every command has. */
export const EVERYWHERE: readonly Option[] = [
  { name: 'json', summary: 'Output JSON.' },
  { name: 'profile', value: 'NAME', summary: 'Use this profile instead of the current one.' },
  { name: 'no-color', summary: 'Leave out colours. So does NO_COLOR=1.' },
  { name: 'help', short: 'h', summary: 'Show help.' },
];

export function textOf({ options }: Pick<Call, 'options'>, name: string): string | undefined {
  const value = options[name];
  return typeof value === 'string' && value !== '' ? value : undefined;
}

export function listOf({ options }: Pick<Call, 'options'>, name: string): readonly string[] {
  const value = options[name];
  return Array.isArray(value) ? (value as readonly string[]) : [];
}

export function isOn({ options }: Pick<Call, 'options'>, name: string): boolean {
  return options[name] === true;
}

/** A whole number of an option within bounds. */
export function countOf(
  call: Pick<Call, 'options'>,
  name: string,
  { min, max, otherwise }: { readonly min: number; readonly max: number; readonly otherwise: number },
): number {
  const text = textOf(call, name);
  if (text === undefined) return otherwise;
  const count = Number(text);
  if (/^\d+$/.test(text) && count >= min && count <= max) return count;
  throw new UsageError(`--${name} must be a whole number from ${min} to ${max}, not "${text}".`);
}
