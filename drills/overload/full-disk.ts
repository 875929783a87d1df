// A database whose disk is full: its own cluster on a disk so small that one file fills it.
import { execFile } from 'node:child_process';
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { startSetup } from '../../benchmarks/gateway/setup.ts';
import { setupOptions } from './setup-options.ts';
import { withHooks } from '../kit/database.ts';
import type { Say } from '../kit/program.ts';
import { drain } from './drain.ts';
import type { Second, Span } from './tally.ts';
import { Traffic } from './traffic.ts';
import { checkPayments, type Verdict } from './verdict.ts';

const run = promisify(execFile);

export type FullDisk = {
  readonly seconds: readonly Second[];
  readonly full: Span;
  readonly after: Span;
  readonly otherwise: Readonly<Record<string, number>>;
  readonly drainedAfterSeconds: number | null;
  readonly verdict: Verdict;
};

export type FullDiskOptions = {
  readonly perSecond: number;
  readonly heldMs: number;
  readonly patienceMs: number;
  readonly say: Say;
};

const DISK_SIZE = '320m';
/** The write-ahead log must not fill the disk before we do. */
const CLUSTER_SETTINGS = ['shared_buffers=64MB', 'max_wal_size=96MB', 'min_wal_size=48MB'];

/** Null if a disk cannot be mounted on this machine. */
export async function fillDisk(options: FullDiskOptions): Promise<FullDisk | null> {
  const directory = await mkdtemp(join(tmpdir(), 'malipo-small-disk-'));
  const mounted = await run('mount', ['-t', 'tmpfs', '-o', `size=${DISK_SIZE}`, 'tmpfs', directory]).then(
    () => true,
    () => false,
  );
  try {
    if (!mounted) return null;
    await chmod(directory, 0o755);
    const cluster = { directory, settings: CLUSTER_SETTINGS };
    return await withHooks(async (hooks) => {
      const setup = await startSetup(hooks, { ...setupOptions(), cluster, say: () => undefined });
      const traffic = new Traffic(setup);
      const offer = async (ms: number): Promise<Span> => {
        const fromSecond = traffic.tally.nowSecond;
        await traffic.offer({ perSecond: options.perSecond, ms });
        return { fromSecond, toSecond: traffic.tally.nowSecond + 1 };
      };
      await offer(options.heldMs);
      const ballast = join(directory, 'ballast');
      await fill(ballast);
      options.say('the disk is full');
      const full = await offer(options.heldMs);
      await Promise.all([ballast, restOf(ballast)].map((path) => rm(path, { force: true })));
      const endedAt = performance.now();
      options.say('there is room again');
      const after = await offer(options.heldMs);
      const { database } = setup.admin.engine.store;
      const drainedAfterSeconds = await drain(database, { endedAt, patienceMs: options.patienceMs });
      const verdict = await checkPayments(database, traffic);
      const otherwise = Object.fromEntries(traffic.otherwise);
      return { seconds: traffic.tally.seconds(), full, after, otherwise, drainedAfterSeconds, verdict };
    });
  } finally {
    if (mounted) await unmount(directory);
    await rm(directory, { recursive: true, force: true });
  }
}

/** Fills what is left when no whole block fits. */
const restOf = (ballast: string) => `${ballast}-rest`;

/** Until nothing more fits. */
async function fill(path: string): Promise<void> {
  await run('dd', ['if=/dev/zero', `of=${path}`, 'bs=64k']).catch(() => undefined);
  await writeFile(restOf(path), Buffer.alloc(64 * 1_024)).catch(() => undefined);
}

/** The database was just killed, and its files close a moment later. */
async function unmount(directory: string): Promise<void> {
  for (let tries = 0; tries < 50; tries += 1) {
    const done = await run('umount', [directory]).then(
      () => true,
      () => false,
    );
    if (done) return;
    await sleep(200);
  }
}
