// A process of the gateway, as a host would start it.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

export type ServerProcess = {
  /** Where it listens, as Prometheus names a target: "127.0.0.1:4711". */
  readonly target: string;
  readonly pid: number;
  readonly kill: () => Promise<void>;
  /** SIGUSR2: what it means, the module says that was loaded before the server. */
  readonly signal: () => void;
  /** SIGTERM, and wait until it has ended. */
  readonly terminate: () => Promise<void>;
};

const MAIN = fileURLToPath(new URL('../../server/src/main.ts', import.meta.url));

export async function startServerProcess(
  role: 'api' | 'worker' | 'all',
  environment: Readonly<Record<string, string>>,
  nodeArgs: readonly string[] = [],
): Promise<ServerProcess> {
  const child = spawn(process.execPath, [...nodeArgs, MAIN, role], {
    env: { PATH: process.env['PATH'] ?? '', ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const ended = once(child, 'exit');
  const { promise: listening, resolve } = Promise.withResolvers<string>();
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk: Buffer) => {
      output += chunk.toString();
      const [, target] = /"url":"http:\/\/([^"]+)"/.exec(output) ?? [];
      if (target !== undefined) resolve(target);
    });
  }
  const target = await Promise.race([listening, ended.then(() => null)]);
  if (target === null) throw new Error(`the ${role} did not start: ${output}`);
  const end = async (signal: NodeJS.Signals) => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    child.kill(signal);
    await ended;
  };
  return {
    target,
    pid: child.pid ?? 0,
    kill: () => end('SIGKILL'),
    signal: () => void child.kill('SIGUSR2'),
    terminate: () => end('SIGTERM'),
  };
}
