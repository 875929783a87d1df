// pgbench, PostgreSQL's own load generator: clients that run a script over and over, with prepared statements.
import { execFile } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { stepOf, type Step } from './statistics.ts';

export type PgbenchOptions = {
  /** The program, as it belongs to the server that is measured. */
  readonly program: string;
  readonly databaseUrl: string;
  readonly clients: number;
  readonly windowMs: number;
  /** Scripts; each transaction takes one of them at random. */
  readonly scripts: readonly string[];
  /** A directory for scripts and logs. */
  readonly folder: string;
};

export type PgbenchResult = {
  readonly count: number;
  readonly perSecond: number;
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
  const seconds = Math.max(1, Math.round(options.windowMs / 1_000));
  const { stdout } = await run(
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
    // A server that stands still must not hold the bench for ever.
    { timeout: seconds * 1_000 + 30_000, maxBuffer: 10_000_000 },
  );
  const count = Number(/actually processed: (\d+)/.exec(stdout)?.[1]);
  const failed = Number(/failed transactions: (\d+)/.exec(stdout)?.[1] ?? 0);
  const perSecond = Number(/tps = ([\d.]+)/.exec(stdout)?.[1]);
  if (!(count > 0) || failed > 0) throw new Error(`pgbench: ${stdout}`);
  return { count, perSecond, step: stepOf(readLatencies(folder)) };
}

/** Each line of a log is a transaction; the third figure is what it took, in microseconds. */
function readLatencies(folder: string): readonly number[] {
  return readdirSync(folder)
    .filter((name) => name.startsWith('log.'))
    .flatMap((name) => readFileSync(join(folder, name), 'utf8').trimEnd().split('\n'))
    .map((line) => Number(line.split(' ')[2]) / 1_000);
}
