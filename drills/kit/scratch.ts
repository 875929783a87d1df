// The directory a run lives in. Every process of a run has it in its command line or its environment, and whatever
// happens to the run, none of them outlives it: an undertaker waits for our end of its pipe to close, which even
// kill -9 does.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdirSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export type Scratch = {
  readonly path: string;
  /** A directory below it, made if it is missing. */
  readonly folder: (name: string) => string;
  /** Ends every process of the run. */
  readonly close: () => Promise<void>;
};

/** Twice, because some of them start others until they are gone. The directory stays when asked to. */
const UNDERTAKER = `cat > /dev/null
for round in 1 2; do
  for found in $(grep -ls "$SCRATCH" /proc/[0-9]*/environ /proc/[0-9]*/cmdline); do
    process=\${found#/proc/}; process=\${process%/*}
    test "$process" = $$ || kill -KILL "$process" 2> /dev/null
  done
  sleep 0.3
done
test -n "$KEEP" || rm -rf "$SCRATCH"`;

export function openScratch(options: { readonly keep: boolean }): Scratch {
  const path = mkdtempSync(join(tmpdir(), 'malipo-chaos-'));
  // The database runs as another user.
  chmodSync(path, 0o755);
  const undertaker = spawn('/bin/sh', ['-c', UNDERTAKER], {
    env: { PATH: process.env['PATH'] ?? '', SCRATCH: path, KEEP: options.keep ? 'yes' : '' },
    stdio: ['pipe', 'ignore', 'ignore'],
    detached: true,
  });
  return {
    path,
    folder: (name) => {
      const folder = join(path, name);
      mkdirSync(folder, { recursive: true });
      return folder;
    },
    close: async () => {
      const ended = once(undertaker, 'exit');
      undertaker.stdin.end();
      await ended;
    },
  };
}
