// The command that moves a merchant, run as a person runs it, and killed as a machine kills it.
import { spawn, type ChildProcessByStdio } from 'node:child_process';
import { once } from 'node:events';
import type { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { findMigrationLock } from '../../server/src/store/cells/migration-locks.ts';
import type { Random } from '../kit/random.ts';
import { MAIN } from '../kit/processes.ts';
import { BY } from '../kit/settings.ts';
import { nameOf, type Setup } from './setup.ts';

/** A failover takes some seconds, and the command does not wait for it. */
export const FAILURES_MAX = 60;

export type MoveCounts = {
  moves: number;
  kills: number;
  /** Commands that ended with an error, because a database was not reachable, and were run again. */
  failed: number;
  failovers: number;
  /** The progress of the move at each kill, by the migration locks of the old and the new cell. */
  readonly killedAt: Record<string, number>;
};

/** Kills come some time after one of these outputs, and soon after the later ones, which are short. */
const MOMENTS = [
  { said: 'is being copied', withinMs: 1_500 },
  { said: 'is leaving', withinMs: 150 },
  { said: 'locked for', withinMs: 250 },
] as const;

/** Moves the first merchant: killed this many times, then to the end. Returns the last output of the command. */
export async function moveThroughKills(
  setup: Setup,
  route: { readonly from: number; readonly to: number; readonly kills: number },
  { random, counts }: { readonly random: Random; readonly counts: MoveCounts },
): Promise<string> {
  const killsBefore = counts.kills;
  while (counts.kills - killsBefore < route.kills && counts.failed < FAILURES_MAX) {
    const mover = startMover(setup, route);
    const { said, withinMs } = random.pick(MOMENTS);
    const ended = once(mover, 'exit');
    await Promise.race([hear(mover.stdout, said), ended]);
    await Promise.race([sleep(random.between(0, withinMs)), ended]);
    if (mover.exitCode === 0) break;
    if (mover.exitCode !== null) {
      // A database was not reachable. It is run again like one that was killed.
      counts.failed += 1;
      await sleep(500);
      continue;
    }
    mover.kill('SIGKILL');
    await ended;
    counts.kills += 1;
    const at = await howFar(setup, route);
    counts.killedAt[at] = (counts.killedAt[at] ?? 0) + 1;
  }
  const output = await runToTheEnd(() => startMover(setup, route), counts);
  counts.moves += 1;
  return output.trim().replaceAll('\n', '; ');
}

/** As a person would: a command that failed is run again. Returns the last one's output. */
export async function runToTheEnd(start: () => Command, counts: Pick<MoveCounts, 'failed'>): Promise<string> {
  for (let tries = 1; ; tries += 1) {
    const command = start();
    const output: string[] = [];
    for (const stream of [command.stdout, command.stderr])
      stream.on('data', (chunk: Buffer) => output.push(String(chunk)));
    const [code] = (await once(command, 'close')) as [number | null];
    if (code === 0) return output.join('');
    if (tries === FAILURES_MAX) throw new Error(`the move ended with ${code}: ${output.join('')}`);
    counts.failed += 1;
    await sleep(1_000);
  }
}

/** Waits for output. */
async function hear(stream: Readable, said: string): Promise<void> {
  let heard = '';
  for await (const chunk of stream.iterator({ destroyOnReturn: false })) {
    heard += String(chunk);
    if (heard.includes(said)) return;
  }
}

type Command = ChildProcessByStdio<null, Readable, Readable>;
type Route = { readonly from: number; readonly to: number };

function startMover(setup: Setup, { from, to }: Route): Command {
  const args = ['merchant', 'move', '--merchant', setup.moving.merchantId, '--to', nameOf(to), '--by', BY];
  return startCommand(setup, from, args);
}

export function startCommand({ environments }: Setup, cell: number, args: readonly string[]): Command {
  const env = { PATH: process.env['PATH'] ?? '', ...environments[cell] };
  return spawn(process.execPath, [MAIN, ...args], { env, stdio: ['ignore', 'pipe', 'pipe'] });
}

async function howFar({ admins, moving: { merchantId } }: Setup, { from, to }: Route): Promise<string> {
  const locks = [from, to].map(async (cell) => {
    const admin = admins[cell];
    const lock =
      admin === undefined ? null : await findMigrationLock(admin.engine.store.database, merchantId);
    return lock?.state ?? 'nothing';
  });
  return (await Promise.all(locks)).join(' ');
}
