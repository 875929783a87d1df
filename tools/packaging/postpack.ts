// Puts the repository's package.json back. npm runs it after packing; prepack.ts starts it with `--after` and
// process numbers, npm's and its own, to wait for their end.
import { setTimeout as sleep } from 'node:timers/promises';
import { swapBack } from './swap.ts';

const INTERVAL_MS = 20;

const workspace = process.cwd();
const [mode, ...pids] = process.argv.slice(2);
if (mode === '--after') {
  while (pids.some((pid) => runs(Number(pid)))) await sleep(INTERVAL_MS);
  swapBack(workspace);
} else if (process.env['npm_command'] === 'pack' && !swapBack(workspace)) {
  // To publish, npm reads package.json once more after this, for the registry: the process that waits puts it back.
  throw new Error('The published package.json was not in place: this package is not usable.');
}

function runs(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
