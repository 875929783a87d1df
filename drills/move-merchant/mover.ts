// The command that moves a merchant, run as a person runs it, and killed as a machine kills it.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { findMigrationLock } from '../../server/src/store/cells/migration-locks.ts';
import type { Random } from '../kit/random.ts';
import { MAIN } from '../kit/processes.ts';
import { BY } from '../kit/settings.ts';
import { nameOf, type Setup } from './setup.ts';

export type MoveCounts = {
  moves: number;
  kills: number;
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
  for (let killed = 0; killed < route.kills; killed += 1) {
    const mover = startMover(setup, route);
    const { said, withinMs } = random.pick(MOMENTS);
    const ended = once(mover, 'exit');
    await Promise.race([hear(mover.stdout, said), ended]);
    await Promise.race([sleep(random.between(0, withinMs)), ended]);
    if (mover.exitCode !== null) break;
    mover.kill('SIGKILL');
    await ended;
    counts.kills += 1;
    const at = await howFar(setup, route);
    counts.killedAt[at] = (counts.killedAt[at] ?? 0) + 1;
  }
  const mover = startMover(setup, route);
  const output: string[] = [];
  for (const stream of [mover.stdout, mover.stderr])
    stream?.on('data', (chunk: Buffer) => output.push(String(chunk)));
  const [code] = (await once(mover, 'close')) as [number | null];
  if (code !== 0) throw new Error(`the move ended with ${code}: ${output.join('')}`);
  counts.moves += 1;
  return output.join('').trim().replaceAll('\n', '; ');
}

/** Waits for output. */
async function hear(stream: Readable, said: string): Promise<void> {
  let heard = '';
  for await (const chunk of stream.iterator({ destroyOnReturn: false })) {
    heard += String(chunk);
    if (heard.includes(said)) return;
  }
}

type Route = { readonly from: number; readonly to: number };

function startMover({ environments, moving: { merchantId } }: Setup, { from, to }: Route) {
  const args = [MAIN, 'merchant', 'move', '--merchant', merchantId, '--to', nameOf(to), '--by', BY];
  const env = { PATH: process.env['PATH'] ?? '', ...environments[from] };
  return spawn(process.execPath, args, { env, stdio: ['ignore', 'pipe', 'pipe'] });
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
