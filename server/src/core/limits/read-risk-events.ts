// Risk events as people look at them, of all cells together.
import type { RiskEventType } from '../../domain/limits/risk-event.ts';
import { listRiskEvents, type StoredRiskEvents } from '../../store/limits/risk-events.ts';
import { inEveryCell, missingCells } from '../cells/in-every-cell.ts';
import type { Engine } from '../engine.ts';

export type RiskEventsOfAll = {
  readonly events: readonly (StoredRiskEvents & { readonly cell: string })[];
  readonly missingCells: readonly string[];
};

/** The newest first. */
export async function readRiskEvents(
  engine: Engine,
  asked: { readonly event: RiskEventType | null; readonly countMax: number },
): Promise<RiskEventsOfAll> {
  const answers = await inEveryCell(engine, (database) => listRiskEvents(database, asked));
  const events = answers.flatMap((one) =>
    one.type === 'CONFIRMED' ? one.answer.map((event) => ({ ...event, cell: one.cell })) : [],
  );
  const newestFirst = events.toSorted((a, b) => b.lastAt.getTime() - a.lastAt.getTime());
  return { events: newestFirst.slice(0, asked.countMax), missingCells: missingCells(answers) };
}
