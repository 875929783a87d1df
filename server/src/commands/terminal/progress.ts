// The progress of long work, with its rate and the remaining time: one line that is redrawn in a terminal, otherwise a
// line every few seconds.
import { renderDuration } from '../../domain/time.ts';

export type ProgressOutput = {
  /** Whether a person sees it, so that a line can be redrawn. */
  readonly isTerminal: boolean;
  readonly write: (text: string) => void;
};

export type Progress = {
  /** `total` may be an estimate that changes. */
  readonly move: (done: number, total: number) => void;
  readonly end: () => void;
};

const REDRAW_MS = 100;
const LINE_MS = 5_000;
const BAR_WIDTH = 20;
/** Clears what is left of a longer line. */
const CLEAR = '\u001B[K';

/** `from` was done before: it does not count for the rate. */
export function startProgress(
  { isTerminal, write }: ProgressOutput,
  { what, from = 0 }: { readonly what: string; readonly from?: number },
  timer: { readonly now: () => number } = performance,
): Progress {
  const startedAt = timer.now();
  let writtenAt = isTerminal ? Number.NEGATIVE_INFINITY : startedAt;
  let line = '';
  return {
    move: (done, total) => {
      const elapsedMs = timer.now() - startedAt;
      line = renderProgress({ what, done, total, from, elapsedMs });
      if (timer.now() - writtenAt < (isTerminal ? REDRAW_MS : LINE_MS)) return;
      writtenAt = timer.now();
      write(isTerminal ? `\r${renderBar(done, total)} ${line}${CLEAR}` : `${line}\n`);
    },
    end: () => {
      if (isTerminal && line !== '') write(`\r${line}${CLEAR}\n`);
    },
  };
}

type Moved = {
  readonly what: string;
  readonly done: number;
  readonly total: number;
  readonly from: number;
  readonly elapsedMs: number;
};

/** In the first second there is no rate to go by. */
export function renderProgress({ what, done, total, from, elapsedMs }: Moved): string {
  const counted = `${renderCount(done)} of ${renderCount(total)} ${what}`;
  const rate = ((done - from) * 1_000) / elapsedMs;
  if (elapsedMs < 1_000 || rate <= 0) return counted;
  const paced = `${counted}, ${rate < 10 ? rate.toFixed(1) : renderCount(Math.round(rate))} per second`;
  return done >= total ? paced : `${paced}, ${renderDuration((total - done) / rate)} left`;
}

function renderBar(done: number, total: number): string {
  const full = total === 0 ? BAR_WIDTH : Math.min(BAR_WIDTH, Math.floor((done * BAR_WIDTH) / total));
  return `[${'#'.repeat(full)}${'.'.repeat(BAR_WIDTH - full)}]`;
}

const renderCount = (count: number) => count.toLocaleString('en');
