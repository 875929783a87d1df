// A process that can be killed, stopped and started again, with its output in a file.
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { openSync, readFileSync } from 'node:fs';

export type ChildOptions = {
  /** Default: Node. */
  readonly command?: string;
  readonly args: readonly string[];
  /** In addition to PATH. */
  readonly env?: Readonly<Record<string, string>>;
  readonly logPath: string;
  readonly identity?: { readonly uid: number; readonly gid: number } | null;
  readonly cwd?: string;
};

export class Child {
  readonly logPath: string;
  readonly #process: ChildProcess;

  constructor({ command = process.execPath, args, env, logPath, identity, cwd }: ChildOptions) {
    const log = openSync(logPath, 'a');
    this.logPath = logPath;
    this.#process = spawn(command, [...args], {
      env: { PATH: process.env['PATH'] ?? '', ...env },
      stdio: ['ignore', log, log],
      // Its own process group: Ctrl-C at the terminal must not reach it directly.
      detached: true,
      ...identity,
      ...(cwd === undefined ? {} : { cwd }),
    });
    this.#process.on('error', () => undefined);
  }

  get hasEnded(): boolean {
    return this.#process.exitCode !== null || this.#process.signalCode !== null;
  }

  get pid(): number {
    return this.#process.pid ?? 0;
  }

  signal(signal: NodeJS.Signals): void {
    if (!this.hasEnded) this.#process.kill(signal);
  }

  /** SIGKILL to it and to whatever it started in its own group. */
  killGroup(): void {
    try {
      process.kill(-this.pid, 'SIGKILL');
    } catch {
      // It has exited.
    }
  }

  async end(signal: NodeJS.Signals = 'SIGKILL'): Promise<void> {
    if (this.hasEnded) return;
    const ended = once(this.#process, 'exit');
    // A stopped process would never receive it.
    this.#process.kill('SIGCONT');
    this.#process.kill(signal);
    await ended;
  }
}

/** Empty where there is none yet. */
export function readLines(path: string): readonly string[] {
  try {
    return readFileSync(path, 'utf8').split('\n').filter(Boolean);
  } catch {
    return [];
  }
}
