// `malipo-server` with one command, as a host runs it: in a process of its own, or quicker in this one.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { vi } from 'vitest';
import { findCommand } from '../src/commands/find-command.ts';
import { UsageError } from '../src/commands/options.ts';
import { BASE_ENVIRONMENT } from './base-environment.ts';

const MAIN = fileURLToPath(new URL('../src/main.ts', import.meta.url));

export type CommandResult = {
  readonly code: number | null;
  /** What it wrote to standard output, without the last line break. */
  readonly output: string;
  readonly errors: string;
};

export type RunningCommand = {
  readonly ended: Promise<CommandResult>;
  readonly kill: () => Promise<void>;
};

/** In a process that can be killed. Only PATH is handed on: settings of anyone who runs the tests must not leak in. */
export function startCommand(
  environment: Record<string, string>,
  args: readonly string[],
  input = '',
): RunningCommand {
  const child = spawn(process.execPath, [MAIN, ...args], {
    env: { ...BASE_ENVIRONMENT, ...environment },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  const written = { output: '', errors: '' };
  child.stdin.end(input);
  child.stdout.on('data', (chunk: Buffer) => (written.output += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (written.errors += chunk.toString()));
  const ended = once(child, 'close').then(([code]) => ({
    code: code as number | null,
    output: written.output.trimEnd(),
    errors: written.errors.trimEnd(),
  }));
  const kill = async () => {
    child.kill('SIGKILL');
    await ended;
  };
  return { ended, kill };
}

/** In a process of its own. */
export async function runCommand(
  environment: Record<string, string>,
  args: readonly string[],
  input = '',
): Promise<CommandResult> {
  return startCommand(environment, args, input).ended;
}

/**
 * The same command in this process, ten times as fast; one at a time. What main.ts does around it is left to
 * `runCommand`: of wrong words only the message is told.
 */
export async function runCommandHere(
  environment: Record<string, string>,
  args: readonly string[],
): Promise<CommandResult> {
  const written = { output: '', errors: '' };
  const spies = [
    vi.spyOn(process.stdout, 'write').mockImplementation((text) => ((written.output += text), true)),
    vi.spyOn(process.stderr, 'write').mockImplementation((text) => ((written.errors += text), true)),
  ];
  for (const [setting, value] of Object.entries(environment)) vi.stubEnv(setting, value);
  try {
    const found = findCommand(args);
    if (found.type !== 'COMMAND') throw new UsageError(found.text);
    await found.command.run(found.args);
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    written.errors += error.message;
    process.exitCode = 1;
  } finally {
    vi.unstubAllEnvs();
    for (const spy of spies) spy.mockRestore();
  }
  const code = Number(process.exitCode ?? 0);
  process.exitCode = undefined;
  return { code, output: written.output.trimEnd(), errors: written.errors.trimEnd() };
}
