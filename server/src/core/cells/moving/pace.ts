// How far a long step is, said every few seconds and at its end.
import type { MoveWatch } from './copy-payments.ts';

const SAY_EVERY_MS = 5_000;

export function createPace({ onProgress }: Pick<MoveWatch, 'onProgress'>, what: string) {
  const startedAt = performance.now();
  let saidAt = startedAt;
  let payments = 0;
  let rows = 0;
  const say = (tail: string) => {
    const seconds = Math.max(performance.now() - startedAt, 1) / 1_000;
    const figures = rows === 0 ? '' : `, ${rows} rows, ${Math.round(rows / seconds)} rows a second`;
    onProgress(`${what} ${payments} payments${figures}${tail}`);
  };
  return {
    add: (done: { readonly payments: number; readonly rows: number }): void => {
      payments += done.payments;
      rows += done.rows;
      if (performance.now() - saidAt < SAY_EVERY_MS) return;
      saidAt = performance.now();
      say(' so far');
    },
    end: say,
  };
}
