// What is held as people look at it, of all cells together.
import { listHeldMoney, type HeldMoney } from '../../store/limits/held-money.ts';
import { inEveryCell, missingCells } from '../cells/in-every-cell.ts';
import type { Engine } from '../engine.ts';

/** `cell` is null for this one. */
type Hold = HeldMoney & { readonly cell: string | null };

export type HoldsOfAll = {
  readonly holds: readonly Hold[];
  readonly missingCells: readonly string[];
};

/** The oldest first; of all merchants where none is named. */
export async function readHolds(
  engine: Engine,
  asked: { readonly merchantId: string | null; readonly countMax: number },
): Promise<HoldsOfAll> {
  const answers = await inEveryCell(engine, (database) => listHeldMoney(database, asked));
  const holds = answers.flatMap((one) => {
    if (one.type !== 'CONFIRMED') return [];
    const cell = one.cell === engine.home ? null : one.cell;
    return one.answer.map((hold) => ({ ...hold, cell }));
  });
  const oldestFirst = holds.toSorted((a, b) => a.since.getTime() - b.since.getTime());
  return { holds: oldestFirst.slice(0, asked.countMax), missingCells: missingCells(answers) };
}
