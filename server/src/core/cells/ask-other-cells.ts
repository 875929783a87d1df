// What a person's action needs to know of every other cell. Unlike what is decided for all cells, such an action is
// refused where one of them does not answer: what that cell knows could forbid it.
import { setTimeout as sleep } from 'node:timers/promises';
import type { Database } from '../../store/database.ts';
import type { Engine } from '../engine.ts';

/** What is needed to reach the other cells. */
export type CellsPart = Pick<Engine, 'home' | 'cells' | 'databaseOf' | 'directoryCell'>;

/** A cell that had to be asked did not answer. Nothing was done. */
export type CellSilent = { readonly type: 'CELL_SILENT'; readonly cell: string };

export type OtherCells<Answer> =
  | {
      readonly type: 'ANSWERED';
      readonly answers: readonly { readonly cell: string; readonly answer: Answer }[];
    }
  | CellSilent;

/** Longer than a connection takes to be made, and no longer than a person waits. */
const ANSWERS_WITHIN_MS = 5_000;

/**
 * Asks all other cells at the same time. Never call it inside a transaction: that would keep its locks for as long as a
 * cell that is out of reach keeps us waiting.
 */
export async function askOtherCells<Answer>(
  { home, cells, databaseOf }: Pick<CellsPart, 'home' | 'cells' | 'databaseOf'>,
  ask: (database: Database, cell: string) => Promise<Answer>,
): Promise<OtherCells<Answer>> {
  const others = cells.filter((cell) => cell !== home);
  const answers = await Promise.all(
    others.map(async (cell) => {
      const answered = await askCell(cell, async () => ask(databaseOf(cell), cell));
      return answered.type === 'ANSWERED' ? { cell, ...answered } : answered;
    }),
  );
  const silent = answers.find((one) => one.type === 'CELL_SILENT');
  if (silent !== undefined) return silent;
  return {
    type: 'ANSWERED',
    answers: answers.flatMap((one) =>
      one.type === 'ANSWERED' ? [{ cell: one.cell, answer: one.answer }] : [],
    ),
  };
}

/** Asks one cell, for as long as a person waits. Whatever keeps it from answering counts as silence. */
export async function askCell<Answer>(
  cell: string,
  ask: () => Promise<Answer>,
): Promise<{ readonly type: 'ANSWERED'; readonly answer: Answer } | CellSilent> {
  const waiting = new AbortController();
  const silence = sleep(ANSWERS_WITHIN_MS, undefined, { signal: waiting.signal }).then((): CellSilent => ({
    type: 'CELL_SILENT',
    cell,
  }));
  silence.catch(() => undefined);
  try {
    return await Promise.race([ask().then((answer) => ({ type: 'ANSWERED', answer }) as const), silence]);
  } catch {
    return { type: 'CELL_SILENT', cell };
  } finally {
    waiting.abort();
  }
}

/** For the person who asked. */
export function describeSilence({ cell }: CellSilent): string {
  return `The cell ${cell} does not answer. Nothing was moved; try again when it does.`;
}
