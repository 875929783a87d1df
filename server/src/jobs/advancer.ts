// Group commit for outcomes: whatever arrives while one transaction commits goes into the next.
import { advance, type Advance, type Advanced } from '../core/payments/process/advance.ts';
import { createBatcher } from '../store/batch.ts';
import type { Engine } from '../core/engine.ts';
import { keepAnswers, type KeepOptions } from './keep-answers.ts';

/**
 * Brings the events of one payment to the single write path, together with those of other payments that come at the
 * same time.
 */
export type Advancer = (advances: readonly Advance[]) => Promise<readonly Advanced[]>;

export function createAdvancer(engine: Engine, options: KeepOptions): Advancer {
  const together = createBatcher<readonly Advance[], readonly Advanced[]>(async (items) => {
    const answers = await advance(engine, items.flat());
    let taken = 0;
    return items.map((item) => answers.slice(taken, (taken += item.length)));
  });
  return keepAnswers(engine, together, options);
}
