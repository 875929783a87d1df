// pgbench, PostgreSQL's own load generator: clients that run a script over and over, with prepared statements.
import { execFile } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { stepOf, type Step } from './statistics.ts';

export type PgbenchOptions = {
  /** The program that belongs to the measured server. */
  readonly program: string;
  readonly databaseUrl: string;
  readonly clients: number;
  /** The warm-up is not counted: every new connection has to read the catalogue and to prepare statements. */
  readonly warmMs: number;
  readonly windowMs: number;
  readonly onWindow: (edge: 'BEGINS' | 'ENDS') => Promise<void>;
  /** Scripts; each transaction takes one of them at random. */
  readonly scripts: readonly string[];
  /** A directory for scripts and logs. */
  readonly folder: string;
};

export type PgbenchResult = {
  readonly count: number;
  readonly seconds: number;
  readonly step: Step;
};

const run = promisify(execFile);

export async function runPgbench(options: PgbenchOptions): Promise<PgbenchResult> {
  const folder = mkdtempSync(join(options.folder, 'pgbench-'));
  const files = options.scripts.map((script, index) => {
    const path = join(folder, `script-${index}.sql`);
    writeFileSync(path, script);
    return path;
  });
  // pgbench supports whole seconds only. The rest of the last one is not counted.
  const seconds = Math.ceil((options.warmMs + options.windowMs) / 1_000);
  const running = run(
    options.program,
    [
      '--no-vacuum',
      '--protocol=prepared',
      '--jobs=2',
      `--client=${options.clients}`,
      `--time=${seconds}`,
      '--log',
      `--log-prefix=${join(folder, 'log')}`,
      ...files.map((path) => `--file=${path}`),
      options.databaseUrl,
    ],
    // A hanging server must not block the benchmark permanently.
    { timeout: seconds * 1_000 + 30_000, maxBuffer: 10_000_000 },
  );
  const [window, { stdout }] = await Promise.all([keepWindow(options), running]);
  const failed = Number(/failed transactions: (\d+)/.exec(stdout)?.[1] ?? 0);
  const latencies = readLatencies(folder, window);
  rmSync(folder, { recursive: true });
  if (failed > 0) throw new Error(`pgbench: ${stdout}`);
  // A machine that is busy with something else: no script ended in the window.
  if (latencies.length === 0) return runPgbench({ ...options, windowMs: longerWindow(options.windowMs) });
  return {
    count: latencies.length,
    seconds: (window.endedAt - window.beganAt) / 1_000,
    step: stepOf(latencies),
  };
}

const WINDOW_MS_MAX = 60_000;

function longerWindow(windowMs: number): number {
  if (windowMs > WINDOW_MS_MAX) throw new Error(`pgbench: nothing ended in ${windowMs} ms`);
  return windowMs * 4;
}

type Window = { readonly beganAt: number; readonly endedAt: number };

async function keepWindow({ warmMs, windowMs, onWindow }: PgbenchOptions): Promise<Window> {
  await sleep(warmMs);
  await onWindow('BEGINS');
  const beganAt = Date.now();
  await sleep(windowMs);
  const endedAt = Date.now();
  await onWindow('ENDS');
  return { beganAt, endedAt };
}

/**
 * Each line of a log is a transaction: the third figure is what it took, in microseconds, the fifth and sixth are when
 * it ended, in seconds and microseconds.
 */
function readLatencies(folder: string, { beganAt, endedAt }: Window): readonly number[] {
  return readdirSync(folder)
    .filter((name) => name.startsWith('log.'))
    .flatMap((name) => readFileSync(join(folder, name), 'utf8').trimEnd().split('\n'))
    .map((line) => line.split(' ').map(Number))
    .filter(([, , , , seconds = 0, microseconds = 0]) => {
      const at = seconds * 1_000 + microseconds / 1_000;
      return at >= beganAt && at < endedAt;
    })
    .map(([, , microseconds = 0]) => microseconds / 1_000);
}
