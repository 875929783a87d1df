// How far a long step is, said every few seconds and at its end.
import { renderDuration } from '../../../domain/time.ts';
import type { MoveWatch } from './copy-payments.ts';

const SAY_EVERY_MS = 5_000;

type Step = { readonly what: string; readonly total: number };

export function createPace(
  { onProgress }: Pick<MoveWatch, 'onProgress'>,
  { what, total }: Step,
  timer: { readonly now: () => number } = performance,
) {
  const startedAt = timer.now();
  let saidAt = startedAt;
  let payments = 0;
  let rows = 0;
  const say = (count: string, tail: string) => {
    const seconds = Math.max(timer.now() - startedAt, 1) / 1_000;
    const figures = rows === 0 ? '' : `, ${rows} rows, ${Math.round(rows / seconds)} rows a second`;
    onProgress(`${what} ${count} payments${figures}${tail}`);
  };
  return {
    add: (done: { readonly payments: number; readonly rows: number }): void => {
      payments += done.payments;
      rows += done.rows;
      if (timer.now() - saidAt < SAY_EVERY_MS) return;
      saidAt = timer.now();
      // More may have come since they were counted.
      const leftSeconds = ((saidAt - startedAt) / 1_000 / payments) * Math.max(0, total - payments);
      say(`${payments} of ${Math.max(total, payments)}`, `, ${renderDuration(leftSeconds)} left`);
    },
    end: (tail: string): void => say(String(payments), tail),
  };
}
