// The calls of our commands in the blocks and the text of pages, and what is wrong with each by the command's own
// definition. Nothing is started.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { COMMANDS as CLI_COMMANDS } from '../../../cli/src/commands/commands.ts';
import { findCommand as findCliCommand, parseCall } from '../../../cli/src/parse.ts';
import { adminCommands } from '../../src/commands/administer.ts';
import { findCommand } from '../../src/commands/find-command.ts';
import { readOptions, UsageError } from '../../src/commands/options.ts';
import { ConfigError } from '../../src/config-values.ts';
import { runCommandHere } from '../command-process.ts';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));

/** One command of a shell, without settings before it and files behind it. */
export type Words = readonly string[];

const TOKEN =
  /(?:"(?:\\.|[^"\\])*"|'[^']*'|\$\([^()]*\)|\$\{[^}]*\}|\\.|[^\s"'\\;|&()<>])+|&&|\|\||[\n;|&()]|[<>]+/g;

/** Every simple command of a block, also those in $(…). */
export function readCommands(block: string): readonly Words[] {
  const text = block.replaceAll('\\\n', ' ').replaceAll(/(?<=^|\s)#.*$/gm, '');
  const inner = [...text.matchAll(/\$\(([^()]*)\)/g)].flatMap(([, inside = '']) => readCommands(inside));
  const outer: string[][] = [[]];
  let isFile = false;
  for (const [token] of text.matchAll(TOKEN)) {
    if (/^(&&|\|\||[\n;|&()])$/.test(token)) outer.push([]);
    else if (!/^[<>]/.test(token) && !isFile) outer.at(-1)!.push(unquote(token));
    isFile = /^[<>]/.test(token);
  }
  return [...outer.map(withoutSettings).filter((words) => words.length > 0), ...inner];
}

function withoutSettings(words: Words): Words {
  const first = words.findIndex((word) => word !== 'export' && !/^\w+=/.test(word));
  return first === -1 ? [] : words.slice(first);
}

function unquote(token: string): string {
  return token.replaceAll(/"((?:\\.|[^"\\])*)"|'([^']*)'/g, (_, double = '', single = '') => double + single);
}

export type Call = { readonly program: 'malipo-server' | 'malipo' | 'npm run'; readonly args: Words };

const PROGRAMS: Readonly<Record<string, Call['program']>> = {
  'malipo-server': 'malipo-server',
  'server/src/main.ts': 'malipo-server',
  '@malipo/server': 'malipo-server',
  'npm run': 'npm run',
  '@malipo/cli': 'malipo',
};

/** Functions of a page's shell that pass their arguments on to the server. */
export function listWrappers(page: string): readonly string[] {
  return [...page.matchAll(/^(\w+)\(\) *\{[^}]*\bmalipo(?:-server)? "\$@"/gm)].map(([, name = '']) => name);
}

/** Null for a command of somebody else, and for a wrapper's own call. Another command may stand before: `sudo`. */
export function findCall(words: Words, wrappers: readonly string[] = []): Call | null {
  if (words.includes('$@')) return null;
  const [first = ''] = words;
  if (wrappers.includes(first)) return called('malipo-server', words.slice(1));
  if (first === 'malipo') return called('malipo', words.slice(1));
  for (const [index, word] of words.entries()) {
    const program = PROGRAMS[words[index - 1] === 'npm' ? `npm ${word}` : word];
    if (program !== undefined) return called(program, words.slice(index + 1));
  }
  return null;
}

/** What the reader has in variables: a merchant, a payment, a case. */
const ID = '0b1e5a6c-6a0e-4a5e-9d0e-1f2a3b4c5d6e';

const called = (program: Call['program'], args: Words): Call => ({
  program,
  args: args.map((word) => word.replace(/^\$\w+$/, ID).replace(/^\$\{\w+:-([^}]*)\}$/, '$1')),
});

/** What is wrong with each call, where something is. One after the other: a call has the process's environment. */
export async function listFaults(calls: readonly Call[]): Promise<readonly string[]> {
  const faults: string[] = [];
  for (const { program, args } of calls) {
    try {
      await CHECKS[program](args);
    } catch (error) {
      if (!(error instanceof UsageError)) throw error;
      faults.push(`${program} ${args.join(' ')}: ${error.message.split('\n')[0]}`);
    }
  }
  return faults;
}

const CHECKS: Readonly<Record<Call['program'], (args: Words) => Promise<void>>> = {
  'malipo-server': checkServerCall,
  malipo: checkCliCall,
  'npm run': checkScript,
};

async function checkServerCall(args: Words): Promise<void> {
  const found = findCommand(args);
  if (found.type === 'UNKNOWN') throw new UsageError(found.text);
  if (found.type === 'HELP') return;
  const { name, command } = found;
  const wanted = /^(?:[A-Z]+(?: |$))*/.exec(command.usage)?.[0].match(/[A-Z]+/g) ?? [];
  for (const [index, argument] of wanted.entries())
    if (!/^[^-]/.test(found.args[index] ?? '')) throw new UsageError(`Missing: ${argument}.`);
  readOptions(command.usage, found.args.slice(wanted.length));
  if (adminCommands.has(name) && !command.usage.includes('<')) await checkValues(args);
}

/** No command gets beyond its options: with this environment no settings can be read. */
async function checkValues(args: Words): Promise<void> {
  try {
    const { errors } = await runCommandHere({ MALIPO_ENVIRONMENT: 'none' }, args);
    // The reader has the file.
    if (errors !== '' && !errors.includes('cannot be read')) throw new UsageError(errors);
  } catch (error) {
    const isOfFile = error instanceof Error && 'code' in error && error.code === 'ENOENT';
    if (!(error instanceof ConfigError || isOfFile)) throw error;
  }
}

async function checkCliCall(args: Words): Promise<void> {
  if (['help', '--help', '--version'].includes(args[0] ?? '')) return;
  const found = findCliCommand(CLI_COMMANDS, args);
  if (found === null) throw new UsageError(`There is no command "${args.slice(0, 2).join(' ')}".`);
  parseCall(found.command, found.rest);
}

async function checkScript([name = '', ...rest]: Words): Promise<void> {
  const workspace = rest[0] === '-w' ? `${rest[1]}/` : '';
  const { scripts } = JSON.parse(readFileSync(join(ROOT, workspace, 'package.json'), 'utf8')) as {
    readonly scripts: Readonly<Record<string, string>>;
  };
  const script = scripts[name];
  if (script === undefined) throw new UsageError(`There is no script "${name}".`);
  const end = rest.includes('--') ? rest.indexOf('--') : rest.length;
  const [taken] = rest.slice(0, end).filter((word) => word.startsWith('--'));
  if (taken !== undefined) throw new UsageError(`npm takes ${taken} for itself: put -- before it.`);
  const args = rest.slice(end + 1);
  const [, program = '', before = ''] = /^exec node (\S+)(.*)$/.exec(script) ?? [];
  if (program === 'server/src/main.ts') return checkServerCall([...before.trim().split(' '), ...args]);
  if (program !== '') checkProgram(program, args);
}

/** Drills, benchmarks and tools name their options where they begin. */
function checkProgram(program: string, args: Words): void {
  const source = readFileSync(join(ROOT, program), 'utf8');
  for (const option of args.flatMap((word) => /^--([a-z-]+)/.exec(word)?.[1] ?? []))
    if (!new RegExp(`[\\s{']${option}'?: `).test(source)) throw new UsageError(`Unknown option --${option}.`);
}
