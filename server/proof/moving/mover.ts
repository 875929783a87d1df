// The command that moves a merchant, run as a person runs it, and killed as a machine kills it.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { findFence } from '../../src/store/merchant-fences.ts';
import type { Random } from '../random.ts';
import { MAIN, type CellStage } from './cell-stage.ts';

export type MoveCounts = {
  moves: number;
  kills: number;
  /** How far the move had come at each kill, by the fences of the old and the new cell. */
  readonly killedAt: Record<string, number>;
};

/** From the moment it has begun; a move takes about as long. */
const LIFE_MS = [0, 1_500] as const;

/** Moves the first merchant: killed so many times, then to the end. Answers what the command said at last. */
export async function moveThroughKills(
  stage: CellStage,
  route: { readonly from: number; readonly to: number; readonly kills: number },
  { random, counts }: { readonly random: Random; readonly counts: MoveCounts },
): Promise<string> {
  for (let killed = 0; killed < route.kills; killed += 1) {
    const mover = startMover(stage, route);
    const [least, most] = LIFE_MS;
    const ended = once(mover, 'exit');
    await Promise.race([once(mover.stdout, 'data'), ended]);
    await Promise.race([sleep(random.between(least, most)), ended]);
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

function startMover({ environmentOf, merchants }: CellStage, { from, to }: { from: number; to: number }) {
  const merchantId = merchants[0].merchantId;
  const args = [MAIN, 'move-merchant', '--merchant', merchantId, '--to', `000${to + 1}`, '--by', 'proof'];
  return spawn(process.execPath, args, { env: environmentOf(from), stdio: ['ignore', 'pipe', 'pipe'] });
}

async function howFar({ consoles, merchants }: CellStage, { from, to }: { from: number; to: number }) {
  const merchantId = merchants[0].merchantId;
  const [old, fresh] = await Promise.all(
    [from, to].map(async (cell) =>
      findFence((cell === 0 ? consoles[0] : consoles[1]).engine.store.database, merchantId),
    ),
  );
  return `${old?.state ?? 'nothing'} ${fresh?.state ?? 'nothing'}`;
}
