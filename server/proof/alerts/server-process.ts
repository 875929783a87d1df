// A process of the gateway, as a host would start it.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

export type ServerProcess = {
  /** Where it listens, as Prometheus names a target: "127.0.0.1:4711". */
  readonly target: string;
  readonly kill: () => Promise<void>;
};

const MAIN = fileURLToPath(new URL('../../src/main.ts', import.meta.url));

export async function startServerProcess(
  role: 'api' | 'worker',
  environment: Readonly<Record<string, string>>,
): Promise<ServerProcess> {
  const child = spawn(process.execPath, [MAIN, role], {
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
  return {
    target,
    kill: async () => {
      if (child.exitCode !== null || child.signalCode !== null) return;
      child.kill('SIGKILL');
      await ended;
    },
  };
}
