// The command line's view of its machine. It is passed to commands, so that tests can replace it.
import { text } from 'node:stream/consumers';
import { paint } from '@malipo/server/terminal/paint';

export type World = {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** One line, or several, for the standard output. */
  readonly print: (text: string) => void;
  /** For the user; on standard error, so that it does not get into a file. */
  readonly tell: (text: string) => void;
  /** The same without a line break, for progress. */
  readonly write: (text: string) => void;
  /** Whether a person sees the output. */
  readonly isTerminal: boolean;
  /** Everything on the standard input. */
  readonly readInput: () => Promise<string>;
  /** A line that is not shown while it is typed; the standard input if there is no terminal. */
  readonly askSecret: (question: string) => Promise<string>;
  /** Aborted by Ctrl-C or a request to end. */
  readonly stopped: AbortSignal;
};

/** `isPlain`: without colours. */
export function openWorld({ isPlain }: { readonly isPlain: boolean }): World {
  const stop = new AbortController();
  const write = (stream: NodeJS.WriteStream, line: string) =>
    void stream.write(isPlain ? line : paint(line, stream));
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => askToStop(stop));
  return {
    env: process.env,
    print: (line) => write(process.stdout, `${line}\n`),
    tell: (line) => write(process.stderr, `${line}\n`),
    write: (part) => void process.stderr.write(part),
    isTerminal: process.stderr.isTTY,
    readInput: () => text(process.stdin),
    askSecret,
    stopped: stop.signal,
  };
}

/** The first signal lets the work in progress finish; a second one, or a long wait, ends at once. */
function askToStop(stop: AbortController): void {
  if (stop.signal.aborted) process.exit(EXIT_STOPPED);
  stop.abort();
  setTimeout(() => process.exit(EXIT_STOPPED), PATIENCE_MS).unref();
}

const PATIENCE_MS = 10_000;
/** As shells count it: 128 plus the number of the signal. */
const EXIT_STOPPED = 130;

async function askSecret(question: string): Promise<string> {
  if (!process.stdin.isTTY) return (await text(process.stdin)).trim();
  process.stderr.write(question);
  process.stdin.setRawMode(true);
  try {
    return await readUnseen();
  } finally {
    process.stdin.setRawMode(false);
    process.stdin.pause();
    process.stderr.write('\n');
  }
}

const ENTER = /[\r\n]/;
const CTRL_C = '\u0003';
const BACKSPACE = '\u007f';

async function readUnseen(): Promise<string> {
  let typed = '';
  for await (const chunk of process.stdin) {
    for (const key of String(chunk)) {
      if (ENTER.test(key)) return typed.trim();
      if (key === CTRL_C) throw new Error('Stopped. Nothing was changed.');
      typed = key === BACKSPACE ? typed.slice(0, -1) : typed + key;
    }
  }
  return typed.trim();
}
