// The command line of every drill, benchmark and tool: options, progress, and a report, a line of figures and an exit
// code at the end.
import { randomInt } from 'node:crypto';
import { parseArgs, type ParseArgsOptionsConfig } from 'node:util';

export type Say = (text: string) => void;

/** Default: a new one. With its seed a run can be repeated. */
export const SEED = Symbol('seed');
const SEEDS = 2 ** 32;

/** A number that is smaller in a smoke run. */
type Sizes = { readonly full: number; readonly smoke: number };

/** A flag (false), a number or text with its default, an optional text (null), or one of some names. */
type Option = false | number | string | null | Sizes | readonly string[] | typeof SEED;
type Options = Readonly<Record<string, Option>>;

type Value<Given> = Given extends false
  ? boolean
  : Given extends number | Sizes | typeof SEED
    ? number
    : Given extends readonly string[] | null
      ? string | null
      : string;

type Values<Given> = { readonly [Name in keyof Given]: Value<Given[Name]> };

export type Program<Given = unknown> = {
  readonly options: Values<Given>;
  /** Arguments besides options. */
  readonly words: readonly string[];
  /** To standard error, with the seconds since the start. */
  readonly say: Say;
  readonly seconds: () => number;
  /** Shows the usage, and exits. */
  readonly refuse: () => never;
};

/** `command`: as people write it, such as "npm run chaos --". */
export function startProgram<const Given extends Options>(
  command: string,
  given: Given,
  { takesWords = false }: { readonly takesWords?: boolean } = {},
): Program<Given> {
  const startedAt = performance.now();
  const seconds = () => (performance.now() - startedAt) / 1_000;
  const refuse = (): never => {
    process.stderr.write(`${command} ${Object.entries(given).map(describe).join(' ')}\n`);
    process.exit(2);
  };
  const read = readOptions(given, takesWords);
  if (read === null) return refuse();
  const say = (text: string) => void process.stderr.write(`${seconds().toFixed(1).padStart(7)} s  ${text}\n`);
  return { options: read.values as Values<Given>, words: read.words, say, seconds, refuse };
}

function describe([name, option]: readonly [string, Option]): string {
  if (option === false) return `[--${name}]`;
  if (Array.isArray(option)) return `[--${name} ${option.join('|')}]`;
  if (option === SEED) return `[--${name} 7]`;
  const usual = typeof option === 'object' ? ((option as Sizes | null)?.full ?? 'TEXT') : option;
  return `[--${name} ${String(usual)}]`;
}

function readOptions(given: Options, allowPositionals: boolean) {
  const options = Object.entries(given).map(([name, option]) => {
    return [name, { type: option === false ? ('boolean' as const) : ('string' as const) }];
  });
  try {
    const parsed = parseArgs({
      options: Object.fromEntries(options) as ParseArgsOptionsConfig,
      allowPositionals,
    });
    const texts = parsed.values as Readonly<Record<string, string | boolean | undefined>>;
    const isSmoke = texts['smoke'] === true;
    const values = Object.entries(given).map(([name, option]) => {
      return [name, readOption(option, texts[name], isSmoke)] as const;
    });
    const isRight = values.every(([, value]) => value !== undefined);
    return isRight ? { values: Object.fromEntries(values), words: parsed.positionals } : null;
  } catch {
    return null;
  }
}

/** Undefined if it is invalid. */
function readOption(option: Option, text: string | boolean | undefined, isSmoke: boolean) {
  if (option === false) return text === true;
  if (typeof text === 'boolean') return undefined;
  if (option === SEED) return text === undefined ? randomInt(SEEDS) : wholeBelow(SEEDS, text);
  if (option === null || typeof option === 'string') return text ?? option;
  if (Array.isArray(option)) return text === undefined ? null : option.find((name) => name === text);
  const sizes = typeof option === 'number' ? { full: option, smoke: option } : (option as Sizes);
  if (text === undefined) return isSmoke ? sizes.smoke : sizes.full;
  return Number.isFinite(Number(text)) && Number(text) > 0 ? Number(text) : undefined;
}

function wholeBelow(limit: number, text: string): number | undefined {
  return /^\d+$/.test(text) && Number(text) < limit ? Number(text) : undefined;
}

export type Conclusion = {
  /** For people. */
  readonly report?: string;
  /** For programs, as one line of JSON: always, or only with --json if that is an option. */
  readonly summary: unknown;
  /** Why the run failed. The exit code is 0 only if this is empty. */
  readonly faults: readonly string[];
};

/** Without a report people see the figures. */
export function finish(
  { options, say }: Pick<Program, 'options' | 'say'>,
  { report, summary, faults }: Conclusion,
): never {
  const { json = true } = options as { readonly json?: boolean };
  if (report !== undefined) process.stdout.write(report);
  if (json || report === undefined) process.stdout.write(`${JSON.stringify(summary, null, json ? 0 : 2)}\n`);
  for (const fault of faults) say(`not as it must be: ${fault}`);
  process.exit(faults.length === 0 ? 0 : 1);
}

/** The names of failed conditions. */
export function listUnkept(isKept: Readonly<Record<string, boolean>>): readonly string[] {
  return Object.entries(isKept).flatMap(([promise, kept]) => (kept ? [] : [promise]));
}
