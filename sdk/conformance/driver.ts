// A driver: a program that makes calls with the SDK of its language. README.md tells its protocol.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

export type DriverProgram = {
  readonly name: string;
  readonly command: readonly [program: string, ...parameters: string[]];
  readonly environment?: Readonly<Record<string, string>>;
  /** For languages in which a process does one thing at a time. */
  readonly processCount?: number;
};

export type DriverCall = {
  readonly baseUrl: string;
  readonly token: string;
  readonly call: string;
  readonly request: unknown;
  readonly timeoutMs: number;
  readonly retryForMs: number;
  readonly signing?: { readonly keyId: string; readonly privateKey: string; readonly algorithm: string };
};

export type DriverResult = {
  readonly outcome: string;
  readonly id?: string;
  readonly code?: string;
  readonly status?: string;
  readonly paid?: boolean;
};

export type Driver = {
  readonly run: (call: DriverCall) => Promise<readonly DriverResult[]>;
  readonly stop: () => Promise<void>;
};

const SDK = fileURLToPath(new URL('../', import.meta.url));

export function startDriver(program: DriverProgram): Driver {
  const { processCount = 1 } = program;
  const processes = Array.from({ length: processCount }, () => startProcess(program));
  let next = 0;
  return {
    run: (call) => processes[next++ % processCount]!.run(call),
    stop: async () => void (await Promise.all(processes.map((one) => one.stop()))),
  };
}

function startProcess({ name, command: [path, ...parameters], environment }: DriverProgram): Driver {
  const env = { ...process.env, ...environment };
  const child = spawn(path, parameters, { cwd: SDK, env, stdio: ['pipe', 'pipe', 'inherit'] });
  const waiting = new Map<number, (results: readonly DriverResult[] | Error) => void>();
  const ended = once(child, 'exit');
  child.on('exit', () => {
    for (const answer of waiting.values()) answer(new Error(`the driver for ${name} has ended`));
  });
  createInterface(child.stdout).on('line', (line) => {
    const { number, results } = JSON.parse(line) as { number: number; results: readonly DriverResult[] };
    waiting.get(number)?.(results);
    waiting.delete(number);
  });
  let last = 0;
  return {
    run: async (call) => {
      const number = (last += 1);
      child.stdin.write(`${JSON.stringify({ number, ...call })}\n`);
      const results = await new Promise<readonly DriverResult[] | Error>((resolve) =>
        waiting.set(number, resolve),
      );
      if (results instanceof Error) throw results;
      return results;
    },
    stop: async () => {
      child.stdin.end();
      await ended;
    },
  };
}
