// The definition of a command. Help, completion, the reference page and argument parsing all use it.
import type { World } from './world.ts';

export type Option = {
  readonly name: string;
  /** The placeholder of its value in help. An option without one is a switch. */
  readonly value?: string;
  readonly summary: string;
  readonly choices?: readonly string[];
  /** It may be given several times. */
  readonly isRepeated?: boolean;
};

export type Argument = {
  readonly name: string;
  readonly summary: string;
  readonly choices?: readonly string[];
  readonly isOptional?: boolean;
  readonly isFile?: boolean;
};

export type Command = {
  /** "deposits create". */
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

export type Values = Readonly<Record<string, string | boolean | readonly string[] | undefined>>;

/** A parsed call of a command. */
export type Call = {
  readonly args: Readonly<Record<string, string>>;
  readonly options: Values;
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

/** A command with wrong arguments. */
export class UsageError extends Error {}

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
  { name: 'json', summary: 'Print JSON for programs instead of text for people.' },
  { name: 'profile', value: 'NAME', summary: 'Use this profile instead of the current one.' },
  { name: 'help', summary: 'Say how the command is used.' },
];

export function textOf({ options }: Pick<Call, 'options'>, name: string): string | undefined {
  const value = options[name];
  return typeof value === 'string' && value !== '' ? value : undefined;
}

export function requireText(call: Pick<Call, 'options'>, name: string): string {
  const value = textOf(call, name);
  if (value !== undefined) return value;
  throw new UsageError(`--${name} is missing.`);
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
