// The directory of a run. Every process of a run has it in its command line or environment, and none outlives the run:
// a watcher process waits until our end of its pipe closes, which even kill -9 does, and then ends them.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdirSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ShutdownHooks } from '../../server/src/commands/serve/shutdown-hooks.ts';

export type Scratch = {
  readonly path: string;
  /** A directory below it, made if it is missing. */
  readonly folder: (name: string) => string;
};

/** Twice, because some of them start others until they are gone. The directory can be kept. */
const WATCHER = `cat > /dev/null
for round in 1 2; do
  for found in $(grep -ls "$SCRATCH" /proc/[0-9]*/environ /proc/[0-9]*/cmdline); do
    process=\${found#/proc/}; process=\${process%/*}
    test "$process" = $$ || kill -KILL "$process" 2> /dev/null
  done
  sleep 0.3
done
test -n "$KEEP" || rm -rf "$SCRATCH"`;

export function openScratch(
  hooks: ShutdownHooks,
  options: { readonly keep: boolean } = { keep: false },
): Scratch {
  const path = mkdtempSync(join(tmpdir(), 'malipo-drill-'));
  // The database runs as another user.
  chmodSync(path, 0o755);
  const watcher = spawn('/bin/sh', ['-c', WATCHER], {
    env: { PATH: process.env['PATH'] ?? '', SCRATCH: path, KEEP: options.keep ? 'yes' : '' },
    stdio: ['pipe', 'ignore', 'ignore'],
    detached: true,
  });
  // Ends every process of the run.
  hooks.add(async () => {
    const ended = once(watcher, 'exit');
    watcher.stdin.end();
    await ended;
  });
  return {
    path,
    folder: (name) => {
      const folder = join(path, name);
      mkdirSync(folder, { recursive: true });
      return folder;
    },
  };
}
