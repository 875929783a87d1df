// Runs one call of the command line and returns its exit code.
import { MalipoError } from '@malipo/sdk';
import { findNearest } from '@malipo/server/terminal/nearest-name';
import { VERSION } from '@malipo/server/version';
import { Trouble, UsageError, type Command, type Outcome } from './command.ts';
import { renderHelp, renderOverview, renderUsage } from './help.ts';
import { findCommand, parseCall } from './parse.ts';
import type { World } from './world.ts';

/** 0: done. 1: not the wanted result. 2: wrong arguments. */
type ExitCode = 0 | 1 | 2;

export async function run(
  commands: readonly Command[],
  argv: readonly string[],
  world: World,
): Promise<ExitCode> {
  if (argv[0] === 'help') return run(commands, [...argv.slice(1), '--help'], world);
  const found = findCommand(commands, argv);
  if (found === null) return overview(commands, argv, world);
  const { command, rest } = found;
  try {
    const { wantsHelp, call } = parseCall(command, rest);
    if (wantsHelp) {
      world.print(renderHelp(command));
      return 0;
    }
    const outcome = await command.run({ ...call, world });
    return outcome === undefined ? 0 : tell(outcome, call.isJson, world);
  } catch (error) {
    return complain(error, command, { world, isJson: rest.includes('--json') });
  }
}

/** Words that name no command: all commands, those of a group, or a suggestion. */
function overview(commands: readonly Command[], argv: readonly string[], world: World): ExitCode {
  const [first = '--help', second = ''] = argv;
  const group = commands.filter(({ words }) => [first, first.replace(/s$/, '')].includes(groupOf(words)));
  if (['--version', 'version'].includes(first)) world.print(`malipo ${VERSION}`);
  else if (isHelp(first)) world.print(renderOverview(commands));
  else if (group.length > 0 && isHelp(second)) world.print(renderOverview(group));
  else {
    const isGroupAlone = group.length > 0 && !/^[^-]/.test(second);
    world.tell(isGroupAlone ? renderOverview(group) : explainUnknown(commands, argv));
    return 2;
  }
  return 0;
}

function explainUnknown(commands: readonly Command[], argv: readonly string[]): string {
  const [first = ''] = argv;
  if (first.startsWith('-')) return `Error: Put ${first} after the command.\nAll commands: malipo help`;
  const name = argv.filter((word) => !word.startsWith('-')).slice(0, 2);
  const nearest = findNearestCommand(commands, name);
  const suggestion = nearest === null ? '' : ` Did you mean: malipo ${nearest}?`;
  return `Error: There is no command "${name.join(' ')}".${suggestion}\nAll commands: malipo help`;
}

const groupOf = (words: string) => (words.includes(' ') ? (words.split(' ')[0] ?? '') : '');

const isHelp = (word: string) => word === '--help' || word === '-h';

/** Of a single command the second word may be its argument. */
function findNearestCommand(commands: readonly Command[], name: readonly string[]): string | null {
  const known = commands.map(({ words }) => words);
  const groups = [...new Set(known.map(groupOf))].filter((group) => group !== '');
  return findNearest(name.join(' '), [...groups, ...known]) ?? findNearest(name[0] ?? '', known);
}

function tell({ value, text, isFailure = false }: Outcome, isJson: boolean, world: World): ExitCode {
  world.print(isJson ? JSON.stringify(value) : text);
  return isFailure ? 1 : 0;
}

/** Errors that the user can fix get a plain message; anything else is a bug and shows its stack. */
function complain(
  error: unknown,
  command: Command,
  { world, isJson }: { readonly world: World; readonly isJson: boolean },
): ExitCode {
  if (world.stopped.aborted) {
    world.tell('Stopped.');
    return 1;
  }
  const { code, message, whatToDo } = explain(error, command);
  if (isJson) world.print(JSON.stringify({ error: { code, message, whatToDo } }));
  else world.tell(`Error: ${message}${whatToDo === '' ? '' : `\n${whatToDo}`}`);
  return error instanceof UsageError ? 2 : 1;
}

function explain(error: unknown, command: Command) {
  if (error instanceof UsageError) {
    const whatToDo = `Usage: ${renderUsage(command)}\nOptions: malipo help ${command.words}`;
    return { code: 'USAGE', message: error.message, whatToDo };
  }
  if (error instanceof Trouble) return { code: 'TROUBLE', message: error.message, whatToDo: error.whatToDo };
  if (error instanceof MalipoError) return explainGateway(error);
  if (isOfTheSystem(error)) {
    return { code: error.code, message: error.message, whatToDo: SYSTEM_ADVICE[error.code] ?? '' };
  }
  const message = error instanceof Error ? (error.stack ?? error.message) : String(error);
  return { code: 'BUG', message, whatToDo: 'This is a bug in malipo. Please report it.' };
}

const SYSTEM_ADVICE: Readonly<Record<string, string>> = {
  EADDRINUSE: 'The port is in use. Pass another --port, or 0 for a free one.',
  ENOENT: 'Check the path.',
  EACCES: 'You do not have permission. Check the owner of the file, or the port.',
};

function explainGateway({ code, message, whatToDo }: MalipoError) {
  const isAway = code === 'NETWORK' || code === 'TIMEOUT';
  const advice =
    'Is the gateway running? Start a sandbox: malipo sandbox. See which gateway is used: malipo profile list.';
  return { code, message, whatToDo: isAway ? advice : whatToDo };
}

function isOfTheSystem(error: unknown): error is Error & { readonly code: string } {
  return error instanceof Error && 'code' in error && /^E[A-Z]+$/.test(String(error.code));
}
