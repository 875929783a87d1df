// The command that moves a merchant, run as a person runs it, and killed as a machine kills it.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { findMigrationLock } from '../../server/src/store/cells/migration-locks.ts';
import type { Random } from '../kit/random.ts';
import { MAIN, type CellStage } from './setup.ts';

export type MoveCounts = {
  moves: number;
  kills: number;
  /** How far the move had come at each kill, by the migration locks of the old and the new cell. */
  readonly killedAt: Record<string, number>;
};

/** Kills come some time after the mover has said one of these, and soon after the later ones: those are short. */
const MOMENTS = [
  { said: 'is being copied', withinMs: 1_500 },
  { said: 'is leaving', withinMs: 150 },
  { said: 'fenced for', withinMs: 250 },
] as const;

/** Moves the first merchant: killed so many times, then to the end. Answers what the command said at last. */
export async function moveThroughKills(
  stage: CellStage,
  route: { readonly from: number; readonly to: number; readonly kills: number },
  { random, counts }: { readonly random: Random; readonly counts: MoveCounts },
): Promise<string> {
  for (let killed = 0; killed < route.kills; killed += 1) {
    const mover = startMover(stage, route);
    const { said, withinMs } = random.pick(MOMENTS);
    const ended = once(mover, 'exit');
    await Promise.race([hear(mover.stdout, said), ended]);
    await Promise.race([sleep(random.between(0, withinMs)), ended]);
    if (mover.exitCode !== null) break;
    mover.kill('SIGKILL');
    await ended;
    counts.kills += 1;
    const at = await howFar(stage, route);
    counts.killedAt[at] = (counts.killedAt[at] ?? 0) + 1;
  }
  const mover = startMover(stage, route);
  const output: string[] = [];
  for (const stream of [mover.stdout, mover.stderr])
    stream?.on('data', (chunk: Buffer) => output.push(String(chunk)));
  const [code] = (await once(mover, 'close')) as [number | null];
  if (code !== 0) throw new Error(`the move ended with ${code}: ${output.join('')}`);
  counts.moves += 1;
  return output.join('').trim().replaceAll('\n', '; ');
}

/** Until something is said. */
async function hear(stream: Readable, said: string): Promise<void> {
  let heard = '';
  for await (const chunk of stream.iterator({ destroyOnReturn: false })) {
    heard += String(chunk);
    if (heard.includes(said)) return;
  }
}

function startMover({ environmentOf, merchants }: CellStage, { from, to }: { from: number; to: number }) {
  const merchantId = merchants[0].merchantId;
  const args = [MAIN, 'move-merchant', '--merchant', merchantId, '--to', `000${to + 1}`, '--by', 'proof'];
  return spawn(process.execPath, args, { env: environmentOf(from), stdio: ['ignore', 'pipe', 'pipe'] });
}

async function howFar({ consoles, merchants }: CellStage, { from, to }: { from: number; to: number }) {
  const merchantId = merchants[0].merchantId;
  const [old, fresh] = await Promise.all(
    [from, to].map(async (cell) =>
      findMigrationLock((cell === 0 ? consoles[0] : consoles[1]).engine.store.database, merchantId),
    ),
  );
  return `${old?.state ?? 'nothing'} ${fresh?.state ?? 'nothing'}`;
}
