// The progress of a batch: a bar in a terminal, otherwise a line now and then.
import type { World } from '../world.ts';

export type Progress = { readonly move: (done: number) => void; readonly end: () => void };

const BAR_WIDTH = 30;
/** Without a terminal: a line for each tenth. */
const LINES = 10;

export function startProgress(
  world: World,
  { total, what }: { readonly total: number; readonly what: string },
): Progress {
  let lastTenth = 0;
  return {
    move: (done) => {
      if (world.isTerminal) {
        world.draw(`\r${renderBar(done, total)} ${done} of ${total} ${what}`);
        return;
      }
      const tenth = Math.floor((done * LINES) / total);
      if (tenth > lastTenth) world.tell(`${done} of ${total} ${what}`);
      lastTenth = Math.max(tenth, lastTenth);
    },
    end: () => {
      if (world.isTerminal) world.draw('\n');
    },
  };
}

export function renderBar(done: number, total: number): string {
  const full = total === 0 ? BAR_WIDTH : Math.floor((done * BAR_WIDTH) / total);
  return `[${'#'.repeat(full)}${'.'.repeat(BAR_WIDTH - full)}]`;
}
