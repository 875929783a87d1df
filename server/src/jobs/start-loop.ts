// Starts a loop of a process, which its metrics count.
import type { Engine } from '../core/engine.ts';
import { Loop, type LoopOptions } from './loop.ts';

export type ReportError = (loop: string, error: unknown) => void;

export type LoopRow = Pick<LoopOptions, 'pollMs' | 'round'>;

export function startLoop(
  { observer }: Pick<Engine, 'observer'>,
  name: string,
  row: LoopRow,
  report: ReportError,
): Loop {
  // Counted from zero: an error is seen as a change.
  observer.loopFailed(name, 0);
  return new Loop({
    ...row,
    onError: (error) => {
      observer.loopFailed(name, 1);
      report(name, error);
    },
    onRound: (seconds) => observer.loopRan(name, seconds),
  });
}
