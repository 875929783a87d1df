// wrk, a load generator in C: a closed loop of so many connections, each of which sends again as soon as it has its
// answer. It costs a fraction of the API behind it. Its scripts are in wrk/.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { randomInt } from 'node:crypto';
import { accessSync, constants, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { Environment } from '../../drills/kit/settings.ts';
import type { Step } from './statistics.ts';

export type WrkOptions = {
  readonly program: string;
  readonly script: 'intake' | 'lives' | 'status';
  /** Ports of equivalent processes; the connections are spread over them. */
  readonly ports: readonly number[];
  readonly connections: number;
  /** Prepared texts, sent in turn or at random. */
  readonly requests: readonly string[];
  /** A directory for the requests. */
  readonly folder: string;
  /** What a script needs besides. */
  readonly settings?: Environment;
};

export type WrkResult = {
  /** Answered with a status below 400. */
  readonly count: number;
  /** Answered with another status: load that was shed, for instance. */
  readonly rejected: number;
  /** Of `lives`: payments that were accepted. */
  readonly accepted: number;
  readonly seconds: number;
  readonly step: Step;
};

export type RunningWrk = {
  /** Resolves when it ended too early. */
  readonly ended: Promise<unknown>;
  readonly stop: () => Promise<WrkResult>;
};

/** Longer than any run: it is stopped. */
const LONGEST = '24h';
/** An answer that takes longer counts as a broken connection. */
const PATIENCE = '120s';
const SEEDS = 2 ** 47;

export function findWrk(): string {
  const folders = (process.env['PATH'] ?? '').split(delimiter);
  const path = folders.map((folder) => join(folder, 'wrk')).find(isProgram);
  if (path === undefined) throw new Error('wrk is needed: install it with apt-get install wrk');
  return path;
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** Where nothing is answered in so long, the machine is not just slow. */
const RUN_MS_MAX = 60_000;

/** Counts from the first request to the last answer. Takes longer where nothing was answered in time. */
export async function runWrk(options: WrkOptions, ms: number): Promise<WrkResult> {
  const wrk = startWrk(options);
  await Promise.race([sleep(ms), wrk.ended]);
  const result = await wrk.stop();
  return result.count > 0 || ms > RUN_MS_MAX ? result : runWrk(options, ms * 4);
}

export function startWrk({
  program,
  script,
  ports,
  connections,
  requests,
  ...given
}: WrkOptions): RunningWrk {
  const folder = mkdtempSync(join(given.folder, 'wrk-'));
  const requestsPath = join(folder, 'requests');
  writeFileSync(requestsPath, requests.join('\x1e'), 'latin1');
  const path = fileURLToPath(new URL(`wrk/${script}.lua`, import.meta.url));
  const counts = [`--threads=${ports.length}`, `--connections=${Math.max(connections, ports.length)}`];
  const times = [`--duration=${LONGEST}`, `--timeout=${PATIENCE}`];
  const child = spawn(program, [...counts, ...times, `--script=${path}`, `http://127.0.0.1:${ports[0]}`], {
    env: {
      PORTS: ports.join(' '),
      REQUESTS: requestsPath,
      SEED: String(randomInt(SEEDS)),
      ...given.settings,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => (output += text));
  const ended = once(child, 'close');
  return { ended, stop };

  async function stop(): Promise<WrkResult> {
    child.kill('SIGINT');
    // A signal between its start and its sleep is forgotten.
    const again = setInterval(() => child.kill('SIGINT'), 1_000);
    await ended.finally(() => clearInterval(again));
    rmSync(folder, { recursive: true });
    return parseResult(output);
  }
}

/** The last line is the scripts' own. */
export function parseResult(output: string): WrkResult {
  const line = output.trimEnd().split('\n').at(-1) ?? '';
  if (!line.startsWith('{')) throw new Error(`wrk: ${output}`);
  const { answered, refused, broken, accepted, seconds, ...step } = JSON.parse(line) as Record<
    'answered' | 'refused' | 'broken' | 'accepted' | 'seconds' | keyof Step,
    number
  >;
  if (broken > 0) throw new Error(`wrk: ${broken} connections broke: ${output}`);
  return { count: answered - refused, rejected: refused, accepted, seconds, step };
}
