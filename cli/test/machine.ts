// A machine for the command line: a home of its own, and everything that is said there.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { COMMANDS } from '../src/commands/commands.ts';
import { run } from '../src/run.ts';
import type { World } from '../src/world.ts';

export type Called = { readonly exitCode: number; readonly stdout: string; readonly stderr: string };

/** A call that is in progress. */
export type Running = {
  readonly stdout: () => string;
  readonly stderr: () => string;
  readonly ended: Promise<Called>;
  /** Ctrl-C. */
  readonly stop: () => Promise<Called>;
};

export type Machine = {
  readonly home: string;
  readonly start: (...args: readonly string[]) => Running;
  readonly malipo: (...args: readonly string[]) => Promise<Called>;
  /** What a call with --json printed. */
  readonly json: (...args: readonly string[]) => Promise<any>;
  /** A call with something on its standard input. */
  readonly withInput: (input: string, ...args: readonly string[]) => Promise<Called>;
  readonly remove: () => Promise<void>;
};

export async function openMachine(env: Record<string, string> = {}): Promise<Machine> {
  const home = await mkdtemp(join(tmpdir(), 'malipo-machine-'));
  const start = (input: string, args: readonly string[]): Running => {
    const said = { stdout: '', stderr: '' };
    const stop = new AbortController();
    const world: World = {
      env: { XDG_CONFIG_HOME: join(home, 'config'), ...env },
      print: (text) => (said.stdout += `${text}\n`),
      tell: (text) => (said.stderr += `${text}\n`),
      write: (text) => (said.stderr += text),
      isTerminal: false,
      readInput: async () => input,
      askSecret: async () => input.trim(),
      stopped: stop.signal,
    };
    const ended = run(COMMANDS, args, world).then((exitCode) => ({ exitCode, ...said }));
    return {
      stdout: () => said.stdout,
      stderr: () => said.stderr,
      ended,
      stop: () => {
        stop.abort();
        return ended;
      },
    };
  };
  const malipo = (...args: readonly string[]) => start('', args).ended;
  return {
    home,
    start: (...args) => start('', args),
    malipo,
    json: async (...args) => JSON.parse((await malipo(...args, '--json')).stdout),
    withInput: (input, ...args) => start(input, args).ended,
    remove: () => rm(home, { recursive: true, force: true }),
  };
}
