// A terminal with a shell, to follow a page.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';

export type Terminal = {
  /** Types commands and waits until they are done. Throws when one fails. */
  readonly run: (commands: string) => Promise<void>;
  /** Types commands and does not wait. */
  readonly start: (commands: string) => void;
  /** Waits for output. */
  readonly until: (isSo: (said: string) => boolean, what: string) => Promise<void>;
  /** All output so far. */
  readonly said: () => string;
  readonly close: () => Promise<void>;
};

export type TerminalOptions = {
  readonly directory: string;
  readonly env: Readonly<Record<string, string>>;
  readonly patienceMs: number;
};

export function openTerminal({ directory, env, patienceMs }: TerminalOptions): Terminal {
  // Its own process group, so that Ctrl-C reaches everything that was started in it.
  const shell = spawn('bash', ['-e'], {
    cwd: directory,
    env,
    stdio: ['pipe', 'pipe', 'pipe'],
    detached: true,
  });
  let said = '';
  for (const stream of [shell.stdout, shell.stderr]) {
    stream.on('data', (chunk: Buffer) => {
      said += chunk.toString();
    });
  }
  const hasEnded = () => shell.exitCode !== null || shell.signalCode !== null;
  const until: Terminal['until'] = async (isSo, what) => {
    const deadline = Date.now() + patienceMs;
    while (!isSo(said)) {
      if (hasEnded() || Date.now() > deadline) throw new Error(`${what}\nThe terminal says:\n${said}`);
      await sleep(50);
    }
  };
  let count = 0;
  return {
    run: async (commands) => {
      count += 1;
      const end = `--- done ${count} ---`;
      shell.stdin.write(`${commands}\necho '${end}'\n`);
      await until((text) => text.includes(end), `This did not come to its end:\n${commands}`);
    },
    start: (commands) => void shell.stdin.end(commands),
    until,
    said: () => said,
    close: async () => {
      if (hasEnded()) return;
      const ended = once(shell, 'exit');
      shell.stdin.end();
      process.kill(-(shell.pid ?? 0), 'SIGINT');
      await Promise.race([ended, sleep(5_000)]);
    },
  };
}
