// What is held as people look at it, of all cells together.
import { listHeldMoney, type HeldMoney } from '../../store/limits/held-money.ts';
import { inEveryCell, missingCells } from '../cells/in-every-cell.ts';
import type { Engine } from '../engine.ts';

export type HoldsOfAll = {
  readonly holds: readonly HeldMoney[];
  readonly missingCells: readonly string[];
};

/** The oldest first; of all merchants where none is named. */
export async function readHolds(
  engine: Engine,
  asked: { readonly merchantId: string | null; readonly countMax: number },
): Promise<HoldsOfAll> {
  const answers = await inEveryCell(engine, (database) => listHeldMoney(database, asked));
  const holds = answers.flatMap((one) => (one.type === 'CONFIRMED' ? one.answer : []));
  const oldestFirst = holds.toSorted((a, b) => a.since.getTime() - b.since.getTime());
  return { holds: oldestFirst.slice(0, asked.countMax), missingCells: missingCells(answers) };
}
