// What the platform decides for all of its cells. A cell that does not answer keeps the others from nothing; the person
// is told which one it was.
import type { Database } from '../../store/database.ts';
import type { Engine } from '../engine.ts';

export type CellAnswer<Answer> =
  | { readonly cell: string; readonly type: 'CONFIRMED'; readonly answer: Answer }
  | { readonly cell: string; readonly type: 'NOT_CONFIRMED'; readonly error: unknown };

/** This cell first; the others at the same time. */
export async function inEveryCell<Answer>(
  { home, cells, databaseOf }: Pick<Engine, 'home' | 'cells' | 'databaseOf'>,
  work: (database: Database) => Promise<Answer>,
): Promise<readonly CellAnswer<Answer>[]> {
  const ask = async (cell: string): Promise<CellAnswer<Answer>> => {
    try {
      return { cell, type: 'CONFIRMED', answer: await work(databaseOf(cell)) };
    } catch (error) {
      return { cell, type: 'NOT_CONFIRMED', error };
    }
  };
  const own = await ask(home);
  return [own, ...(await Promise.all(cells.filter((cell) => cell !== home).map(ask)))];
}

/** Cells that did not answer, each once. */
export function missingCells(answers: readonly CellAnswer<unknown>[]): readonly string[] {
  return [...new Set(answers.filter(({ type }) => type === 'NOT_CONFIRMED').map(({ cell }) => cell))];
}
