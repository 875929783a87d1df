// Group commit for outcomes: whatever arrives while one transaction commits goes into the next.
import { advance, type Advance, type Advanced } from '../core/payments/process/advance.ts';
import { createListBatcher } from '../store/batch.ts';
import type { Engine } from '../core/engine.ts';
import { keepAnswers, type KeepOptions } from './keep-answers.ts';

/**
 * Brings the events of one payment to the single write path, together with those of other payments that come at the
 * same time.
 */
export type Advancer = (advances: readonly Advance[]) => Promise<readonly Advanced[]>;

export function createAdvancer(engine: Engine, options: KeepOptions): Advancer {
  const together = createListBatcher((advances: readonly Advance[]) => advance(engine, advances));
  return keepAnswers(engine, together, options);
}
