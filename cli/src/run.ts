// Runs one call of the command line and returns its exit code.
import { MalipoError } from '@malipo/sdk';
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

function overview(commands: readonly Command[], argv: readonly string[], world: World): ExitCode {
  const [first = 'help'] = argv;
  const group = commands.filter(({ words }) => words.startsWith(`${first} `));
  if (['help', '--help', '-h'].includes(first)) {
    world.print(renderOverview(commands));
    return 0;
  }
  world.tell(group.length > 0 ? renderOverview(group) : `There is no command "${argv.join(' ')}".`);
  if (group.length === 0) world.tell('malipo help lists the commands.');
  return 2;
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
  else world.tell(whatToDo === '' ? message : `${message}\n${whatToDo}`);
  return error instanceof UsageError ? 2 : 1;
}

function explain(error: unknown, command: Command) {
  if (error instanceof UsageError) {
    const whatToDo = `Usage: ${renderUsage(command)}\nMore: malipo ${command.words} --help`;
    return { code: 'USAGE', message: error.message, whatToDo };
  }
  if (error instanceof Trouble) return { code: 'TROUBLE', message: error.message, whatToDo: error.whatToDo };
  if (error instanceof MalipoError) return explainGateway(error);
  if (isOfTheSystem(error)) {
    return { code: error.code, message: error.message, whatToDo: SYSTEM_ADVICE[error.code] ?? '' };
  }
  const message = error instanceof Error ? (error.stack ?? error.message) : String(error);
  return { code: 'BUG', message, whatToDo: 'This is a mistake in malipo: please report it.' };
}

const SYSTEM_ADVICE: Readonly<Record<string, string>> = {
  EADDRINUSE: 'Something listens there already: choose another with --port, or 0 for any free one.',
  ENOENT: 'Check the path.',
  EACCES: 'You may not do that there: check whose file or port it is.',
};

function explainGateway({ code, message, whatToDo }: MalipoError) {
  const isAway = code === 'NETWORK' || code === 'TIMEOUT';
  const advice =
    'Is the gateway running? For the sandbox: malipo sandbox. Which one is asked: malipo profiles list.';
  return { code, message, whatToDo: isAway ? advice : whatToDo };
}

function isOfTheSystem(error: unknown): error is Error & { readonly code: string } {
  return error instanceof Error && 'code' in error && /^E[A-Z]+$/.test(String(error.code));
}
