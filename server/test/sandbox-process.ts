// `malipo-server sandbox` in a process of its own, as a developer starts it.
import { spawn, type ChildProcess } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { vi } from 'vitest';
import { BASE_ENVIRONMENT } from './base-environment.ts';

const MAIN = fileURLToPath(new URL('../src/main.ts', import.meta.url));

export type SandboxProcess = {
  readonly process: ChildProcess;
  /** What it has written so far. */
  readonly output: { stdout: string; stderr: string };
};

export function startSandbox(...args: string[]): SandboxProcess {
  return startSandboxIn({}, ...args);
}

/** With something in its environment. Dashboard and documentation are left as they are: tests run side by side. */
export function startSandboxIn(environment: Record<string, string>, ...args: string[]): SandboxProcess {
  const sandbox = spawn(process.execPath, [MAIN, 'sandbox', '--port', '0', '--no-build', ...args], {
    env: { ...BASE_ENVIRONMENT, ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const output = { stdout: '', stderr: '' };
  sandbox.stdout.on('data', (chunk: Buffer) => (output.stdout += chunk.toString()));
  sandbox.stderr.on('data', (chunk: Buffer) => (output.stderr += chunk.toString()));
  return { process: sandbox, output };
}

/** Waits for a text on standard output. A cluster is made first, which takes its time on a busy machine. */
export async function whenPrinted({ output }: SandboxProcess, text: string): Promise<void> {
  await vi.waitUntil(() => output.stdout.includes(text), { timeout: 90_000, interval: 50 });
}

/** What a sandbox started with --json prints when it is ready. */
export async function whenReady(sandbox: SandboxProcess): Promise<Record<string, any>> {
  await whenPrinted(sandbox, '\n');
  return JSON.parse(sandbox.output.stdout) as Record<string, any>;
}
